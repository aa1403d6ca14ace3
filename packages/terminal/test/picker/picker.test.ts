import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PickerOptions } from '../../src/picker/picker-options.ts'
import { createPicker } from '../../src/picker.ts'
import { createTextStyle } from '../../src/text-style.ts'
import { widthOf } from '../../src/width.ts'
import { keyOf, pasted, plain, press, seen, typed } from '../editor/support.ts'

const fruit = [
  { label: 'Apple', detail: 'red', value: 'a' },
  { label: '바나나', detail: '노란색', value: 'b' },
  { label: 'Cherry', value: 'c' },
]

const open = (options: Partial<PickerOptions> = {}) =>
  createPicker({ style: plain, title: 'Which one?', items: fruit, hint: 'Enter chooses', ...options })

describe('a short list', () => {
  test('is numbered, and the arrows go around', () => {
    const picker = open()
    expect(seen(picker.render(40, 10))).toEqual([
      'Which one?',
      '› 1. Apple   red',
      '  2. 바나나  노란색',
      '  3. Cherry',
      'Enter chooses',
    ])
    expect(picker.render(40, 10).cursor).toBeUndefined()
    press(picker, 'up')
    expect(picker.render(40, 10).lines).toContain('› 3. Cherry')
    press(picker, 'down', 'down')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'chosen', value: 'b' })
  })

  test('a digit chooses at once; one without an item does nothing', () => {
    expect(open().handle(typed('2'))).toEqual({ kind: 'chosen', value: 'b' })
    expect(open().handle(typed('4'))).toEqual({ kind: 'none' })
    expect(open().handle(typed('0'))).toEqual({ kind: 'none' })
    expect(open().handle(typed('x'))).toEqual({ kind: 'none' })
  })

  test('a digit that was pasted chooses nothing', () => {
    expect(open().handle(pasted('2'))).toEqual({ kind: 'none' })
  })

  test.each(['escape', 'ctrl+c'])('%s cancels', (key) => {
    expect(open().handle(keyOf(key))).toEqual({ kind: 'cancel' })
  })

  test('home and end, and keys it has no use for', () => {
    const picker = open()
    press(picker, 'end')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'chosen', value: 'c' })
    press(picker, 'home')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'chosen', value: 'a' })
    expect(picker.handle(keyOf('f1'))).toEqual({ kind: 'none' })
    expect(picker.handle({ kind: 'focus', isFocused: true })).toEqual({ kind: 'none' })
  })

  test('the selected one is inverse, details are dim', () => {
    expect(
      open({ style: createTextStyle(true) })
        .render(40, 10)
        .lines.slice(1, 4),
    ).toEqual(['› 1. \x1b[7mApple\x1b[27m   \x1b[2mred\x1b[22m', '  2. 바나나  \x1b[2m노란색\x1b[22m', '  3. Cherry'])
  })

  test('long labels and details go on below, under their beginning', () => {
    const items = [{ label: 'Yes, and never ask again', detail: 'writes a rule', value: 'y' }, ...fruit.slice(2)]
    expect(open({ items, title: '', hint: '' }).render(20, 10).lines).toEqual([
      '› 1. Yes, and never',
      '     ask again',
      '     writes a rule',
      '  2. Cherry',
    ])
  })

  test('ten have numbers that stand under each other', () => {
    const items = Array.from({ length: 10 }, (_, index) => ({ label: `n${index + 1}`, value: String(index + 1) }))
    const picker = open({ items, title: '' })
    expect(picker.render(40, 20).lines[8]).toBe('   9. n9')
    expect(picker.render(40, 20).lines[9]).toBe('  10. n10')
    expect(picker.handle(typed('9'))).toEqual({ kind: 'chosen', value: '9' })
  })

  test('with little room the hint goes first, then the title; the selected one is always seen', () => {
    const items = Array.from({ length: 10 }, (_, index) => ({ label: `n${index + 1}`, value: String(index + 1) }))
    const picker = open({ items, title: 'a\nb\nc' })
    expect(picker.render(40, 7).lines).toEqual(['a', 'b', 'c', '›  1. n1', '   2. n2', '   3. n3', 'Enter chooses'])
    expect(picker.render(40, 5).lines).toEqual(['a', '…', '›  1. n1', '   2. n2', '   3. n3'])
    press(picker, 'up')
    expect(picker.render(40, 5).lines).toEqual(['a', '…', '   8. n8', '   9. n9', '› 10. n10'])
    press(picker, 'up')
    expect(picker.render(40, 5).lines).toEqual(['a', '…', '   8. n8', '›  9. n9', '  10. n10'])
    expect(picker.render(40, 1).lines).toEqual(['›  9. n9'])
  })

  test('nothing in it can tell the terminal anything', () => {
    const items = [{ label: 'a\x1b[2J', detail: 'b\u202e', value: '' }]
    expect(open({ items, title: 't\x07', hint: 'h\x9b' }).render(40, 9).lines).toEqual([
      't\\x07',
      '› 1. a\\x1b[2J  b\\u202e',
      'h\\x9b',
    ])
  })
})

describe('own words', () => {
  const openTyping = () => open({ canType: true, freeTextLabel: 'something else', title: '', hint: '' })

  test('the last line becomes an editor when it is selected', () => {
    const picker = openTyping()
    expect(seen(picker.render(40, 10)).at(-1)).toBe('  4. something else')
    press(picker, 'up')
    expect(seen(picker.render(40, 10)).at(-1)).toBe('› 4. ▏something else')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'none' })
    for (const sign of '2개 더') picker.handle(typed(sign))
    press(picker, 'left')
    expect(seen(picker.render(40, 10)).at(-1)).toBe('› 4. 2개 ▏더')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'words', words: '2개 더' })
  })

  test('its number selects it, letters go into it at once', () => {
    const byNumber = openTyping()
    expect(byNumber.handle(typed('4'))).toEqual({ kind: 'changed' })
    expect(seen(byNumber.render(40, 10)).at(-1)).toBe('› 4. ▏something else')
    const byLetter = openTyping()
    byLetter.handle(typed('왜'))
    expect(seen(byLetter.render(40, 10)).at(-1)).toBe('› 4. 왜▏')
  })

  test('several lines, and a way out of them with the arrows', () => {
    const picker = openTyping()
    picker.handle(typed('one\\'))
    press(picker, 'enter')
    picker.handle(typed('two'))
    expect(seen(picker.render(40, 10)).slice(-2)).toEqual(['› 4. one', '     two▏'])
    press(picker, 'up')
    expect(seen(picker.render(40, 10)).slice(-2)).toEqual(['› 4. one▏', '     two'])
    press(picker, 'up')
    expect(picker.render(40, 10).lines.slice(-2)).toEqual(['› 3. Cherry', '  4. one\\ntwo'])
    press(picker, 'down')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'words', words: 'one\ntwo' })
  })

  test('Escape does not throw away what was written; without any it cancels', () => {
    const picker = openTyping()
    press(picker, 'down')
    picker.handle(typed('words'))
    expect(picker.handle(keyOf('escape'))).toEqual({ kind: 'changed' })
    expect(picker.render(40, 10).lines).toContain('› 2. 바나나  노란색')
    expect(picker.render(40, 10).lines.at(-1)).toBe('  4. words')
    expect(picker.handle(keyOf('escape'))).toEqual({ kind: 'cancel' })
    const empty = openTyping()
    press(empty, 'up')
    expect(empty.handle(keyOf('escape'))).toEqual({ kind: 'cancel' })
  })

  test('a long paste is shown short and given whole', () => {
    const picker = openTyping()
    const text = 'line\n'.repeat(500)
    picker.handle(pasted(text))
    expect(picker.render(40, 10).lines.at(-1)).toBe('› 4. [#1 500↵]')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'words', words: text })
  })
})

describe('a list to search in', () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({
    label: `session ${index}`,
    detail: index % 1000 === 7 ? '한글 입력기' : 'other',
    value: String(index),
  }))
  const openSearch = (options: Partial<PickerOptions> = {}) =>
    open({ items, isSearchable: true, title: 'Sessions', hint: 'type', ...options })

  test('typing filters by a part of label or detail, whatever the case', () => {
    const picker = openSearch()
    for (const sign of 'SESSION 29') picker.handle(typed(sign))
    expect(seen(picker.render(40, 6))).toEqual([
      'Sessions',
      '› SESSION 29▏',
      '› session 29   other',
      '  session 290  other',
      '  session 291  other',
      'type',
    ])
    press(picker, 'down')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'chosen', value: '290' })
  })

  test('Hangul is found by its syllables, composed or not', () => {
    const picker = openSearch()
    picker.handle(typed('입력'.normalize('NFD')))
    expect(picker.render(40, 9).lines.slice(2, -1)).toEqual([
      '› session 7     한글 입력기',
      '  session 1007  한글 입력기',
      '  session 2007  한글 입력기',
    ])
    press(picker, 'backspace', 'backspace')
    picker.handle(typed('2999'))
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'chosen', value: '2999' })
  })

  test('nothing found can not be chosen', () => {
    const picker = openSearch()
    picker.handle(typed('nowhere'))
    expect(seen(picker.render(40, 9))).toEqual(['Sessions', '› nowhere▏', '–', 'type'])
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'none' })
    expect(picker.handle(keyOf('down'))).toEqual({ kind: 'none' })
    expect(picker.handle(keyOf('escape'))).toEqual({ kind: 'cancel' })
  })

  test('scrolls, also by pages', () => {
    const picker = openSearch()
    press(picker, 'page-down', 'page-down', 'down')
    expect(picker.render(40, 6).lines).toEqual([
      'Sessions',
      '› ',
      '  session 15  other',
      '  session 16  other',
      '› session 17  other',
      'type',
    ])
    press(picker, 'page-up', 'page-up', 'page-up', 'up')
    expect(picker.handle(keyOf('enter'))).toEqual({ kind: 'chosen', value: '2999' })
  })

  test('own words still have their line', () => {
    const picker = openSearch({ canType: true, freeTextLabel: 'a new one' })
    for (const sign of 'nowhere') picker.handle(typed(sign))
    expect(seen(picker.render(40, 9))).toEqual(['Sessions', '› nowhere▏', '–', '  a new one', 'type'])
    press(picker, 'down')
    picker.handle(typed('!'))
    expect(seen(picker.render(40, 9))).toEqual(['Sessions', '› nowhere', '–', '› !▏', 'type'])
    press(picker, 'escape', 'up')
    expect(seen(picker.render(40, 9)).at(3)).toBe('› !▏')
  })
})

test('whatever is pressed, the frame fits and the selected one is in it', () => {
  const keys = fc.oneof(
    fc.constantFrom('a', '한', '7', ' ', '\\', '👨‍👩‍👧').map(typed),
    fc.constantFrom('x\ny', 'line\n'.repeat(9), '\x1b[2J').map(pasted),
    fc
      .constantFrom('up', 'down', 'tab', 'page-down', 'enter', 'home', 'end', 'backspace', 'ctrl+j', 'escape')
      .map(keyOf),
  )
  const options = fc.record({
    canType: fc.boolean(),
    isSearchable: fc.boolean(),
    title: fc.constantFrom('', 'one', 'a title of\nsome lines\nwith 한글'),
    items: fc.array(fc.record({ label: fc.string({ unit: 'grapheme' }), detail: fc.string(), value: fc.string() })),
  })
  const room = fc.record({ width: fc.integer({ min: 1, max: 40 }), maxRows: fc.integer({ min: 1, max: 12 }) })
  fc.assert(
    fc.property(options, fc.array(fc.tuple(keys, room), { maxLength: 30 }), (given, steps) => {
      const picker = open(given)
      for (const [key, { width, maxRows }] of steps) {
        picker.handle(key)
        const { lines, cursor } = picker.render(width, maxRows)
        expect(lines.length).toBeLessThanOrEqual(maxRows)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
        if (cursor !== undefined) expect(cursor.row < lines.length && cursor.column < width).toBe(true)
        if (width >= 12 && given.items.length > 0 && !given.isSearchable) {
          expect(lines.some((line) => line.startsWith('›') || line.startsWith('⋮'))).toBe(true)
        }
      }
    }),
    { numRuns: 300 },
  )
})
