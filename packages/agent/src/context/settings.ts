/** What the context of a session may take, and what may be done about it. */
export interface ContextSettings {
  /** Tokens of a request. */
  limit: number
  /** Old turns may be condensed when they no longer fit. */
  canCompact: boolean
  /** Superfluous outputs may be taken out. */
  canPrune: boolean
}

export const CONTEXT_LIMIT = 100_000

const DEFAULTS: ContextSettings = { limit: CONTEXT_LIMIT, canCompact: true, canPrune: true }

export const contextSettings = ({ context }: { context?: ContextSettings }): ContextSettings => context ?? DEFAULTS

/** A person is told from this share of the limit on. */
export const NOTICE_AT = 0.8
/** Something is done from here on: an estimate may be a few percent too low. */
export const ACT_AT = 0.92
