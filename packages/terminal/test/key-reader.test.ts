import { describe, expect, test } from 'vitest'
import { createKeyReader, type Key } from '../src/index.ts'
import { PASTE_LIMIT } from '../src/paste-reader.ts'

const bytes = (text: string) => Buffer.from(text)
const read = (text: string) => createKeyReader().read(bytes(text))

/** "ctrl-alt-shift-name" as a key; `'text'` in quotes is text. */
function key(short: string): Key {
  if (short.startsWith("'")) return { kind: 'text', text: short.slice(1, -1) }
  const [, held = '', name = ''] = /^((?:(?:ctrl|alt|shift)-)*)(.+)$/s.exec(short) ?? []
  return {
    kind: 'key',
    name,
    ctrl: held.includes('ctrl'),
    alt: held.includes('alt'),
    shift: held.includes('shift'),
  }
}

describe('text', () => {
  test.each(['hello', '안녕하세요', 'é🙂👩‍💻', '\ufeff', 'ㅎ하한'])('%j is text', (text) => {
    expect(read(text)).toEqual([{ kind: 'text', text }])
  })

  test('a syllable that an input method sends in several characters arrives whole', () => {
    const reader = createKeyReader()
    const all = bytes('한글')
    expect(reader.read(all.subarray(0, 2))).toEqual([])
    expect(reader.isWaiting).toBe(false)
    expect(reader.read(all.subarray(2, 4))).toEqual([{ kind: 'text', text: '한' }])
    expect(reader.read(all.subarray(4))).toEqual([{ kind: 'text', text: '글' }])
  })

  test('bytes that are no UTF-8 are seen as such, and C1 controls are not let through', () => {
    expect(createKeyReader().read(Uint8Array.from([0x61, 0xff, 0x62]))).toEqual([{ kind: 'text', text: 'a\ufffdb' }])
    expect(read('a\u009bb\u0085')).toEqual([{ kind: 'text', text: 'ab' }])
  })
})

describe('keys of one byte', () => {
  test.each([
    ['\r', 'enter'],
    ['\n', 'ctrl-j'],
    ['\t', 'tab'],
    ['\x7f', 'backspace'],
    ['\b', 'backspace'],
    ['\0', 'ctrl- '],
    ['\x01', 'ctrl-a'],
    ['\x03', 'ctrl-c'],
    ['\x1a', 'ctrl-z'],
    ['\x1c', 'ctrl-\\'],
    ['\x1f', 'ctrl-_'],
  ])('%j is %s', (sent, short) => {
    expect(read(sent)).toEqual([key(short)])
  })
})

// What the terminals really send, by terminal.
const SEQUENCES: Record<string, [sent: string, short: string][]> = {
  xterm: [
    ['\x1b[A', 'up'],
    ['\x1bOA', 'up'],
    ['\x1b[1;5C', 'ctrl-right'],
    ['\x1b[1;3D', 'alt-left'],
    ['\x1b[1;8B', 'ctrl-alt-shift-down'],
    ['\x1b[H', 'home'],
    ['\x1bOF', 'end'],
    ['\x1b[3~', 'delete'],
    ['\x1b[3;5~', 'ctrl-delete'],
    ['\x1b[5~', 'page-up'],
    ['\x1b[6;2~', 'shift-page-down'],
    ['\x1bOP', 'f1'],
    ['\x1b[1;2R', 'shift-f3'],
    ['\x1b[15~', 'f5'],
    ['\x1b[24~', 'f12'],
    ['\x1b[Z', 'shift-tab'],
    ['\x1bOM', 'enter'],
    ['\x1bOy', "'9'"],
  ],
  'xterm with modifyOtherKeys': [
    ['\x1b[27;5;13~', 'ctrl-enter'],
    ['\x1b[27;2;13~', 'shift-enter'],
    ['\x1b[27;6;65~', 'ctrl-shift-a'],
    ['\x1b[27;2;65~', "'A'"],
    ['\x1b[27;5;105~', 'tab'],
  ],
  rxvt: [
    ['\x1b[7~', 'home'],
    ['\x1b[8~', 'end'],
    ['\x1b[a', 'shift-up'],
    ['\x1bOd', 'ctrl-left'],
    ['\x1b[3$', 'shift-delete'],
    ['\x1b[5^', 'ctrl-page-up'],
    ['\x1b[6@', 'ctrl-shift-page-down'],
    ['\x1b\x1b[A', 'alt-up'],
    ['\x1b[11~', 'f1'],
  ],
  'the Linux console': [
    ['\x1b[1~', 'home'],
    ['\x1b[4~', 'end'],
    ['\x1b[2~', 'insert'],
    ['\x1b[[A', 'f1'],
    ['\x1b[[E', 'f5'],
  ],
  'the kitty protocol': [
    ['\x1b[27u', 'escape'],
    ['\x1b[13;2u', 'shift-enter'],
    ['\x1b[99;5u', 'ctrl-c'],
    ['\x1b[9;2u', 'shift-tab'],
    ['\x1b[120;3u', 'alt-x'],
    ['\x1b[97:65;6u', 'ctrl-shift-a'],
    ['\x1b[45:95;6u', 'ctrl-shift-_'],
    ['\x1b[127;3u', 'alt-backspace'],
    ['\x1b[32;5u', 'ctrl- '],
    ['\x1b[97;;97u', "'a'"],
    ['\x1b[97;2;65u', "'A'"],
    ['\x1b[12615;1;54620u', "'한'"],
    ['\x1b[1;5:1A', 'ctrl-up'],
    ['\x1b[57414u', 'enter'],
    ['\x1b[57400u', "'1'"],
    ['\x1b[57419;5u', 'ctrl-up'],
    // Caps Lock and Num Lock are on.
    ['\x1b[99;197u', 'ctrl-c'],
    // The same key whatever the layout: by what the terminal says, or by the Korean keyboard.
    ['\x1b[1089::99;5u', 'ctrl-c'],
    ['\x1b[12618;5u', 'ctrl-c'],
    // As without the protocol.
    ['\x1b[91;5u', 'escape'],
    ['\x1b[109;5u', 'enter'],
  ],
  'Alt as ESC': [
    ['\x1bf', 'alt-f'],
    ['\x1bB', 'alt-shift-b'],
    ['\x1b\r', 'alt-enter'],
    ['\x1b\x7f', 'alt-backspace'],
    ['\x1b\x01', 'ctrl-alt-a'],
    ['\x1b ', 'alt- '],
    ['\x1b1', 'alt-1'],
    ['\x1bㄹ', 'alt-f'],
    ['\x1bé', 'alt-é'],
  ],
}

describe.each(Object.entries(SEQUENCES))('%s', (_terminal, sequences) => {
  test.each(sequences)('%j is %s', (sent, short) => {
    expect(read(`${sent}z`)).toEqual([key(short), { kind: 'text', text: 'z' }])
  })
})

describe('what is no key', () => {
  test.each([
    ['a released key', '\x1b[97;1:3u'],
    ['Super', '\x1b[99;9u'],
    ['Caps Lock', '\x1b[57358u'],
    ['F13', '\x1b[57376u'],
    ['a sequence nobody knows', '\x1b[31;5x'],
    ['the place of the cursor', '\x1b[12;40R'],
    ['a mode', '\x1b[?2026;2$y'],
    ['the kind of terminal', '\x1b[?64;1;2c'],
    ['a mouse', '\x1b[<0;10;20M\x1b[<0;10;20m'],
    ['an old mouse', '\x1b[M !!'],
    ['a colour, ended by BEL', '\x1b]11;rgb:ffff/ffff/ffff\x07'],
    ['a colour, ended by ST', '\x1b]11;rgb:ffff/ffff/ffff\x1b\\'],
    ['a version', '\x1bP>|kitty(0.35)\x1b\\'],
    ['an answer about graphics', '\x1b_Gi=1;OK\x1b\\'],
    ['a paste that ends without having begun', '\x1b[201~'],
    ['parameters without end', `\x1b[${'1;'.repeat(10_000)}u`],
    ['a code point that there is not', '\x1b[1114112u\x1b[55296u\x1b[99999999999999999999u'],
  ])('%s is swallowed whole', (_what, sent) => {
    expect(read(`a${sent}b`)).toEqual([key("'a'"), key("'b'")])
  })

  test('reports are told to who wants to know', () => {
    const reports: string[] = []
    createKeyReader({ onReport: (sequence) => reports.push(sequence) }).read(bytes('\x1b[?1u\x1b[A\x1b[3;4R'))
    expect(reports).toEqual(['[?1u', '[3;4R'])
    createKeyReader({ onReport: (sequence) => reports.push(sequence) }).read(bytes(`\x1b[${'1;'.repeat(100_000)}u`))
    expect(reports.at(-1)?.length).toBeLessThan(100)
  })

  test('a sequence that is broken off does not take the next key with it', () => {
    expect(read('\x1b[1;5\x03')).toEqual([key('ctrl-c')])
    expect(read('\x1b[1;\x1b[A')).toEqual([key('up')])
    expect(read('\x1b]11;rgb\r')).toEqual([key('enter')])
    expect(read('\x1b[1;한')).toEqual([key("'한'")])
  })

  test('focus', () => {
    expect(read('\x1b[I\x1b[O')).toEqual([
      { kind: 'focus', isFocused: true },
      { kind: 'focus', isFocused: false },
    ])
  })
})

describe('the Escape key', () => {
  test.each([
    ['\x1b', ['escape']],
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1b[', ['alt-[']],
    ['\x1bO', ['alt-shift-o']],
    ['\x1b]', ['alt-]']],
  ])('%j is complete after a silence', (sent, shorts) => {
    const reader = createKeyReader()
    expect(reader.read(bytes(sent))).toEqual([])
    expect(reader.isWaiting).toBe(true)
    expect(reader.flush()).toEqual(shorts.map(key))
    expect(reader.isWaiting).toBe(false)
    expect(reader.flush()).toEqual([])
    expect(reader.read(bytes('x'))).toEqual([key("'x'")])
  })

  test('the middle of a sequence is not taken for keys, however long the line is silent', () => {
    const reader = createKeyReader()
    expect(reader.read(bytes('\x1b[1;'))).toEqual([])
    expect([reader.isWaiting, reader.flush()]).toEqual([false, []])
    expect(reader.read(bytes('5D'))).toEqual([key('ctrl-left')])
  })

  test.each([
    ['\x1b', '[200~a\x1b[201~', { kind: 'paste', text: 'a' }],
    ['\x1b[', '200~a\x1b[201~', { kind: 'paste', text: 'a' }],
    ['\x1b', '[1;5D', key('ctrl-left')],
    ['\x1b', '[A', key('up')],
  ] satisfies [string, string, Key][])(
    '%j and, after a silence, %j does not leak into the text',
    (first, second, wanted) => {
      const reader = createKeyReader()
      reader.read(bytes(first))
      reader.flush()
      expect(reader.read(bytes(second))).toEqual([wanted])
    },
  )

  test('what a person types after Escape is text', () => {
    const reader = createKeyReader()
    reader.read(bytes('\x1b'))
    reader.flush()
    expect(reader.read(bytes('['))).toEqual([key("'['")])
    expect(reader.read(bytes('A'))).toEqual([key("'A'")])
  })
})

describe('a paste', () => {
  test('is one key, with line feeds, and escape sequences inside it are text', () => {
    const sent = 'x\x1b[200~one\r\ntwo\rthree\n\x1b[31m\x1b[200~\x03한\x1b[201\x1b[201~\r'
    expect(read(sent)).toEqual([
      key("'x'"),
      { kind: 'paste', text: 'one\ntwo\nthree\n\x1b[31m\x1b[200~\x03한\x1b[201' },
      key('enter'),
    ])
  })

  test('may be empty: some terminals say so that there was an image', () => {
    expect(read('\x1b[200~\x1b[201~')).toEqual([{ kind: 'paste', text: '' }])
  })

  test('without an end comes in parts, so that it cannot fill the memory', () => {
    const reader = createKeyReader()
    const given: Key[] = reader.read(bytes('\x1b[200~'))
    const megabyte = bytes('한글\r\n'.repeat(131_072))
    for (let i = 0; i < 9; i++) given.push(...reader.read(megabyte))
    expect(given.map((part) => part.kind)).toEqual(['paste'])
    given.push(...reader.read(bytes('\x1b[201~')))
    const texts = given.map((part) => (part.kind === 'paste' ? part.text : ''))
    expect(texts.every((text) => text.length <= PASTE_LIMIT)).toBe(true)
    expect(texts.join('') === '한글\n'.repeat(131_072 * 9)).toBe(true)
  })

  test('whose end got lost can be abandoned', () => {
    const reader = createKeyReader()
    reader.read(bytes('\x1b[200~half\x1b[20'))
    expect(reader.isPasting).toBe(true)
    expect(reader.abandonPaste()).toEqual([{ kind: 'paste', text: 'half\x1b[20' }])
    expect(reader.read(bytes('x'))).toEqual([key("'x'")])
  })
})
