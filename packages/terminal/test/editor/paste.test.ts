import { describe, expect, test } from 'vitest'
import type { Editor } from '../../src/editor.ts'
import { createTextStyle } from '../../src/text-style.ts'
import { editorWith, keyOf, marked, openEditor, pasted, press, seen, typed } from './support.ts'

const long = 'one\ntwo\nthree\nfour'

describe('a short paste', () => {
  test.each(['a', 'one\ntwo\nthree', 'one\ntwo\nthree\n', 'x'.repeat(300), '가'.repeat(300)])('is text: %j', (text) => {
    const editor = editorWith('<|>')
    editor.handle(pasted(text))
    expect(marked(editor)).toBe(`<${text}|>`)
    expect(editor.render(400, 10).lines.join('\n')).not.toContain('[pasted')
  })

  test('line ends of every kind are line feeds', () => {
    const editor = openEditor()
    editor.handle(pasted('a\r\nb\rc'))
    expect(editor.text).toBe('a\nb\nc')
  })
})

describe('a long paste', () => {
  test('is a chip: one step for the cursor, whole in the text', () => {
    const editor = editorWith('see |!')
    editor.handle(pasted(long))
    expect(seen(editor.render(60, 5))).toEqual(['› see [pasted 4 lines #1]▏!'])
    expect(editor.text).toBe(`see ${long}!`)
    press(editor, 'left')
    expect(seen(editor.render(60, 5))).toEqual(['› see ▏[pasted 4 lines #1]!'])
    press(editor, 'right', 'backspace')
    expect(editor.text).toBe('see !')
    press(editor, 'ctrl+_')
    expect(editor.text).toBe(`see ${long}!`)
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'submit', text: `see ${long}!`, how: 'enter' })
  })

  test('is a word of its own, can be killed and put back', () => {
    const editor = editorWith('a|')
    editor.handle(pasted(long))
    editor.handle(typed('b'))
    press(editor, 'alt+b', 'alt+b')
    expect(seen(editor.render(60, 5))).toEqual(['› a▏[pasted 4 lines #1]b'])
    press(editor, 'alt+d', 'ctrl+a', 'ctrl+y')
    expect(editor.text).toBe(`${long}ab`)
    press(editor, 'enter', 'ctrl+y')
    expect(editor.text).toBe(long)
  })

  test('chips are numbered, do not break over rows, and are cut where a row is too narrow', () => {
    const editor = openEditor()
    editor.handle(pasted(long))
    editor.handle(pasted('x'.repeat(301)))
    expect(editor.render(30, 5).lines).toEqual(['› [pasted 4 lines #1]', '  [pasted 1 lines #2]'])
    expect(editor.render(15, 5).lines).toEqual(['› [pasted 4 l…', '  [pasted 1 l…', '  '])
  })

  test('its label cannot carry anything to the terminal', () => {
    const editor = openEditor({ describePaste: () => '\x1b[2J\nx', style: createTextStyle(true) })
    editor.handle(pasted(long))
    expect(editor.render(40, 5).lines).toEqual(['\x1b[36m›\x1b[39m \x1b[36m\\x1b[2J\\nx\x1b[39m'])
  })

  test('text that imitates a chip is only text', () => {
    const editor = openEditor()
    editor.handle(pasted(long))
    editor.handle(typed('\uFDD01\uFDD1'))
    expect(editor.text).toBe(`${long}\uFFFD1\uFFFD`)
  })

  test('five megabytes are there at once, and the next keys are as quick as without them', () => {
    const text = '한글 and letters\n'.repeat(350_000)
    const typeWords = (into: Editor) =>
      timeOf(() => {
        for (const sign of 'then some words') {
          into.handle(typed(sign))
          into.render(80, 10)
        }
      })
    typeWords(openEditor())
    const splitting = timeOf(() => text.split('\n').map((line) => line.length))
    // The best of three: what else the machine does is not counted.
    const [pastings, typings] = [[] as number[], [] as number[]]
    for (let turn = 0; turn < 3; turn++) {
      const editor = openEditor()
      pastings.push(timeOf(() => editor.handle(pasted(text))))
      typings.push(typeWords(editor))
      expect(seen(editor.render(80, 10))).toEqual(['› [pasted 350000 lines #1]then some words▏'])
      expect(editor.text === `${text}then some words`).toBe(true)
    }
    expect(Math.min(...pastings)).toBeLessThan(10 * splitting + 100)
    expect(Math.min(...typings)).toBeLessThan(10 * typeWords(openEditor()) + 100)
  })
})

test('a line that is too long to be edited is a chip, whoever put it there', () => {
  const editor = openEditor()
  const line = 'y'.repeat(1_000_000)
  editor.setText(`a\n${line}\nb`)
  expect(seen(editor.render(60, 5))).toEqual(['› a', '  [pasted 1 lines #1]', '  b▏'])
  expect(editor.text).toBe(`a\n${line}\nb`)
})

test('typing into ten thousand lines costs no more than typing into few', () => {
  const line = 'a line with some 한글 in it that is long enough to be wrapped once or twice'
  const timeFor = (count: number) => {
    const editor = openEditor()
    editor.setText(Array.from({ length: count }, () => line).join('\n'))
    press(editor, 'ctrl+home')
    editor.render(40, 10)
    return timeOf(() => {
      for (let i = 0; i < 300; i += 1) {
        editor.handle(i % 30 === 29 ? keyOf('ctrl+j') : typed('x'))
        editor.render(40, 10)
      }
    })
  }
  timeFor(10)
  // Laying all of it out at each key would be a factor of hundreds. The best of three: what else the machine does is not
  // counted.
  const times = [1, 2, 3].map(() => timeFor(10_000))
  expect(Math.min(...times)).toBeLessThan(20 * timeFor(10) + 200)
})

function timeOf(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}
