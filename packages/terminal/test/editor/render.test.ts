import { describe, expect, test } from 'vitest'
import { createTextStyle } from '../../src/text-style.ts'
import { editorWith, openEditor, press, seen, typed } from './support.ts'

describe('the cursor is where text goes', () => {
  test.each([
    ['|', ['› ▏']],
    ['abc|', ['› abc▏']],
    ['a|bc', ['› a▏bc']],
    ['한글|', ['› 한글▏']],
    ['한|글', ['› 한▏글']],
    ['漢字 e\u0301 👨‍👩‍👧‍👦 🇰🇷|', ['› 漢字 e\u0301 👨‍👩‍👧‍👦 🇰🇷', '  ▏']],
    ['漢字 e\u0301 👨‍👩‍👧‍👦 |🇰🇷', ['› 漢字 e\u0301 👨‍👩‍👧‍👦 ▏🇰🇷', '  ']],
    ['a\n|\nb', ['› a', '  ▏', '  b']],
    ['a\n|', ['› a', '  ▏']],
    // A row has 12 cells here; one more is kept for the cursor.
    ['abc defghijk|', ['› abc defghijk▏']],
    ['abc defghijkl|', ['› abc ', '  defghijkl▏']],
    ['abcdefghijkl|', ['› abcdefghijkl', '  ▏']],
    ['abcdefghijkl|m', ['› abcdefghijkl', '  ▏m']],
    ['가나다라마바|', ['› 가나다라마바', '  ▏']],
    ['가나다라마바|사', ['› 가나다라마바', '  ▏사']],
    ['a가나다라마|', ['› a가나다라마▏']],
    ['a가나다라마바|', ['› a가나다라마', '  바▏']],
    ['hello wonder |', ['› hello wonder', '  ▏']],
    ['hello wonder   |x', ['› hello wonder', '  ▏x']],
    ['hello wonder|   x', ['› hello wonder▏', '  x']],
    ['a\t|b', ['› a   ▏b']],
    ['한\tb|', ['› 한  b▏']],
  ])('%j', (text, rows) => {
    expect(seen(editorWith(text).render(15, 10))).toEqual(rows)
  })

  test('in a terminal that is hardly there', () => {
    for (const width of [1, 2, 3, 4, 5, 6]) {
      const { lines, cursor } = editorWith('한글 abc|').render(width, 3)
      expect(lines.length).toBeLessThanOrEqual(3)
      expect(cursor?.column).toBeLessThan(width)
    }
  })
})

describe('a text higher than its room', () => {
  const text = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join('\n')

  test('scrolls with the cursor, no farther than it has to', () => {
    const editor = editorWith(`${text}|`)
    expect(seen(editor.render(20, 3))).toEqual(['⋮ line 7', '  line 8', '  line 9▏'])
    press(editor, 'up', 'up')
    expect(seen(editor.render(20, 3))).toEqual(['⋮ line 7▏', '  line 8', '  line 9'])
    press(editor, 'up')
    expect(seen(editor.render(20, 3))).toEqual(['⋮ line 6▏', '  line 7', '⋮ line 8'])
    press(editor, 'down')
    expect(seen(editor.render(20, 3))).toEqual(['⋮ line 6', '  line 7▏', '⋮ line 8'])
    press(editor, 'ctrl+home')
    expect(seen(editor.render(20, 3))).toEqual(['› ▏line 1', '  line 2', '⋮ line 3'])
    press(editor, 'page-down')
    expect(seen(editor.render(20, 3))).toEqual(['› line 1', '  line 2', '⋮ ▏line 3'])
  })

  test('fills its room again when there is more of it or less text', () => {
    const editor = editorWith(`${text}|`)
    editor.render(20, 3)
    expect(editor.render(20, 5).lines).toHaveLength(5)
    expect(editor.render(20, 20).lines).toHaveLength(9)
    editor.render(20, 3)
    press(editor, 'ctrl+u', 'backspace', 'ctrl+u', 'backspace')
    expect(seen(editor.render(20, 3))).toEqual(['⋮ line 5', '  line 6', '  line 7▏'])
  })

  test('a terminal made narrower keeps the cursor in sight', () => {
    const editor = editorWith('some words that will need several rows|\nlast')
    editor.render(60, 3)
    expect(seen(editor.render(16, 3))).toEqual(['⋮ that will ', '  need several ', '⋮ rows▏'])
  })
})

describe('what is in the text but nothing to see', () => {
  test('is spelt out, never sent to the terminal', () => {
    const editor = openEditor()
    editor.handle({ kind: 'paste', text: 'a\x1b[31mb\u202ec\u0007\u200b' })
    expect(editor.text).toBe('a\x1b[31mb\u202ec\u0007\u200b')
    expect(seen(editor.render(60, 5))).toEqual(['› a\\x1b[31mb\\u202ec\\x07\\u200b▏'])
    press(editor, 'ctrl+a', 'right', 'right')
    expect(seen(editor.render(60, 5))).toEqual(['› a\\x1b▏[31mb\\u202ec\\x07\\u200b'])
    press(editor, 'backspace')
    expect(editor.text).toBe('a[31mb\u202ec\u0007\u200b')
  })

  test('an accent without a letter can be seen and deleted', () => {
    const editor = openEditor()
    editor.handle(typed('\u0301'))
    expect(seen(editor.render(40, 5))).toEqual(['› \\u0301▏'])
    press(editor, 'backspace')
    expect(editor.text).toBe('')
  })

  test('a flag that is spelt with hidden tags stays a flag', () => {
    const scotland = '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'
    expect(openEditor().render(40, 5).lines).toEqual(['› '])
    const editor = editorWith(`a${scotland}b|`)
    expect(editor.render(40, 5).lines).toEqual([`› a${scotland}b`])
    press(editor, 'left', 'backspace')
    expect(editor.text).toBe('ab')
  })
})

describe('a placeholder', () => {
  test('is there until something is typed, and is cut to the width', () => {
    const editor = openEditor({ placeholder: 'what shall we do today?' })
    expect(seen(editor.render(40, 5))).toEqual(['› ▏what shall we do today?'])
    expect(seen(editor.render(12, 5))).toEqual(['› ▏what shal…'])
    editor.handle(typed('x'))
    expect(seen(editor.render(40, 5))).toEqual(['› x▏'])
  })

  test('is dim where there are colours', () => {
    const editor = openEditor({ style: createTextStyle(true), placeholder: 'hi' })
    expect(editor.render(40, 5).lines).toEqual(['\x1b[36m›\x1b[39m \x1b[2mhi\x1b[22m'])
  })
})
