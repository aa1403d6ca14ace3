import { takeFinished, transcript } from '@maru/protocol'
import type { ReceivedRequest } from '@maru/scripted-model'
import { expect, test } from 'vitest'
import { factsOf, isSummary, PLANTED, playLongSession, TURNS_PER_ROUND, textOf } from './long-session.ts'

const LIMIT = 16_000

test('through five compactions with poor summaries nothing that must survive is lost', {
  timeout: 180_000,
}, async () => {
  const rounds = 80
  const played = await playLongSession({ rounds, context: { limit: LIMIT, canCompact: true, canPrune: true } })
  const { facts, asked, requests, verified } = played
  expect(played.problems).toEqual([])
  expect(new Set(played.reasons)).toEqual(new Set(['done']))
  expect(factsOf(facts, 'turn-start')).toHaveLength(rounds * TURNS_PER_ROUND)
  const compactions = factsOf(facts, 'context-compact')
  expect(compactions.length).toBeGreaterThanOrEqual(5)

  // Everything that is asked for is in what was sent.
  const missing = asked.flatMap((request) => {
    const seen = textOf(request)
    return PLANTED.filter(({ value }) => !seen.includes(value)).map(({ kind }) => kind)
  })
  expect(asked.length).toBeGreaterThan(8)
  expect(missing).toEqual([])

  // No request went beyond the limit, as the vendor counts it.
  const inputs = factsOf(facts, 'turn-end').map(({ usage }) => usage?.input ?? 0)
  expect(Math.max(...inputs)).toBeLessThanOrEqual(LIMIT)

  // People see everything.
  const state = transcript.create()
  for (const fact of facts) transcript.apply(state, fact)
  const shown = takeFinished(state).filter(({ kind }) => kind === 'message')
  expect(shown).toHaveLength(rounds * (TURNS_PER_ROUND + 1))

  expect(verified).toEqual({ requests: rounds * TURNS_PER_ROUND + compactions.length, adapted: 0 })
  expectStablePrefix(facts, requests)
})

type Facts = Awaited<ReturnType<typeof playLongSession>>['facts']

// Between two changes of the context each request begins with all of the one before, byte for byte.
function expectStablePrefix(facts: Facts, requests: ReceivedRequest[]): void {
  const turns = requests.filter((request) => !isSummary(request))
  let reused = 0
  let at = -1
  let isChanged = true
  for (const fact of facts) {
    if (fact.type === 'context-prune' || fact.type === 'context-compact') isChanged = true
    if (fact.type !== 'turn-start') continue
    at++
    const [before, now] = [turns[at - 1], turns[at]].map((request) => request && bytesOf(request))
    if (!isChanged && before && now) {
      expect(now.head).toBe(before.head)
      expect(now.messages.slice(0, before.messages.length)).toEqual(before.messages)
      reused++
    }
    isChanged = false
  }
  // Pruning and compaction are the exception.
  expect(reused / turns.length).toBeGreaterThan(0.6)
}

// As sent, without the marks that only say where to cache.
function bytesOf({ body }: ReceivedRequest): { head: string; messages: string[] } {
  const plain = JSON.parse(JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value)))
  const { messages, ...head } = plain as { messages: { content: unknown }[] }
  return { head: JSON.stringify(head), messages: messages.map((message) => JSON.stringify(message)) }
}

test('pruning alone saves 40 % of the input, with the same answers', { timeout: 180_000 }, async () => {
  const rounds = 16
  const without = await playLongSession({ rounds, context: { limit: 1_000_000, canCompact: false, canPrune: false } })
  const pruned = await playLongSession({ rounds, context: { limit: 100_000, canCompact: false, canPrune: true } })
  expect(factsOf(without.facts, 'context-prune')).toEqual([])
  expect(factsOf(pruned.facts, 'context-compact')).toEqual([])
  expect(pruned.reasons).toEqual(without.reasons)
  expect(pruned.answers).toEqual(without.answers)
  expect(inputOf(pruned.facts)).toBeLessThan(0.6 * inputOf(without.facts))
  expect('message' in pruned.verified).toBe(false)
})

const inputOf = (facts: Facts) => factsOf(facts, 'turn-end').reduce((sum, { usage }) => sum + (usage?.input ?? 0), 0)
