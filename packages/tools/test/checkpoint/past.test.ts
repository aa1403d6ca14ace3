import type { Fact, FileChange, Recorded } from '@maru/protocol'
import { expect, test } from 'vitest'
import { findPastWays } from '../../src/undo/past-ways.ts'

const hash = (letter: string) => letter.repeat(64)

type Timed = Fact & { at?: number }

async function waysOf(facts: Timed[], cut: number) {
  async function* records(): AsyncGenerator<Recorded> {
    for (const [n, fact] of facts.entries()) yield { at: n + 1, ...fact, seq: n + 1, v: 1 }
  }
  const ways = await findPastWays(records(), cut)
  return ways.map(({ base, files }) => [base?.[0] ?? 'now', Object.fromEntries(files)] as const)
}

const checkpoint = (letter: string, callId?: string): Fact => {
  return { type: 'checkpoint', id: hash(letter), ...(callId !== undefined && { callId }) }
}
const start = (callId: string): Fact => ({ type: 'tool-start', callId, tool: 'RunCommand', args: {} })
const wrote = (...files: FileChange[]): Fact => {
  return { type: 'tool-end', callId: 'w', outcome: 'ok', result: { files }, parts: [] }
}

test('where no command ran, the files are told from what is there now and what each change found', async () => {
  const facts = [
    wrote({ path: 'a', before: hash('1'), after: hash('2') }),
    wrote({ path: 'a', before: hash('2'), after: hash('3'), mode: 0o755 }, { path: 'new', after: hash('4') }),
    wrote({ path: 'a', before: hash('3'), after: hash('5') }),
  ]
  expect(await waysOf(facts, 1)).toEqual([['now', { a: { hash: hash('2'), mode: 0o755 }, new: {} }]])
  expect(await waysOf(facts, 3)).toEqual([['now', {}]])
})

test('behind a command the files are as it left them, with what was written since', async () => {
  const facts = [
    checkpoint('b'),
    start('c'),
    wrote(),
    checkpoint('d', 'c'),
    wrote({ path: 'a', before: hash('1'), after: hash('2') }),
    checkpoint('e'),
    start('f'),
  ]
  // The nearest snapshot in time comes first.
  expect(await waysOf(facts, 5)).toEqual([
    ['d', { a: { hash: hash('2') } }],
    ['e', {}],
  ])
  expect(await waysOf(facts, 4)).toEqual([
    ['d', {}],
    ['e', { a: { hash: hash('1') } }],
  ])
})

test('the snapshot from before a command says nothing about what came of it', async () => {
  const facts = [checkpoint('b'), start('c'), wrote(), wrote({ path: 'a', after: hash('2') }), checkpoint('d', 'c')]
  expect(await waysOf(facts, 1)).toEqual([
    ['b', {}],
    ['d', { a: {} }],
  ])
  expect(await waysOf(facts, 2)).toEqual([['d', { a: {} }]])
  // A command that never ended: only what is there now is known.
  expect(await waysOf([checkpoint('b'), start('c')], 2)).toEqual([['now', {}]])
})

test('what a person took back counts like any other change', async () => {
  const restored: Fact = {
    type: 'files-restore',
    key: 'k',
    by: { kind: 'person', id: 'owner' },
    files: [{ path: 'a', before: hash('2'), after: hash('1') }],
  }
  expect(await waysOf([wrote({ path: 'a', before: hash('1'), after: hash('2') }), restored], 1)).toEqual([
    ['now', { a: { hash: hash('2') } }],
  ])
})
