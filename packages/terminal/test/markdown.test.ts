import { describe, expect, test } from 'vitest'
import { createTextStyle, renderMarkdown, widthOf } from '../src/index.ts'

const style = createTextStyle(false)
const coloured = createTextStyle(true)
const plain = (text: string, width = 60) => renderMarkdown(text, { style, width })
const inColour = (text: string, width = 60) => renderMarkdown(text, { style: coloured, width })

describe('without colours, signs say what colours would', () => {
  test.each([
    ['headings keep their hashes', '## Title ##', ['## Title']],
    ['underlined headings get them', 'Title\n===', ['# Title']],
    ['code keeps its backticks', 'run `npm ci` now', ['run `npm ci` now']],
    ['struck text keeps its tildes', '~~old~~ new', ['~~old~~ new']],
    ['bold and italic are just words', '**a** and *b*', ['a and b']],
    ['bullets', '* a\n* b', ['• a', '• b']],
    ['tasks', '- [ ] a\n- [x] b', ['[ ] a', '[x] b']],
    ['quotes', '> a\n> b\n>\n> > c', ['│ a b', '│', '│ │ c']],
    ['rules', 'a\n\n***\n\nb', ['a', '', '─'.repeat(40), '', 'b']],
    ['links give their address', '[docs](https://a.example/x)', ['docs (https://a.example/x)']],
    ['but only once', '[https://a.example](https://a.example/)', ['https://a.example']],
    ['images too', '![a cat](cat.png)', ['a cat (cat.png)']],
  ])('%s', (_, text, lines) => {
    expect(plain(text)).toEqual(lines)
  })
})

describe('with colours', () => {
  test.each([
    ['bold', 'a **b** c', 'a \x1b[1mb\x1b[22m c'],
    ['italic', 'a _b_ c', 'a \x1b[3mb\x1b[23m c'],
    ['code', 'a `b` c', 'a \x1b[36mb\x1b[39m c'],
    ['a link is underlined, its address dim', '[a](b)', '\x1b[4ma\x1b[24m\x1b[2m (b)\x1b[22m'],
    ['an address in running text', 'at https://a.b/c_d_e.', 'at \x1b[4mhttps://a.b/c_d_e\x1b[24m.'],
    ['a heading has no hashes', '## a', '\x1b[1ma\x1b[22m'],
  ])('%s', (_, text, line) => {
    expect(inColour(text)).toEqual([line])
  })

  test('a style goes on where its line is broken', () => {
    expect(inColour('**one two three**', 10)).toEqual(['\x1b[1mone two\x1b[22m', '\x1b[1mthree\x1b[22m'])
  })
})

describe('emphasis', () => {
  const bold = (text: string) => inColour(text).join('\n').replaceAll('\x1b[1m', '«').replaceAll('\x1b[22m', '»')
  test.each([
    ['a particle follows', '**한국어**를', '«한국어»를'],
    ['a particle follows a quotation', '**"말"**이라고', '«"말"»이라고'],
    ['a particle follows a bracket', '**한국어(韓國語)**입니다', '«한국어(韓國語)»입니다'],
    ['a word goes before', '그는**(말)**을', '그는«(말)»을'],
    ['a full stop of that script', '**漢字。**と', '«漢字。»と'],
    ['beside Latin letters as CommonMark has it', 'a**"b"**c', 'a**"b"**c'],
    ['inside a word', 'foo**bar**baz', 'foo«bar»baz'],
    ['left open', '**foo', '**foo'],
    ['around code', '**`a**`**', '«\x1b[36ma**\x1b[39m»'],
  ])('%s', (_, text, shown) => {
    expect(bold(text)).toBe(shown)
  })

  test('names with underscores stay whole', () => {
    expect(inColour('some_long_name')).toEqual(['some_long_name'])
  })
})

describe('breaks', () => {
  test.each([
    ['lines of a paragraph are joined', 'a\nb', ['a b']],
    ['two blanks keep them apart', 'a  \nb', ['a', 'b']],
    ['a backslash too', 'a\\\nb', ['a', 'b']],
    ['and a tag that models write in tables', 'a<br>b', ['a', 'b']],
    ['other tags are shown', 'a <kbd>b</kbd>', ['a <kbd>b</kbd>']],
    [
      'tags that make a block keep their lines',
      '<details>\n  <summary>*a*</summary>',
      ['<details>', '  <summary>*a*</summary>'],
    ],
    ['many empty lines are one', 'a\n\n\n\nb\n\n', ['a', '', 'b']],
    ['a heading stands apart', 'a\n# b\nc', ['a', '', '# b', 'c']],
    ['dashes below one line make a heading', 'a\n---\nb', ['## a', 'b']],
    ['dashes below several lines are a rule', 'a\nb\n---', ['a b', '', '─'.repeat(40)]],
  ])('%s', (_, text, lines) => {
    expect(plain(text)).toEqual(lines)
  })
})

describe('lists', () => {
  test.each([
    ['nested by two, by three, by four', '- a\n  - b\n    - c\n- d', ['• a', '  • b', '    • c', '• d']],
    ['bullets two blanks below a number', '1. a\n  - b\n2. c', ['1. a', '   • b', '2. c']],
    ['every number is one', '1. a\n1. b\n1. c', ['1. a', '2. b', '3. c']],
    ['a list that begins later', '7. a\n8. b', ['7. a', '8. b']],
    ['empty lines between items stay', '- a\n\n- b', ['• a', '', '• b']],
    ['a paragraph inside', '- a\n\n  b\n\nc', ['• a', '', '  b', '', 'c']],
    ['an item without text', '- a\n-\n- b', ['• a', '•', '• b']],
    ['a list as its item', '- - a', ['• • a']],
    ['text goes on without its blanks', '- a\nb', ['• a b']],
    ['a number in a sentence is none', 'born in\n1984. Yes', ['born in 1984. Yes']],
    ['a quote in an item', '1. > a', ['1. │ a']],
    ['numbered tasks', '1. [x] a', ['1. [x] a']],
  ])('%s', (_, text, lines) => {
    expect(plain(text)).toEqual(lines)
  })

  test('a long item hangs below its mark', () => {
    expect(plain('- one two three\n  1. four five', 12)).toEqual(['• one two', '  three', '  1. four', '     five'])
  })

  test('nested more deeply than there is room for, text can still be read', () => {
    const text = Array.from({ length: 12 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth}`).join('\n')
    const lines = plain(text, 12)
    expect(lines.slice(-2)).toEqual(['    • item', '      11'])
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(12)
  })
})

describe('code', () => {
  test.each([
    ['is indented and kept as it is', '```ts\nconst  a = 1\n\n  b()\n```', ['  const  a = 1', '', '    b()']],
    ['needs no end', '```\na', ['  a']],
    ['may hold shorter fences', '````\n```\na\n```\n````', ['  ```', '  a', '  ```']],
    ['by tildes', '~~~\n```\n~~~', ['  ```']],
    ['by four blanks', 'a\n\n    b\n\n    c\n\nd', ['a', '', '  b', '', '  c', '', 'd']],
    ['in an item', '1. a\n   ```\n   b\n     c\n   ```\n2. d', ['1. a', '', '     b', '       c', '', '2. d']],
    ['in an item, written too far left', '- a\n  ```\nb\n  ```\n- c', ['• a', '', '    b', '', '• c']],
    ['in a quote', '> ```\n> a\n> ```\nb', ['│   a', '', 'b']],
    ['has tabs as blanks', '```\n\ta\n```', ['      a']],
    ['and no Markdown', '```\n**a** &amp; <br>\n```', ['  **a** &amp; <br>']],
  ])('%s', (_, text, lines) => {
    expect(plain(text)).toEqual(lines)
  })

  test('a line that is too long goes on below, blanks and all', () => {
    expect(plain('```\nabcd  efghij\n```', 10)).toEqual(['  abcd  ef', '  ghij'])
    expect(plain('```\n한국어한국어\n```', 10)).toEqual(['  한국어한', '  국어'])
  })

  test('its language colours it', () => {
    expect(inColour('```ts\nreturn 1\n```')).toEqual(['  \x1b[35mreturn\x1b[39m \x1b[33m1\x1b[39m'])
  })
})

describe('tables', () => {
  const table = '| Name | 값 | Count |\n|---|:-:|--:|\n| a | 한국어 | 1 |\n| `b|c` | x | 22 |'

  test('columns are as wide as their cells, counted as the terminal does', () => {
    expect(plain(table)).toEqual([
      'Name  │   값   │ Count',
      '──────┼────────┼──────',
      'a     │ 한국어 │     1',
      '`b|c` │   x    │    22',
    ])
  })

  test('cells wrap where there is too little room, and rows are kept apart', () => {
    const wide = '| a | b |\n|-|-|\n| one two three four five | six seven eight nine ten |\n| x | y |'
    expect(plain(wide, 40)).toEqual([
      'a                  │ b',
      '───────────────────┼────────────────────',
      'one two three four │ six seven eight',
      'five               │ nine ten',
      '───────────────────┼────────────────────',
      'x                  │ y',
    ])
  })

  test('on a narrow terminal each cell has its own line', () => {
    const wide = '| Name | What it does |\n|-|-|\n| a | one two three |\n| b | |\n| c | 4 |'
    expect(plain(wide, 19)).toEqual([
      'Name: a',
      'What it does: one',
      '  two three',
      '',
      'Name: b',
      '',
      'Name: c',
      'What it does: 4',
    ])
  })

  test.each([
    ['without outer bars', 'a | b\n--|--\n1 | 2', ['a │ b', '──┼──', '1 │ 2']],
    ['below a line of text', 'text\n| a |\n|---|\n| 1 |', ['text', '', 'a', '─', '1']],
    ['text below ends it', '| a |\n|---|\n| 1 |\ntext', ['a', '─', '1', '', 'text']],
    ['bars can be escaped', '| a |\n|---|\n| x \\| y |', ['a', '─────', 'x | y']],
    ['missing cells are empty', '| a | b |\n|-|-|\n| 1 |', ['a │ b', '──┼──', '1 │']],
    ['a line of bars alone is none', '| a | b |\n|---|', ['| a | b | |---|']],
  ])('%s', (_, text, lines) => {
    expect(plain(text)).toEqual(lines)
  })

  test('of any length shows every row', () => {
    const rows = Array.from({ length: 200 }, (_, row) => `| ${row} | ${'x'.repeat(row % 50)} |`)
    const lines = plain(['| n | x |', '|---|---|', ...rows].join('\n'), 80)
    expect(lines.length).toBe(202)
    expect(lines.at(-1)).toMatch(/^199 │ x{49}$/)
  })
})

describe('what a terminal would obey becomes visible', () => {
  test.each([
    ['an escape sequence', 'a\x1b[31mb', ['a\\x1b[31mb']],
    ['one in code', '```\n\x1b]0;x\x07\n```', ['  \\x1b]0;x\\x07']],
    ['one that is spelt as an entity', '&#27;[2J &#x9b;m &#x202e;', ['\\x1b[2J \\x9bm \\u202e']],
    ['one in an address', '[a](http://x/\x1b[1m)', ['a (http://x/\\x1b[1m)']],
    ['one in a table', '| a |\n|---|\n| \x1b[1m |', ['a', '───────', '\\x1b[1m']],
    ['a carriage return', 'safe\rgone', ['safe\\rgone']],
    ['but a Windows line end is one', 'a\r\n\r\nb', ['a', '', 'b']],
    ['what turns the direction', 'a\u202eb', ['a\\u202eb']],
  ])('%s', (_, text, lines) => {
    expect(plain(text)).toEqual(lines)
  })
})
