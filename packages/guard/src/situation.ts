/** What becomes of a call. */
export type Verdict = 'allow' | 'ask' | 'deny'

/** How much the person has handed over, and whether commands run in a sandbox that holds. */
export interface Situation {
  readonly mode: 'ask' | 'auto' | 'read-only' | 'yes'
  readonly sandbox: 'full' | 'none'
}
