import type { Recorded } from '@maru/protocol'
import { factsOf, PLANTED, playLongSession, TURNS_PER_ROUND, textOf } from '../test/context/long-session.ts'

/**
 * A session of `times` rounds of five turns each, whose summaries are all poor: whatever is asked for is in what was sent. Then
 * the same with pruning alone, and without: the same answers, with so many fewer tokens.
 */
export async function proveLongContext({ times, log }: { times: number; log?(line: string): void }) {
  const rounds = Math.max(times, 20)
  const long = await playLongSession({ rounds, context: { limit: 16_000, canCompact: true, canPrune: true } })
  if ('message' in long.verified) throw new Error(`fact ${long.verified.seq}: ${long.verified.message}`)
  if (long.reasons.some((reason) => reason !== 'done')) throw new Error(`a round ended with ${long.reasons.at(-1)}`)
  for (const request of long.asked) {
    const seen = textOf(request)
    const missing = PLANTED.filter(({ value }) => !seen.includes(value))
    if (missing.length > 0) throw new Error(`not in the context: ${missing.map(({ kind }) => kind).join(', ')}`)
  }
  const compactions = factsOf(long.facts, 'context-compact').length
  const prunes = factsOf(long.facts, 'context-prune').length
  log?.(
    `${rounds * TURNS_PER_ROUND} turns, ${compactions} compactions, ${prunes} prunes, asked ${long.asked.length} times`,
  )
  const few = Math.min(rounds, 80)
  const without = await playLongSession({
    rounds: few,
    context: { limit: 10_000_000, canCompact: false, canPrune: false },
  })
  const pruned = await playLongSession({ rounds: few, context: { limit: 100_000, canCompact: false, canPrune: true } })
  if (JSON.stringify(pruned.answers) !== JSON.stringify(without.answers)) throw new Error('pruning changed an answer')
  const [all, less] = [inputOf(without.facts), inputOf(pruned.facts)]
  log?.(`${few * TURNS_PER_ROUND} turns without pruning: ${all} tokens of input; with it: ${less}`)
  return { turns: rounds * TURNS_PER_ROUND, compactions, prunes, saved: 1 - less / all }
}

function inputOf(facts: Recorded[]): number {
  return factsOf(facts, 'turn-end').reduce((sum, { usage }) => sum + (usage?.input ?? 0), 0)
}
