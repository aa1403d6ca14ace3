import { describe, expect, test } from 'vitest'
import { createTextStyle } from '../../src/text-style.ts'
import { editorWith, keyOf, marked, openEditor, pasted, press, seen, typed } from './support.ts'

describe('going through the history', () => {
  const history = ['first', 'second\nwith two lines', 'third']

  test('the draft is kept and comes back', () => {
    const editor = editorWith('dra|ft', { history })
    editor.render(40, 5)
    press(editor, 'up')
    expect(marked(editor)).toBe('third|')
    press(editor, 'down')
    expect(editor.text).toBe('draft')
    expect(editor.handle(keyOf('down'))).toEqual({ kind: 'none' })
  })

  test('a text of several lines does not have to be walked through', () => {
    const editor = openEditor({ history })
    const texts: string[] = []
    for (const key of ['up', 'up', 'up', 'up', 'down', 'down', 'down']) {
      editor.handle(keyOf(key))
      texts.push(editor.text)
    }
    const [first, second, third] = history
    expect(texts).toEqual([third, second, first, first, second, third, ''])
  })

  test('once the cursor was moved in it, the arrows move in it', () => {
    const editor = openEditor({ history })
    press(editor, 'up', 'up', 'left')
    press(editor, 'up')
    expect(marked(editor)).toBe('second|\nwith two lines')
    press(editor, 'left', 'up')
    expect(editor.text).toBe('first')
  })

  test('a changed entry is found again as it was left, until something is submitted', () => {
    const editor = openEditor({ history })
    press(editor, 'up')
    editor.handle(typed('!'))
    press(editor, 'up', 'down')
    expect(editor.text).toBe('third!')
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'submit', text: 'third!', how: 'enter' })
    press(editor, 'up')
    expect(editor.text).toBe('third')
  })

  test('what is remembered comes first, and the same is not remembered twice in a row', () => {
    const editor = openEditor({ history })
    for (const text of ['new', 'new', '  ']) editor.remember(text)
    press(editor, 'up')
    expect(editor.text).toBe('new')
    press(editor, 'up')
    expect(editor.text).toBe('third')
  })

  test('a long paste comes back as it looked', () => {
    const editor = openEditor()
    const text = 'line\n'.repeat(500)
    editor.handle(typed('look: '))
    editor.handle(pasted(text))
    press(editor, 'enter')
    editor.remember(`look: ${text}`)
    editor.handle(typed('something else'))
    press(editor, 'enter', 'up')
    expect(seen(editor.render(60, 5))).toEqual(['› look: [pasted 500 lines #1]▏'])
    expect(editor.text).toBe(`look: ${text}`)
  })

  test('a recalled command does not open the list, so that the next arrow goes on', () => {
    let asked = 0
    const complete = async () => {
      asked += 1
      return []
    }
    const editor = openEditor({ history: ['older', '/help'], complete })
    press(editor, 'up', 'up')
    expect(editor.text).toBe('older')
    expect(asked).toBe(0)
  })
})

describe('searching the history', () => {
  const history = ['fix the parser', 'write tests\nfor the Parser', '한글 입력기를 고쳐 줘', 'unrelated']

  test('finds the newest by a part of it, older ones with Ctrl-R, and shows where', () => {
    const editor = editorWith('draft|', { history })
    press(editor, 'ctrl+r')
    expect(seen(editor.render(40, 5))).toEqual(['› draft', '^R ▏'])
    for (const sign of 'parser') editor.handle(typed(sign))
    expect(seen(editor.render(40, 5))).toEqual(['› write tests', '  for the Parser', '^R parser▏'])
    press(editor, 'ctrl+r')
    expect(seen(editor.render(40, 5))).toEqual(['› fix the parser', '^R parser▏'])
    press(editor, 'ctrl+s')
    expect(seen(editor.render(40, 5))).toEqual(['› write tests', '  for the Parser', '^R parser▏'])
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'changed' })
    expect(marked(editor)).toBe('write tests\nfor the |Parser')
  })

  test('Escape leaves everything as it was', () => {
    const editor = editorWith('dr|aft', { history })
    press(editor, 'ctrl+r')
    editor.handle(typed('fix'))
    expect(editor.handle(keyOf('escape'))).toEqual({ kind: 'changed' })
    expect(marked(editor)).toBe('dr|aft')
    expect(editor.handle(keyOf('escape'))).toEqual({ kind: 'cancel' })
  })

  test('Hangul is found by its syllables, and erased by them', () => {
    const editor = openEditor({ history })
    press(editor, 'ctrl+r')
    editor.handle(typed('입력기'))
    expect(seen(editor.render(40, 5))).toEqual(['› 한글 입력기를 고쳐 줘', '^R 입력기▏'])
    press(editor, 'backspace')
    expect(seen(editor.render(40, 5)).at(-1)).toBe('^R 입력▏')
  })

  test('what is not found is red, and the last find stays', () => {
    const editor = openEditor({ history, style: createTextStyle(true) })
    press(editor, 'ctrl+r')
    editor.handle(typed('fixx'))
    expect(editor.render(40, 5).lines.at(-1)).toBe('\x1b[2m^R \x1b[22m\x1b[31mfixx\x1b[39m')
    press(editor, 'backspace')
    expect(editor.render(40, 5).lines).toEqual([
      '\x1b[36m›\x1b[39m \x1b[4mf\x1b[24m\x1b[4mi\x1b[24m\x1b[4mx\x1b[24m the parser',
      '\x1b[2m^R \x1b[22mfix',
    ])
  })

  test('any other key takes what was found and does its work in it', () => {
    const editor = openEditor({ history })
    press(editor, 'ctrl+r')
    editor.handle(typed('unrel'))
    press(editor, 'ctrl+e')
    expect(marked(editor)).toBe('unrelated|')
    press(editor, 'left', 'ctrl+a')
    expect(marked(editor)).toBe('|unrelated')
  })

  test('a query longer than the row shows its end', () => {
    const editor = openEditor({ history })
    press(editor, 'ctrl+r')
    editor.handle(typed('abcdefghijklmnop'))
    expect(seen(editor.render(12, 5)).at(-1)).toBe('^R …jklmnop▏')
  })
})
