import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  admissionKeys,
  FACTS,
  type Fact,
  factProblem,
  factSchemas,
  LIVE,
  printRecord,
  type Recorded,
  readCommand,
  readRecord,
} from '../src/index.ts'

const by = { kind: 'person', id: 'me', door: 'web' } as const
const envelope = { v: 1, seq: 7, at: 1_700_000_000_000 } as const

test('every kind of fact has a schema and a rule, and no kind is both stored and live', () => {
  expect(Object.keys(FACTS).toSorted()).toEqual(Object.keys(factSchemas).toSorted())
  const live = new Set(Object.keys(LIVE))
  expect(Object.keys(FACTS).filter((type) => live.has(type))).toEqual([])
})

describe('reading a line of a log', () => {
  test('fields that this version does not know are kept', () => {
    const line = { ...envelope, type: 'interrupt', key: 'k', by, mood: 'calm' }
    expect(readRecord(line)).toEqual({ record: line })
    expect(printRecord(line as unknown as Recorded)).toBe(JSON.stringify(line))
  })

  test('a kind, or a version of a kind, from the future is shown and not understood', () => {
    const line = { ...envelope, type: 'dream-add', dream: ['sheep'] }
    expect(readRecord(line)).toEqual({ record: { ...envelope, type: 'unknown', kind: 'dream-add', body: line } })
    const newer = { ...envelope, v: 2, type: 'interrupt', who: 'me' }
    expect(readRecord(newer)).toEqual({ record: { ...envelope, type: 'unknown', kind: 'interrupt', body: newer } })
  })

  test('an old version is lifted step by step before it is read', () => {
    const upcasters = {
      [-1]: (raw: object) => ({ ...raw, v: 0, key: 'from -1' }),
      0: (raw: object) => ({ ...raw, v: 1, by }),
    }
    const read = readRecord({ ...envelope, v: -1, type: 'interrupt' }, upcasters)
    expect(read).toEqual({ record: { ...envelope, type: 'interrupt', key: 'from -1', by } })
    expect(readRecord({ ...envelope, v: -1, type: 'interrupt' }, {})).toHaveProperty('problem')
  })

  test.each([
    [{ ...envelope, type: 'interrupt', key: 'k' }, 'by'],
    [{ ...envelope, type: 'tool-start', callId: 'c', tool: 'T' }, 'args'],
    [{ ...envelope, seq: 0, type: 'interrupt', key: 'k', by }, 'seq'],
    [{ seq: 1, v: 1, type: 'interrupt', key: 'k', by }, 'at'],
  ])('a known kind that does not fit says where: %j', (line, where) => {
    expect(readRecord(line)).toEqual({ problem: expect.stringContaining(where) })
  })

  test('nothing that JSON can say makes reading throw, and what is read prints as it was', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(...Object.keys(FACTS), 'other'),
        fc.boolean(),
        (body, type, isFact) => {
          const line = isFact && typeof body === 'object' ? { ...body, ...envelope, type } : body
          const read = readRecord(line)
          if ('record' in read) expect(JSON.parse(printRecord(read.record))).toEqual(JSON.parse(JSON.stringify(line)))
          else expect(read.problem).not.toBe('')
        },
      ),
      { numRuns: 1000 },
    )
  })
})

test('a fact that cannot be stored says why', () => {
  expect(factProblem({ type: 'interrupt', key: 'k', by })).toBeUndefined()
  expect(factProblem({ type: 'interrupt', key: '', by })).toContain('key')
  expect(factProblem({ type: 'nonsense' } as unknown as Fact)).toContain('nonsense')
})

test('an answer takes its question as well as its key', () => {
  const answer = { type: 'approval-answer', by, callId: 'c', actionHash: 'h', option: 'allow' } as const
  const [, first] = admissionKeys({ ...answer, key: 'a' })
  const [, second] = admissionKeys({ ...answer, key: 'b', option: 'deny' })
  expect(first).toBe(second)
  // Two pairs that would look the same if they were only put side by side.
  const [, one] = admissionKeys({ ...answer, key: 'a', callId: 'c:', actionHash: 'h' })
  const [, other] = admissionKeys({ ...answer, key: 'a', callId: 'c', actionHash: ':h' })
  expect(one).not.toBe(other)
})

describe('a command from a door', () => {
  const fact = { type: 'interrupt', key: 'k' }

  test('is signed by the server, whoever it claims to be from', () => {
    const claimed = { ...fact, by: { kind: 'person', id: 'somebody else' } }
    expect(readCommand({ type: 'admit', session: 's', fact: claimed }, by)).toEqual({
      session: 's',
      fact: { ...fact, by },
    })
  })

  test.each([
    [{ type: 'admit', session: 's', fact: { type: 'tool-start', callId: 'c', tool: 'T', args: {} } }, 'may not admit'],
    [{ type: 'admit', session: 's', fact: { type: 'toString' } }, 'may not admit'],
    [{ type: 'admit', session: '', fact }, 'not a command'],
    [{ type: 'admit', session: 's', fact: { type: 'title-set', key: 'k' } }, 'title'],
    ['admit', 'not a command'],
    [null, 'not a command'],
  ])('that is wrong is refused with a reason: %j', (command, reason) => {
    expect(readCommand(command, by)).toEqual({ problem: expect.stringContaining(reason) })
  })
})
