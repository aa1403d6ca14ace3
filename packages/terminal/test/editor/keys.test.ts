import { describe, expect, test } from 'vitest'
import { editorWith, keyOf, marked, openEditor, press, typed } from './support.ts'

describe('moving and deleting', () => {
  test.each([
    ['ab|c', 'left', 'a|bc'],
    ['ab|c', 'ctrl+b', 'a|bc'],
    ['ab|c', 'right', 'abc|'],
    ['ab|c', 'ctrl+f', 'abc|'],
    ['a\n|b', 'left', 'a|\nb'],
    ['a|\nb', 'right', 'a\n|b'],
    ['한글|', 'left', '한|글'],
    ['가족 👨‍👩‍👧‍👦|', 'left', '가족 |👨‍👩‍👧‍👦'],
    ['🇰🇷🇯🇵|', 'left', '🇰🇷|🇯🇵'],
    ['e\u0301a|', 'left', 'e\u0301|a'],
    ['한글|', 'backspace', '한|'],
    ['👨‍👩‍👧‍👦|', 'backspace', '|'],
    ['e\u0301|', 'backspace', '|'],
    ['a|👍🏽b', 'delete', 'a|b'],
    ['a|bc', 'ctrl+d', 'a|c'],
    ['a\n|b', 'backspace', 'a|b'],
    ['a|\nb', 'delete', 'a|b'],
    ['ab|c', 'ctrl+h', 'a|c'],
    ['x\nab|c', 'home', 'x\n|abc'],
    ['x\nab|c', 'ctrl+a', 'x\n|abc'],
    ['a|bc\nx', 'end', 'abc|\nx'],
    ['a|bc\nx', 'ctrl+e', 'abc|\nx'],
    ['a\nb|\nc', 'ctrl+home', '|a\nb\nc'],
    ['a\nb|\nc', 'ctrl+end', 'a\nb\nc|'],
  ])('%j, %s: %j', (before, key, after) => {
    const editor = editorWith(before)
    press(editor, key)
    expect(marked(editor)).toBe(after)
  })
})

describe('words', () => {
  test.each([
    ['git commit --amend|', 'alt+b', 'git commit --|amend'],
    ['git commit --|amend', 'alt+b', 'git |commit --amend'],
    ['git| commit', 'alt+f', 'git commit|'],
    ['|git commit', 'ctrl+right', 'git| commit'],
    ['git commit|', 'ctrl+left', 'git |commit'],
    ['안녕하세요 여러분|', 'alt+b', '안녕하세요 |여러분'],
    ['|안녕하세요 여러분', 'alt+f', '안녕하세요| 여러분'],
    ['one\n|two', 'alt+b', '|one\ntwo'],
    ['one|\ntwo', 'alt+f', 'one\ntwo|'],
    ['rm -rf ./dist/js|', 'ctrl+w', 'rm -rf |'],
    ['rm -rf ./dist/js|', 'alt+backspace', 'rm -rf ./dist/|'],
    ['rm -rf  |', 'ctrl+w', 'rm |'],
    ['a b\n|c', 'ctrl+w', 'a b|c'],
    ['a |foo-bar', 'alt+d', 'a |-bar'],
    ['one two| three', 'ctrl+u', '| three'],
    ['x\n|three', 'ctrl+u', 'x|three'],
    ['one |two three\nx', 'ctrl+k', 'one |\nx'],
    ['one|\ntwo', 'ctrl+k', 'one|two'],
    ['ab|cd', 'ctrl+t', 'acb|d'],
    ['abcd|', 'ctrl+t', 'abdc|'],
    ['|ab', 'ctrl+t', '|ab'],
  ])('%j, %s: %j', (before, key, after) => {
    const editor = editorWith(before)
    press(editor, key)
    expect(marked(editor)).toBe(after)
  })

  test('what was killed comes back, and kills in a row come back as one', () => {
    const editor = editorWith('one two three|')
    press(editor, 'ctrl+w', 'ctrl+w', 'ctrl+a', 'ctrl+y')
    expect(marked(editor)).toBe('two three|one ')
    const forwards = editorWith('|one\ntwo')
    press(forwards, 'ctrl+k', 'ctrl+k', 'ctrl+k', 'ctrl+y', 'ctrl+y')
    expect(forwards.text).toBe('one\ntwoone\ntwo')
    const apart = editorWith('one two|')
    press(apart, 'ctrl+w', 'left', 'ctrl+w', 'ctrl+y')
    expect(apart.text).toBe('one ')
  })
})

describe('rows', () => {
  test('up and down go by what is seen, not by line feeds', () => {
    const editor = editorWith('one two three four|')
    editor.render(13, 10) // rows of ten cells: "one two ", "three four"
    press(editor, 'up')
    expect(marked(editor)).toBe('one two| three four')
    press(editor, 'ctrl+a', 'down')
    expect(marked(editor)).toBe('one two |three four')
  })

  test('the wished column survives short rows', () => {
    const editor = editorWith('a long first line\nab\nanother long| line')
    editor.render(40, 10)
    press(editor, 'up')
    expect(marked(editor)).toBe('a long first line\nab|\nanother long line')
    const again = editorWith('a long first line\nab\nanother long| line')
    again.render(40, 10)
    press(again, 'up', 'up')
    expect(marked(again)).toBe('a long first| line\nab\nanother long line')
  })

  test('wide signs are not split by a column between their halves', () => {
    const editor = editorWith('한글한글\nabc|')
    editor.render(40, 10)
    press(editor, 'up')
    expect(marked(editor)).toBe('한|글한글\nabc')
  })
})

describe('undo', () => {
  test('takes back words, deletions and whole texts, one after the other', () => {
    const editor = openEditor()
    for (const sign of 'one two') editor.handle(typed(sign))
    press(editor, 'backspace', 'backspace', 'ctrl+u')
    editor.setText('other')
    const texts: string[] = []
    for (let i = 0; i < 5; i += 1) {
      press(editor, 'ctrl+_')
      texts.push(editor.text)
    }
    expect(texts).toEqual(['', 'one t', 'one two', 'one ', ''])
    expect(editor.handle(keyOf('ctrl+_'))).toEqual({ kind: 'none' })
  })

  test('what Ctrl-C cleared can be had again', () => {
    const editor = editorWith('precious|')
    expect(editor.handle(keyOf('ctrl+c'))).toEqual({ kind: 'changed' })
    expect(editor.text).toBe('')
    press(editor, 'ctrl+_')
    expect(marked(editor)).toBe('precious|')
  })
})

describe('what keys come to', () => {
  test('Enter submits and empties; Alt-Enter says that it was that', () => {
    const editor = editorWith(' hi \nthere|')
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'submit', text: ' hi \nthere', how: 'enter' })
    expect(editor.text).toBe('')
    press(editor, 'ctrl+_')
    expect(editor.text).toBe('')
    editor.handle(typed('x'))
    expect(editor.handle(keyOf('alt+enter'))).toEqual({ kind: 'submit', text: 'x', how: 'alt-enter' })
  })

  test('blank text is not submitted', () => {
    const editor = editorWith('  \n |')
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'none' })
    expect(editor.text).toBe('  \n ')
  })

  test.each(['ctrl+j', 'shift+enter'])('%s makes a new line', (key) => {
    const editor = editorWith('a|b')
    expect(editor.handle(keyOf(key))).toEqual({ kind: 'changed' })
    expect(marked(editor)).toBe('a\n|b')
  })

  test('a backslash before Enter makes a new line and goes', () => {
    const editor = editorWith('a\\|')
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'changed' })
    expect(marked(editor)).toBe('a\n|')
  })

  test.each([
    ['escape', { kind: 'cancel' }],
    ['ctrl+c', { kind: 'interrupt' }],
    ['ctrl+d', { kind: 'end' }],
    ['ctrl+g', { kind: 'editor' }],
    ['ctrl+z', { kind: 'suspend' }],
    ['ctrl+o', { kind: 'expand' }],
    ['ctrl+l', { kind: 'redraw' }],
    ['shift+tab', { kind: 'none' }],
    ['tab', { kind: 'none' }],
    ['f1', { kind: 'none' }],
    ['left', { kind: 'none' }],
    ['down', { kind: 'none' }],
    ['backspace', { kind: 'none' }],
  ])('%s in an empty editor: %j', (key, outcome) => {
    expect(openEditor().handle(keyOf(key))).toEqual(outcome)
  })

  test('Ctrl-X Ctrl-E wants the external editor; with anything between, Ctrl-E is the end of the line', () => {
    const editor = editorWith('|abc')
    press(editor, 'ctrl+x')
    expect(editor.handle(keyOf('ctrl+e'))).toEqual({ kind: 'editor' })
    press(editor, 'ctrl+x', 'left')
    expect(editor.handle(keyOf('ctrl+e'))).toEqual({ kind: 'changed' })
    expect(marked(editor)).toBe('abc|')
  })

  test('a change of focus is nothing', () => {
    expect(openEditor().handle({ kind: 'focus', isFocused: false })).toEqual({ kind: 'none' })
  })
})

describe('Hangul', () => {
  test('a syllable that the input method replaces while it grows', () => {
    const editor = openEditor()
    for (const syllable of ['ㅎ', '하', '한']) {
      editor.handle(typed(syllable))
      if (syllable !== '한') press(editor, 'backspace')
    }
    editor.handle(typed('글'))
    expect(marked(editor)).toBe('한글|')
  })

  test('conjoining jamo become one step and two cells', () => {
    const editor = openEditor()
    for (const jamo of '한글'.normalize('NFD')) editor.handle(typed(jamo))
    expect(editor.text).toBe('한글'.normalize('NFD'))
    expect(editor.render(40, 5).cursor).toEqual({ row: 0, column: 6 })
    press(editor, 'backspace')
    expect(editor.text).toBe('한'.normalize('NFD'))
  })

  test('an accent typed behind a letter joins it', () => {
    const editor = editorWith('e|x')
    editor.handle(typed('\u0301'))
    expect(marked(editor)).toBe('e\u0301|x')
    press(editor, 'backspace')
    expect(marked(editor)).toBe('|x')
  })
})
