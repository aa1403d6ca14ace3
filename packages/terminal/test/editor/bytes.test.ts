import { expect, test } from 'vitest'
import { createKeyReader } from '../../src/key-reader.ts'
import { editorWith, marked } from './support.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

// What terminals send for the keys that they disagree about, through the reader into the editor.
test.each([
  ['word left', 'one two|', '\x1bb', 'one |two'],
  ['Ctrl-Left of xterm', 'one two|', '\x1b[1;5D', 'one |two'],
  ['Alt-Left of xterm', 'one two|', '\x1b[1;3D', 'one |two'],
  ['Backspace', '한글|', '\x7f', '한|'],
  ['Backspace of some', '한글|', '\b', '한|'],
  ['Alt-Backspace', 'one two|', '\x1b\x7f', 'one |'],
  ['Delete', '|한글', '\x1b[3~', '|글'],
  ['Home', 'ab|', '\x1b[H', '|ab'],
  ['End of the Linux console', '|ab', '\x1b[4~', 'ab|'],
  ['Ctrl-J', 'a|b', '\n', 'a\n|b'],
  ['Shift-Enter of kitty', 'a|b', '\x1b[13;2u', 'a\n|b'],
  ['undo', 'ab|', '\x15\x1f', 'ab|'],
  ['a syllable replaced by the input method', '하|', '\x7f한', '한|'],
  ['a paste', 'a|b', '\x1b[200~x\ry\x1b[201~', 'ax\ny|b'],
])('%s', (_, before, bytes, after) => {
  const reader = createKeyReader()
  const editor = editorWith(before)
  for (const key of [...reader.read(bytesOf(bytes)), ...reader.flush()]) editor.handle(key)
  expect(marked(editor)).toBe(after)
})

test.each([
  ['\r', { kind: 'submit', text: 'hi', how: 'enter' }],
  ['\x1b\r', { kind: 'submit', text: 'hi', how: 'alt-enter' }],
  ['\x1b', { kind: 'cancel' }],
  ['\x18\x05', { kind: 'editor' }],
  ['\x07', { kind: 'editor' }],
  ['\x1a', { kind: 'suspend' }],
  ['\x0f', { kind: 'expand' }],
  ['\x0c', { kind: 'redraw' }],
  ['\x03\x03', { kind: 'interrupt' }],
  ['\x03\x04', { kind: 'end' }],
])('%j comes to %j', (bytes, outcome) => {
  const reader = createKeyReader()
  const editor = editorWith('hi|')
  const outcomes = [...reader.read(bytesOf(bytes)), ...reader.flush()].map((key) => editor.handle(key))
  expect(outcomes.at(-1)).toEqual(outcome)
})
