import { type Difference, verifySession } from '@maru/agent'
import type { Part, Recorded } from '@maru/protocol'
import { beforeAll, expect, test } from 'vitest'
import { call, createEngine, say, tool } from './harness.ts'

let engine: Awaited<ReturnType<typeof createEngine>>
let facts: Recorded[]
beforeAll(async () => {
  engine = await createEngine({
    replies: [call(['Read', { path: 'a' }], ['Read', { path: 'b' }]), say('done')],
    tools: [tool('Read', (args) => ({ ok: true, stdout: JSON.stringify(args) }), { effect: 'none' })],
  })
  await engine.ask('look')
  facts = await engine.facts()
})

async function* each<T>(items: T[]): AsyncGenerator<T> {
  yield* items
}

function verify(changed: Recorded[], adapt?: () => Promise<Part[]>) {
  const { blobs, hash } = engine.deps
  return verifySession(each(changed), { id: 's', blobs, hash, ...(adapt && { adapt }) })
}

const nth = (type: Recorded['type'], n = 0) => facts.filter((fact) => fact.type === type)[n] as Recorded
const without = (fact: Recorded) => facts.filter((other) => other !== fact)
const changed = (fact: Recorded, change: object) =>
  facts.map((other) => (other === fact ? ({ ...other, ...change } as Recorded) : other))
const after = (fact: Recorded, added: Recorded) => facts.flatMap((other) => (other === fact ? [other, added] : [other]))

test('a log as it was written holds', async () => {
  expect(await verify(facts)).toEqual({ requests: 2, adapted: 0 })
})

const tampered: [what: string, log: () => Recorded[], message: RegExp][] = [
  [
    'an input with other words',
    () => changed(nth('input-admit'), { parts: [{ type: 'text', text: 'other' }] }),
    /another request/,
  ],
  [
    'a result with other words',
    () => changed(nth('tool-end'), { parts: [{ type: 'text', text: 'other' }] }),
    /another request/,
  ],
  ['an answer with other arguments', () => changed(nth('turn-end'), { parts: [] }), /not ready to start/],
  ['another model', () => changed(nth('turn-start', 1), { model: 'other' }), /another request/],
  ['another prompt', () => changed(nth('prompt-set'), { hash: 'f'.repeat(64) }), /prompt is not the one/],
  ['no prompt', () => without(nth('prompt-set')), /before any prompt/],
  ['a run begun twice', () => after(nth('run-start'), nth('run-start')), /had not ended/],
  ['a run that was never begun', () => without(nth('run-start')), /outside a run/],
  ['another run ended', () => changed(nth('run-end'), { runId: 'other' }), /was not running/],
  ['a usage that is not the sum', () => changed(nth('run-end'), { usage: { input: 1, output: 1 } }), /usage/],
  ['a turn within a turn', () => after(nth('turn-start'), nth('turn-start')), /had not ended/],
  ['a turn that ends twice', () => after(nth('turn-end'), nth('turn-end')), /was not under way/],
  ['a call that starts twice', () => after(nth('tool-start'), nth('tool-start')), /not ready to start/],
  ['a call that ends twice', () => after(nth('tool-end'), nth('tool-end')), /was not under way/],
  ['a call without a result', () => without(nth('tool-end', 1)), /had no result/],
]

test.each(tampered)('%s is found', async (_what, log, message) => {
  const found = await verify(log())
  expect((found as Difference).message ?? 'nothing was found').toMatch(message)
})

test('vendor events that give another turn are found, and those that give the same hold', async () => {
  const stored = facts.flatMap((fact) => (fact.type === 'turn-end' ? [fact.parts] : []))
  const asVendor = stored.map((parts) =>
    parts.map((part) => (part.type === 'call' ? { ...part, callId: part.vendorId ?? '' } : part)),
  )
  const turns = [...asVendor]
  expect(await verify(facts, async () => turns.shift() ?? [])).toEqual({ requests: 2, adapted: 2 })
  const other = [asVendor[0] ?? [], [{ type: 'text' as const, text: 'another answer' }]]
  expect(await verify(facts, async () => other.shift() ?? [])).toMatchObject({
    message: expect.stringContaining('another turn'),
  })
})
