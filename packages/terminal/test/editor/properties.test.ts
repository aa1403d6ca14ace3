import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Editor } from '../../src/editor.ts'
import type { Frame } from '../../src/frame.ts'
import type { Key } from '../../src/key.ts'
import { widthOf } from '../../src/width.ts'
import { keyOf, openEditor, pasted, seen, typed } from './support.ts'

// Signs that join their neighbours, take two cells, or have nothing to show.
const signs = [
  'a',
  'b',
  ' ',
  '.',
  '/',
  '@',
  '\\',
  '한',
  '글',
  'ᄒ',
  'ᅡ',
  'ᆫ',
  '漢',
  'e',
  '\u0301',
  '👨',
  '\u200d',
  '👩',
  '🏽',
  '🇰',
  '🇷',
]
const hidden = ['\t', '\x1b', '\u202e', '\ud800', '\u00ad', '\u2028']
const text = fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))

const named = [
  ...[
    'left',
    'right',
    'up',
    'down',
    'home',
    'end',
    'page-up',
    'page-down',
    'enter',
    'escape',
    'tab',
    'backspace',
    'delete',
  ],
  ...[
    'alt+b',
    'alt+f',
    'alt+d',
    'alt+backspace',
    'alt+enter',
    'shift+enter',
    'ctrl+left',
    'ctrl+home',
    'ctrl+end',
    'f5',
  ],
  ...[...'abcdefghjklnoprstuwxyz_'].map((letter) => `ctrl+${letter}`),
]
const anyKey: fc.Arbitrary<Key> = fc.oneof(
  { weight: 3, arbitrary: text.map(typed) },
  { weight: 4, arbitrary: fc.constantFrom(...named).map(keyOf) },
  fc.constantFrom(...hidden).map(pasted),
  fc.constantFrom('x\ny', 'long\n'.repeat(9), '한'.repeat(301)).map(pasted),
)

const anyRoom = fc.record({ width: fc.integer({ min: 1, max: 40 }), maxRows: fc.integer({ min: 1, max: 12 }) })

const completions = ['/help', '/한글 명령', '@src/a/very/long/path/to/something.ts'].map((label) => ({
  label,
  insert: `${label} `,
}))

function expectInside({ lines, cursor }: Frame, { width, maxRows }: { width: number; maxRows: number }): void {
  expect(lines.length).toBeLessThanOrEqual(maxRows)
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
  expect(cursor?.row).toBeLessThan(lines.length)
  expect(cursor?.row).toBeGreaterThanOrEqual(0)
  expect(cursor?.column).toBeLessThan(width)
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u202e\ufdd0\ufdd1]/u)
}

describe('whatever is pressed', () => {
  test('the frame fits, nothing hidden is in it, and the cursor is inside', async () => {
    const steps = fc.array(fc.tuple(anyKey, anyRoom), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(steps, async (keys) => {
        const editor = openEditor({ history: ['old', 'older\nof two lines'], complete: async () => completions })
        for (const [key, room] of keys) {
          const outcome = editor.handle(key)
          if (outcome.kind === 'submit') editor.remember(outcome.text)
          // Lets the completions arrive, as they do between keys.
          await Promise.resolve()
          expectInside(editor.render(room.width, room.maxRows), room)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a letter that is typed stands directly before the cursor', () => {
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 30 }), anyRoom, (keys, { width, maxRows }) => {
        const editor = openEditor()
        for (const key of keys) editor.handle(key)
        // Leaves a search, if one is open.
        editor.handle(keyOf('escape'))
        editor.handle(typed('X'))
        const frame = editor.render(width + 8, maxRows + 1)
        const row = frame.cursor?.row ?? 0
        const [before = ''] = seen(frame)[row]?.split('▏') ?? []
        // Behind a full row the cursor is at the beginning of the next one.
        const isNewRow = row > 0 && /^[ ⋮] $/.test(before)
        // What cannot stand alone joins it.
        expect(isNewRow ? frame.lines[row - 1] : before).toMatch(/X(?:\p{M}|\u200d|\u{1F3FD})*$/u)
      }),
      { numRuns: 500 },
    )
  })
})

describe('compared with a text and a number', () => {
  const keys = fc.oneof(
    { weight: 3, arbitrary: text.map((typedText): Step => ({ text: typedText })) },
    fc.constantFrom('left', 'right', 'home', 'end', 'backspace', 'delete', 'ctrl+j').map((key): Step => ({ key })),
  )

  test('the basic keys do the same', () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 80 }), (steps) => {
        const editor = openEditor()
        let model: Model = { text: '', at: 0 }
        for (const step of steps) {
          editor.handle('text' in step ? typed(step.text) : keyOf(step.key))
          model = stepModel(model, step)
          expect(editor.text).toBe(model.text)
        }
        // A sign that joins nothing shows where the cursor is.
        editor.handle(typed('#'))
        expect(editor.text).toBe(`${model.text.slice(0, model.at)}#${model.text.slice(model.at)}`)
      }),
      { numRuns: 500 },
    )
  })
})

describe('undo', () => {
  const edits = fc.oneof(
    { weight: 2, arbitrary: text.map(typed) },
    fc.constantFrom('x\ny', 'long\n'.repeat(9)).map(pasted),
    fc
      .constantFrom('left', 'right', 'up', 'home', 'backspace', 'delete', 'ctrl+j', 'ctrl+w', 'ctrl+u', 'ctrl+k')
      .map(keyOf),
    fc.constantFrom('alt+d', 'ctrl+y', 'ctrl+t', 'ctrl+c', 'alt+b', 'ctrl+_').map(keyOf),
  )

  test('goes back through texts that were there, to the first', () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: 60 }), (keys) => {
        const editor = openEditor()
        const texts = ['']
        for (const key of keys) {
          editor.handle(key)
          texts.push(editor.text)
        }
        let last = texts.length - 1
        for (const undone of undoAll(editor)) {
          last = texts.lastIndexOf(undone, last)
          expect(last).toBeGreaterThanOrEqual(0)
        }
        expect(editor.text).toBe('')
      }),
      { numRuns: 300 },
    )
  })
})

function* undoAll(editor: Editor): Generator<string> {
  while (editor.handle(keyOf('ctrl+_')).kind === 'changed') yield editor.text
}

type Step = { readonly text: string } | { readonly key: string }

interface Model {
  readonly text: string
  readonly at: number
}

const segmenter = new Intl.Segmenter()

function stepModel({ text: all, at }: Model, step: Step): Model {
  const places = [...Array.from(segmenter.segment(all), ({ index }) => index), all.length]
  const left = places.findLast((place) => place < at) ?? 0
  const right = places.find((place) => place > at) ?? all.length
  if ('text' in step) return settled(all.slice(0, at) + step.text + all.slice(at), at + step.text.length)
  switch (step.key) {
    case 'left':
      return { text: all, at: left }
    case 'right':
      return { text: all, at: right }
    case 'home':
      return { text: all, at: all.slice(0, at).lastIndexOf('\n') + 1 }
    case 'end':
      return { text: all, at: all.indexOf('\n', at) < 0 ? all.length : all.indexOf('\n', at) }
    case 'backspace':
      return settled(all.slice(0, left) + all.slice(at), left)
    case 'delete':
      return settled(all.slice(0, at) + all.slice(right), at)
    default:
      return settled(`${all.slice(0, at)}\n${all.slice(at)}`, at + 1)
  }
}

/** What is joined by a change cannot have the cursor in it. */
function settled(all: string, at: number): Model {
  const place = Array.from(segmenter.segment(all), ({ index }) => index).find((index) => index >= at)
  return { text: all, at: place ?? all.length }
}
