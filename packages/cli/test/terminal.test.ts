import { expect, test } from 'vitest'
import { createOutput } from '../src/terminal/output.ts'
import { printable } from '../src/terminal/printable.ts'
import { createStyle, wantsColour } from '../src/terminal/style.ts'
import { displayWidth, padTo, wrap } from '../src/terminal/width.ts'

test.each([
  ['plain 한글 é 👨‍👩‍👧', 'plain 한글 é 👨‍👩‍👧'],
  ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
  ['\x1b]52;c;aGk=\x07', '\\x1b]52;c;aGk=\\x07'],
  ['\u009b31m\u007f', '\\x9b31m\\x7f'],
  ['a\r\n\tb\0', 'a\\r\\n\\tb\\x00'],
  ['abc\u202etxt.exe', 'abc\\u202etxt.exe'],
  ['a\u200bb\ufeff\u2028', 'a\\u200bb\\ufeff\\u2028'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
  ['\ud800x', '\\ud800x'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown)
})

test('lines may be kept, but nothing else', () => {
  expect(printable('a\n\tb\r\x1b', { keepLines: true })).toBe('a\n\tb\\r\\x1b')
})

test.each([
  ['abc', 3],
  ['한글', 4],
  ['é', 1],
  ['（全）', 6],
  ['🚀', 2],
  ['', 0],
])('%j takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width)
  expect(displayWidth(padTo(text, 10))).toBe(10)
})

test('text is wrapped at blanks, by columns and not by characters', () => {
  expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
  expect(wrap('하나 둘 셋', 7)).toEqual(['하나 둘', '셋'])
  expect(wrap('unbreakable', 3)).toEqual(['unbreakable'])
})

const terminal = { isRefused: false, isTerminal: true }

test.each([
  [{}, terminal, true],
  [{}, { ...terminal, isTerminal: false }, false],
  [{}, { ...terminal, isRefused: true }, false],
  [{ NO_COLOR: '1' }, terminal, false],
  [{ NO_COLOR: '' }, terminal, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, terminal, false],
  [{ FORCE_COLOR: '1' }, { ...terminal, isTerminal: false }, true],
  [{ FORCE_COLOR: '0' }, terminal, false],
  [{ TERM: 'dumb' }, terminal, false],
  [{ TERM: 'dumb', FORCE_COLOR: '1' }, terminal, true],
])('with %j and %j colours are %s', (env, stream, expected) => {
  expect(wantsColour(env, stream)).toBe(expected)
})

test('without colours text stays as it is', () => {
  expect(createStyle(false).red('x')).toBe('x')
  expect(createStyle(true).red('x')).toBe('\x1b[31mx\x1b[39m')
})

test('a write waits for a reader that is behind, and only then', async () => {
  const waiting: (() => void)[] = []
  let hasRoom = true
  const output = createOutput({ write: (_, done) => waiting.push(done) > 0 && hasRoom })
  await output.line('there is room')
  hasRoom = false
  let isDone = false
  const behind = output.line('there is none').then(() => {
    isDone = true
  })
  await Promise.resolve()
  expect(isDone).toBe(false)
  waiting.at(-1)?.()
  await behind
  expect(isDone).toBe(true)
})
