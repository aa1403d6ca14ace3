import type { SessionDeps } from '../deps.ts'
import { Ledger } from '../ledger.ts'
import { CONTEXT_LIMIT } from './settings.ts'

/** Condenses the old turns of a session by hand; `focus` is what the person does not want to lose. Gives the tokens before and after; nothing, if nothing would be gained. */
export async function compactSession(
  deps: SessionDeps,
  id: string,
  { signal, focus }: { signal: AbortSignal; focus?: string },
): Promise<{ before: number; after: number } | undefined> {
  const { compact } = await import('./compact.ts')
  const ledger = await Ledger.open(deps.log, id, deps.states)
  try {
    const last = ledger.last
    const limit = deps.settings.context?.limit ?? CONTEXT_LIMIT
    await compact(deps, { id, ledger, signal }, { limit, ...(focus !== undefined && { focus }) })
    if (ledger.last === last) return undefined
    let tokens: { before: number; after: number } | undefined
    for await (const record of deps.log.read(id, last)) {
      // Long outputs of the last turn may have been taken out before, or instead.
      const isShorter = record.type === 'context-compact' || record.type === 'context-prune'
      if (isShorter && record.tokens) tokens = { ...record.tokens, before: tokens?.before ?? record.tokens.before }
    }
    return tokens
  } finally {
    await ledger.close()
  }
}
