import type { SessionDeps } from '../deps.ts'
import { createCounter } from './count.ts'
import { type MakingRoom, tokensNow } from './making-room.ts'
import { planPrune } from './plan-prune.ts'
import { ACT_AT, contextSettings } from './settings.ts'

// Pruning alone must leave room for some turns; else it would break the cache and be followed by a compaction.
const ENOUGH = 0.75

/** Takes out what is superfluous and, where that is not enough, condenses old turns. Gives why it still does not fit. */
export async function fitContext(
  deps: SessionDeps,
  making: MakingRoom,
  { isForced, limit }: { isForced: boolean; limit: number },
): Promise<{ detail: string } | undefined> {
  const { ledger } = making
  const last = ledger.last
  const { canCompact, canPrune } = contextSettings(deps.settings)
  const isFull = () => tokensNow(deps, ledger) >= ACT_AT * limit
  const mustShrink = isForced || isFull()
  if (canPrune) await prune(deps, making, { limit, isUrgent: mustShrink, mustSuffice: mustShrink && canCompact })
  if (!isForced && !isFull()) return undefined
  if (!canCompact)
    return isForced || tokensNow(deps, ledger) >= limit ? full(tokensNow(deps, ledger), limit) : undefined
  // Once in many turns.
  const { compact } = await import('./compact.ts')
  await compact(deps, making, { limit, isUrgent: true })
  if (making.signal.aborted) return undefined
  const tokens = tokensNow(deps, ledger)
  // What was refused would be refused again.
  const isSame = isForced && ledger.last === last
  return isSame || tokens >= limit ? full(tokens, limit) : undefined
}

function full(tokens: number, limit: number): { detail: string } {
  return { detail: `the context has about ${tokens} tokens of the ${limit} that it may have` }
}

async function prune(
  { settings, tools }: SessionDeps,
  { ledger }: MakingRoom,
  { limit, isUrgent, mustSuffice }: { limit: number; isUrgent: boolean; mustSuffice: boolean },
): Promise<void> {
  const before = tokensNow({ settings, tools }, ledger)
  const counter = createCounter(ledger.gauge, settings.model)
  const plan = planPrune(ledger.context, counter, { tokens: before, limit, isUrgent })
  if (!plan) return
  const after = Math.max(0, Math.round(before - plan.freed))
  if (mustSuffice && after > ENOUGH * limit) return
  await ledger.append({ type: 'context-prune', ...plan.fact, tokens: { before, after } })
}
