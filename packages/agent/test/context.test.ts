import type { Fact, Recorded } from '@maru/protocol'
import { input } from '@maru/testkit'
import { expect, test } from 'vitest'
import { context } from '../src/index.ts'

function fold(...facts: Fact[]) {
  const state = context.create()
  for (const [at, fact] of facts.entries()) context.apply(state, { ...fact, seq: at + 1, at: 0, v: 1 } as Recorded)
  return state
}

const text = (words: string) => ({ type: 'text' as const, text: words })
const runStart: Fact = { type: 'run-start', runId: 'r', inputs: [1] }
const turnStart = (inputs?: number[]): Fact => ({
  type: 'turn-start',
  turnId: 't',
  runId: 'r',
  ...(inputs && { inputs }),
})
const calls: Fact = {
  type: 'turn-end',
  turnId: 't',
  stop: 'calls',
  parts: ['a', 'b'].map((callId) => ({ type: 'call' as const, callId, tool: 'T', args: {} })),
}
const end = (callId: string, ...parts: Extract<Fact, { type: 'tool-end' }>['parts']): Fact => ({
  type: 'tool-end',
  callId,
  outcome: 'ok',
  result: {},
  parts,
})

test('an input is seen only from the run or turn on that took it', () => {
  const admitted = { ...input('k', 'hello') } as Fact
  expect(fold(admitted).messages).toEqual([])
  expect(fold(admitted, runStart).messages).toEqual([{ seq: 1, role: 'user', parts: [text('hello')] }])
  const later = fold(admitted, runStart, input('k2', 'and this') as Fact, turnStart([3]))
  expect(later.messages[0]?.parts).toEqual([text('hello'), text('and this')])
  expect(later.waiting).toEqual({})
})

test('results stand in the order of the calls, whichever came first, with their images', () => {
  const blob = { hash: 'a'.repeat(64), bytes: 3 }
  const image = { type: 'image' as const, mediaType: 'image/png', blob }
  const state = fold(
    input('k') as Fact,
    runStart,
    turnStart(),
    calls,
    end('b', text('second'), image),
    end('a', text('first')),
  )
  expect(state.messages.at(-1)).toMatchObject({
    role: 'user',
    parts: [{ type: 'result', callId: 'a', text: 'first' }, { type: 'result', callId: 'b', text: 'second' }, image],
  })
})

test('a call that never reported says so to the model', () => {
  const state = fold(input('k') as Fact, runStart, turnStart(), calls, end('a', text('first')))
  expect(state.messages.at(-1)?.parts[1]).toMatchObject({
    callId: 'b',
    ok: false,
    text: expect.stringContaining('did not report'),
  })
})

test('pruning, compaction and reset change what the model sees from then on', () => {
  const before = [input('k') as Fact, runStart, turnStart(), calls, end('a', text('long')), end('b', text('longer'))]
  const pruned = fold(...before, { type: 'context-prune', callIds: ['a'] })
  expect(pruned.messages.at(-1)?.parts).toMatchObject([
    { text: expect.stringContaining('removed') },
    { text: 'longer' },
  ])
  const compacted = fold(...before, { type: 'context-compact', keepFromSeq: 4, summary: [text('so far')] })
  expect(compacted.messages.map(({ seq, role }) => [seq, role])).toEqual([
    [7, 'user'],
    [4, 'assistant'],
    [4, 'user'],
  ])
  expect(fold(...before, { type: 'context-reset' }).messages).toEqual([])
})

test('what was added without a run is part of the conversation from the next turn on that knew of it', () => {
  const by = { kind: 'program', id: 'importer' } as const
  const state = fold(
    { type: 'message-add', key: '1', by, role: 'user', parts: [text('q')] },
    { type: 'message-add', key: '2', by, role: 'assistant', parts: [text('a')] },
    { type: 'message-add', key: '3', by, role: 'system', parts: [text('note')] },
    turnStart(),
  )
  expect(state.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  const late = fold({ type: 'message-add', key: '1', by, role: 'user', parts: [text('late')] }, {
    ...turnStart(),
    seen: 0,
  } as Fact)
  expect(late.messages).toEqual([])
})
