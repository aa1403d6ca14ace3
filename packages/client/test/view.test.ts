import type { api, Live, OpenTurn, Recorded, RunnerFact } from '@maru/protocol'
import { createLiveBus } from '@maru/store'
import { approve, input, person, toolEnd, toolStart, turnEnd } from '@maru/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createView } from '../src/index.ts'

const TEXT = '안녕하세요 👩‍💻 a text that comes in pieces'

function record(seq: number, fact: RunnerFact | ReturnType<typeof input>): Recorded {
  return { ...fact, v: 1, seq, at: seq }
}

function deltas(sizes: number[]): Live[] {
  const pieces: Live[] = []
  let offset = 0
  for (let n = 0; offset < TEXT.length; n++) {
    const text = TEXT.slice(offset, offset + (sizes[n % sizes.length] ?? 1))
    pieces.push({ type: 'text-delta', turnId: 't', part: 0, offset, text })
    offset += text.length
  }
  return pieces
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })

test('text has no hole and no part twice, in whatever order it is heard of', () => {
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.nat()), fc.nat(), (lengths, order, joined) => {
      const bus = createLiveBus()
      const pieces = deltas(lengths)
      for (const piece of pieces.slice(0, joined % pieces.length)) bus.publish('s', piece)
      const { open } = bus.subscribe('s', () => undefined)
      // Each once and some twice, and what the server says of the open turn anywhere among them.
      const events: (Live | OpenTurn)[] = [...pieces, ...pieces.slice(2, 5), open]
      const weights = new Map(events.map((event) => [event, order.next().value]))
      const shuffled = [...events].sort((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0))
      const view = createView()
      for (const event of shuffled) {
        if ('type' in event) view.live(event)
        else view.open(event)
        expect(TEXT.startsWith(view.read().turns[0]?.parts[0] ?? '')).toBe(true)
      }
      expect(view.read().turns).toEqual(
        // When the last word is the server's that nothing is open, so it is.
        shuffled.at(-1) === open && open.turnId === undefined ? [] : [{ turnId: 't', parts: [TEXT] }],
      )
    }),
  )
})

test('what the server says of the open turn stands, where it differs', () => {
  const view = createView()
  view.live({ type: 'text-delta', turnId: 't', part: 0, offset: 0, text: 'what was taken back' })
  view.open({ turnId: 't', parts: ['what it is now'], progress: {} })
  expect(view.read().turns).toEqual([{ turnId: 't', parts: ['what it is now'] }])
  view.open({ parts: [], progress: {} })
  expect(view.read().turns).toEqual([])
})

test('a turn is shown once: as it is said, then as what was recorded', () => {
  const view = createView()
  view.facts([record(1, { type: 'turn-start', turnId: 't', runId: 'r' })])
  for (const piece of deltas([7])) view.live(piece)
  // The next one may be heard of before the first is recorded.
  view.live({ type: 'text-delta', turnId: 'u', part: 0, offset: 0, text: 'next' })
  expect(view.read().turns).toEqual([
    { turnId: 't', parts: [TEXT] },
    { turnId: 'u', parts: ['next'] },
  ])
  view.facts([record(2, turnEnd('t', TEXT))])
  view.live({ type: 'text-delta', turnId: 't', part: 0, offset: 3, text: 'too late' })
  const { turns, finished } = view.read()
  expect(turns).toEqual([{ turnId: 'u', parts: ['next'] }])
  expect(finished).toMatchObject([{ seq: 2, parts: [{ type: 'text', text: TEXT }] }])
})

test('of a running call the end of its output is shown, joined with what the server kept', () => {
  const view = createView()
  const call = { type: 'call' as const, callId: 'c', tool: 'RunCommand', args: {} }
  view.facts([
    record(1, { type: 'turn-end', turnId: 't', parts: [call], stop: 'tools' } as never),
    record(2, toolStart('c')),
  ])
  view.live({ type: 'tool-progress', callId: 'c', offset: 5, text: 'fghij' })
  view.open({ parts: [], progress: { c: { offset: 0, text: 'abcdefg' } } })
  view.live({ type: 'tool-progress', callId: 'c', offset: 10, text: 'k' })
  expect(view.read().outputs).toEqual([{ callId: 'c', offset: 0, text: 'abcdefghijk' }])
  view.live({ type: 'tool-progress', callId: 'c', offset: 11, text: 'x'.repeat(200_000) })
  const [output] = view.read().outputs
  expect((output?.offset ?? 0) + (output?.text.length ?? 0)).toBe(200_011)
  expect(output?.text.length).toBeLessThanOrEqual(64 * 1024)
  view.facts([record(3, toolEnd('c', 'all of it'))])
  expect(view.read()).toMatchObject({ outputs: [], waiting: [], finished: [{ seq: 1, steps: [{ state: 'ok' }] }] })
})

test('an approval waits until somebody answers, and then says who', () => {
  const view = createView()
  const ask: RunnerFact = {
    type: 'approval-ask',
    callId: 'call',
    source: 'ours',
    actionHash: 'hash of call',
    reason: 'it writes',
    options: ['allow', 'deny'],
  }
  view.facts([record(1, { type: 'run-start', runId: 'r', inputs: [] }), record(2, ask)])
  expect(view.read()).toMatchObject({ runId: 'r', approvals: [{ ask: { seq: 2 } }] })
  expect(view.read().approvals[0]).not.toHaveProperty('answer')
  view.facts([record(3, approve('k', 'call') as never)])
  expect(view.read().approvals).toMatchObject([{ answer: { option: 'allow', by: person } }])
  view.facts([
    record(4, { type: 'question-ask', questionId: 'q', question: 'Which?' }),
    record(5, { type: 'question-answer', key: 'a', by: person, questionId: 'q', answer: { kind: 'cancel' } } as never),
  ])
  expect(view.read().questions).toMatchObject([{ ask: { question: 'Which?' }, answer: { by: person } }])
  view.facts([record(6, { type: 'run-end', runId: 'r', reason: 'done' })])
  const { approvals, questions, runId } = view.read()
  expect({ approvals, questions, runId }).toEqual({ approvals: [], questions: [], runId: undefined })
})

test('it starts from a page of rows, takes older ones, and passes over what it has', () => {
  const row = (seq: number): api.Message => ({ seq, role: 'user', content: `row ${seq}`, at: seq })
  const view = createView({ rows: [row(8), row(9)] })
  expect(view.last).toBe(9)
  view.facts([record(9, input('again')), record(10, input('new'))])
  view.prepend([row(6), row(7), row(8)])
  expect(view.read().finished.map(({ seq }) => seq)).toEqual([6, 7, 8, 9, 10])
})

test('who is there is shown until they go', () => {
  const view = createView()
  view.live({ type: 'presence', by: person, state: 'typing' })
  view.live({ type: 'session-state', state: 'busy' })
  expect(view.read()).toMatchObject({ present: [{ state: 'typing' }], state: { state: 'busy' } })
  view.live({ type: 'presence', by: person, state: 'gone' })
  expect(view.read().present).toEqual([])
})
