import { describe, expect, test } from 'vitest'
import type { Completion } from '../../src/editor/completion-list.ts'
import { createTextStyle } from '../../src/text-style.ts'
import { editorWith, keyOf, marked, openEditor, press, seen, typed } from './support.ts'

interface Asked {
  readonly trigger: string
  readonly prefix: string
  readonly signal: AbortSignal
  answer(...found: Completion[]): Promise<void>
  fail(): Promise<void>
}

const file = (path: string): Completion => ({ label: path, insert: `@${path} ` })
const command = (name: string, rest = ''): Completion => ({
  label: `/${name}`,
  insert: `/${name}${rest}`,
  detail: `does ${name}`,
})

/** An editor whose completions are answered by hand. */
function openAsking(marked = '|') {
  const asked: Asked[] = []
  let draws = 0
  const editor = editorWith(marked, {
    complete: (trigger, prefix, signal) =>
      new Promise((resolve, reject) => {
        const settled = async (settle: () => void) => {
          settle()
          // Whoever waits for the answer has gone on when a later task comes.
          await new Promise((done) => setImmediate(done))
        }
        asked.push({
          ...{ trigger, prefix, signal },
          answer: (...found) => settled(() => resolve(found)),
          fail: () => settled(() => reject(new Error('the disk is gone'))),
        })
      }),
    onChange: () => {
      draws += 1
    },
  })
  asked.length = 0
  const last = () => asked.at(-1) ?? expect.fail('nothing was asked')
  return { editor, asked, last, draws: () => draws }
}

describe('what is completed', () => {
  test.each([
    ['|', '/', '/', ''],
    ['/he|', 'l', '/', 'hel'],
    ['|', '@', '@', ''],
    ['look at |', '@', '@', ''],
    ['look at @src/ed|', 'i', '@', 'src/edi'],
    ['(|)', '@', '@', ''],
    ['/run @f|', 'o', '@', 'fo'],
    ['a\n|', '@', '@', ''],
    ['파일 @문|', '서', '@', '문서'],
  ])('%j and then %j asks for %s with %j', (text, sign, trigger, prefix) => {
    const { editor, asked } = openAsking(text)
    editor.handle(typed(sign))
    expect(asked.map((one) => [one.trigger, one.prefix])).toEqual([[trigger, prefix]])
  })

  test.each([
    ['a|', '/'],
    ['a\n|', '/'],
    [' |', '/'],
    ['/help |', 'x'],
    ['me|', '@'],
    ['me@host|', 's'],
    ['@a b|', 'c'],
  ])('%j and then %j asks for nothing', (text, sign) => {
    const { editor, asked } = openAsking(text)
    editor.handle(typed(sign))
    expect(asked).toEqual([])
  })
})

describe('the list', () => {
  test('is drawn below the text when the answer is there, with the cursor still in the text', async () => {
    const { editor, last, draws } = openAsking()
    editor.handle(typed('/'))
    expect(seen(editor.render(40, 10))).toEqual(['› /▏'])
    await last().answer(command('help'), command('한글'))
    expect(draws()).toBe(1)
    expect(seen(editor.render(40, 10))).toEqual(['› /▏', '› /help  does help', '  /한글  does 한글'])
  })

  test('the selected one is inverse, its detail dim', async () => {
    const asked = Promise.resolve([command('help')])
    const editor = openEditor({ style: createTextStyle(true), complete: () => asked })
    editor.handle(typed('/'))
    await asked
    await expect.poll(() => editor.render(40, 10).lines.at(-1)).toBe('› \x1b[7m/help\x1b[27m  \x1b[2mdoes help\x1b[22m')
  })

  test('has at most eight rows and scrolls, and says how many there are; the arrows go around', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('@'))
    await last().answer(...Array.from({ length: 20 }, (_, index) => file(`f${index}`)))
    press(editor, ...Array.from({ length: 9 }, () => 'down'))
    const rows = editor.render(40, 20).lines
    expect(rows).toHaveLength(10)
    expect(rows.slice(-2)).toEqual(['› f9', '  10 / 20'])
    press(editor, 'ctrl+n', 'up', 'ctrl+p')
    expect(editor.render(40, 20).lines).toContain('› f8')
    press(editor, ...Array.from({ length: 9 }, () => 'up'))
    expect(editor.render(40, 20).lines.slice(-2)).toEqual(['› f19', '  20 / 20'])
  })

  test('leaves the cursor row of a high text in sight', async () => {
    const { editor, last } = openAsking('1\n2\n3\n4\n5 |')
    editor.handle(typed('@'))
    await last().answer(...Array.from({ length: 20 }, (_, index) => file(`f${index}`)))
    expect(seen(editor.render(40, 5))).toEqual(['⋮ 5 @▏', '› f0', '  f1', '  f2', '  f3'])
    expect(editor.render(40, 1).lines).toEqual(['⋮ 5 @'])
    expect(editor.render(40, 11).lines).toHaveLength(11)
  })

  test('cuts what is too long, and spells out what is not to be seen', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('/'))
    await last().answer({ label: '/a-very-long-name', insert: '/a', detail: 'and a long\x1b[2J detail' })
    expect(editor.render(24, 5).lines).toEqual(['› /', '› /a-very-long-…  and a…'])
    expect(editor.render(60, 5).lines.at(-1)).toBe('› /a-very-long-name  and a long\\x1b[2J detail')
  })
})

describe('taking', () => {
  test('Tab puts it in the place of what was begun', async () => {
    const { editor, last } = openAsking('see | please')
    editor.handle(typed('@'))
    editor.handle(typed('ed'))
    await last().answer(file('src/editor.ts'), file('src/edit.ts'))
    press(editor, 'down', 'tab')
    expect(marked(editor)).toBe('see @src/edit.ts | please')
    expect(editor.render(60, 5).lines).toHaveLength(1)
  })

  test('Enter takes a file and does not submit', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('@'))
    await last().answer(file('a.ts'))
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'changed' })
    expect(marked(editor)).toBe('@a.ts |')
  })

  test('Enter takes a command and submits it when it is complete', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('/he'))
    await last().answer(command('help'))
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'submit', text: '/help', how: 'enter' })
    expect(editor.render(40, 5).lines).toHaveLength(1)
  })

  test('a command that wants more is only taken; typed out, it is submitted', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('/mo'))
    await last().answer(command('model', ' '))
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'changed' })
    expect(marked(editor)).toBe('/model |')
    press(editor, 'ctrl+u')
    editor.handle(typed('/model'))
    await last().answer(command('model', ' '))
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'submit', text: '/model', how: 'enter' })
  })

  test('typed out, a command is submitted also where a longer one stands before it, and before the list has come', async () => {
    const { editor, last } = openAsking()
    for (const isAnswered of [true, false]) {
      editor.handle(typed('/mod'))
      await last().answer(command('model', ' '), command('mode', ' '))
      editor.handle(typed('e'))
      if (isAnswered) await last().answer(command('model', ' '), command('mode', ' '))
      expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'submit', text: '/mode', how: 'enter' })
    }
  })

  test('a folder is taken and asked for what is in it', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('@s'))
    await last().answer({ label: 'src/', insert: '@src/' })
    press(editor, 'tab')
    expect(marked(editor)).toBe('@src/|')
    expect(last().prefix).toBe('src/')
  })
})

describe('closing', () => {
  test('Escape closes it, and it stays closed while the word is typed on', async () => {
    const { editor, asked, last } = openAsking()
    editor.handle(typed('@a'))
    await last().answer(file('a.ts'))
    expect(editor.handle(keyOf('escape'))).toEqual({ kind: 'changed' })
    expect(editor.render(40, 5).lines).toHaveLength(1)
    editor.handle(typed('b'))
    expect(asked).toHaveLength(1)
    expect(editor.handle(keyOf('escape'))).toEqual({ kind: 'cancel' })
    expect(editor.handle(keyOf('tab'))).toEqual({ kind: 'changed' })
    expect(last().prefix).toBe('ab')
    press(editor, 'escape')
    editor.handle(typed(' @'))
    expect(last().prefix).toBe('')
  })

  test('it closes when the cursor leaves the word', async () => {
    const { editor, last } = openAsking('x |')
    editor.handle(typed('@a'))
    await last().answer(file('a.ts'))
    press(editor, 'ctrl+a')
    expect(editor.render(40, 5).lines).toHaveLength(1)
    press(editor, 'ctrl+e')
    expect(editor.render(40, 5).lines).toHaveLength(1)
  })

  test('nothing found and a failure are both no list', async () => {
    const { editor, last, draws } = openAsking()
    editor.handle(typed('@a'))
    await last().answer()
    editor.handle(typed('b'))
    await last().fail()
    expect(draws()).toBe(2)
    expect(editor.render(40, 5).lines).toEqual(['› @ab'])
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'submit', text: '@ab', how: 'enter' })
  })
})

describe('answers that come late', () => {
  test('an answer to an older question is dropped, and whoever works on it is told', async () => {
    const { editor, asked, draws } = openAsking()
    editor.handle(typed('@a'))
    editor.handle(typed('b'))
    const [older, newer] = asked
    expect([older?.signal.aborted, newer?.signal.aborted]).toEqual([true, false])
    await newer?.answer(file('ab.ts'))
    await older?.answer(file('ax.ts'))
    expect(editor.render(40, 5).lines).toEqual(['› @ab', '› ab.ts'])
    expect(draws()).toBe(1)
  })

  test('until the answer comes, only what still fits can be taken', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('/m'))
    await last().answer(command('map'), command('model'))
    editor.handle(typed('o'))
    expect(editor.render(40, 5).lines).toEqual(['› /mo', '› /model  does model'])
    expect(editor.handle(keyOf('enter'))).toEqual({ kind: 'submit', text: '/model', how: 'enter' })
    await last().answer(command('mouse'))
    expect(editor.render(40, 5).lines).toEqual(['› '])
  })

  test('what was selected in the meantime stays selected', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('/m'))
    await last().answer(command('mop'), command('model'), command('mode'))
    editor.handle(typed('o'))
    press(editor, 'down', 'down')
    await last().answer(command('more'), command('mode'), command('model'))
    expect(editor.render(40, 5).lines).toContain('› /mode   does mode')
  })

  test('after submitting, nothing opens any more', async () => {
    const { editor, last } = openAsking()
    editor.handle(typed('/m'))
    press(editor, 'enter')
    expect(last().signal.aborted).toBe(true)
    await last().answer(command('model'))
    expect(editor.render(40, 5).lines).toEqual(['› '])
  })
})
