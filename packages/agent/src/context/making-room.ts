import type { SessionDeps } from '../deps.ts'
import type { Ledger } from '../ledger.ts'
import { countContext } from './count.ts'

/** The session whose context is looked after. */
export interface MakingRoom {
  id: string
  ledger: Ledger
  signal: AbortSignal
}

/** Tokens of the next request, as far as they are known. */
export function tokensNow(
  { settings, tools }: Pick<SessionDeps, 'settings' | 'tools'>,
  { gauge, context }: Ledger,
): number {
  const { model, system } = settings
  return countContext(gauge, context, { model, system, tools: () => tools.list().map(({ spec }) => spec) })
}
