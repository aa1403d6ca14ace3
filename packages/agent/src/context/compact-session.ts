import type { SessionDeps } from '../deps.ts'
import { Ledger } from '../ledger.ts'
import { CONTEXT_LIMIT } from './settings.ts'

/** Condenses the old turns of a session by hand; `focus` is what the person does not want to lose. Gives the tokens before and after; nothing, if there was nothing to condense. */
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
    for await (const record of deps.log.read(id, last)) if (record.type === 'context-compact') return record.tokens
    return undefined
  } finally {
    await ledger.close()
  }
}
