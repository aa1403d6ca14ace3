import type { Recorded } from '@maru/protocol'
import { input, upTo } from '@maru/testkit'
import { expect, test } from 'vitest'
import { condense } from '../src/context/condense.ts'
import { createNoteTaker } from '../src/context/work-notes.ts'

/** What is left of these words of a person in so many tokens. */
function condensed(room: number, words: string[]): string {
  const taker = createNoteTaker((text) => text, { callIds: [], seqs: [] })
  for (const [at, text] of words.entries()) {
    taker.take({ ...input(`${at}`, text), seq: at + 1, at: 0, v: 1 } as Recorded)
  }
  return condense({
    notes: taker.notes,
    isDropped: () => true,
    room,
    count: (text) => Math.ceil(text.length / 4),
    summary: '',
    summaryRoom: 0,
    findMissing: () => [],
  })
}

test('what was decided or is to hold outlives hundreds of other words', () => {
  const text = condensed(2_000, [
    'For the record: we decided to store money as integer cents.',
    '금액은 센트 단위 정수로 저장하기로 했습니다.',
    'Always write tests first.',
    ...upTo(500).map((n) => `Something else about the ${'abcdefgh'[n % 8]}-module number ${n}, at length.`),
  ])
  expect(text).toContain('integer cents')
  expect(text).toContain('센트 단위 정수')
  expect(text).toContain('tests first')
})

test('what is said again and again leaves room for what was said once', () => {
  const text = condensed(2_000, [
    'The port is in settings.toml.',
    ...upTo(500).map((n) => `Step ${n}: the next module, please.`),
    'Go on.',
  ])
  expect(text).toContain('settings.toml')
  expect(text).toContain('Step 500:')
  expect(text).toContain('Go on.')
  expect(text).toMatch(/\(\d+ older ones are in the log alone\)/)
})
