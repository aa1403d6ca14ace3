import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMarkdownHtml } from '../../src/sessions/export/markdown-html.ts'

function htmlOf(...pieces: string[]): string {
  const markdown = createMarkdownHtml()
  return pieces.map((piece) => markdown.feed(piece)).join('') + markdown.end()
}

// Without the line feeds between blocks, which nobody sees.
const tight = (html: string) => html.replaceAll(/(?<=>)\n/g, '')

test('lists are lists, one inside the other, with numbers that begin where they were written', () => {
  expect(tight(htmlOf('- a\n  - b\n    more\n  - c\n- d\n\n3. x\n4. y\n   - z\n'))).toBe(
    '<ul><li><p>a</p><ul><li><p>b\nmore</p></li><li><p>c</p></li></ul></li><li><p>d</p></li></ul>' +
      '<ol start="3"><li><p>x</p></li><li><p>y</p><ul><li><p>z</p></li></ul></li></ol>',
  )
  // By habit bullets stand two blanks in below a number, and a blank line does not end a list.
  expect(tight(htmlOf('1. a\n  - b\n\n2. c\n\nEnd'))).toBe(
    '<ol><li><p>a</p><ul><li><p>b</p></li></ul></li><li><p>c</p></li></ol><p>End</p>',
  )
  expect(tight(htmlOf('It was in\n1985. Long ago.\n2 * 3 - 1'))).toBe('<p>It was in\n1985. Long ago.\n2 * 3 - 1</p>')
})

test('a task shows whether it is done', () => {
  expect(tight(htmlOf('- [ ] open\n- [x] 완료\n- [a] none'))).toBe(
    '<ul><li class="task"><input type="checkbox" disabled><p>open</p></li>' +
      '<li class="task"><input type="checkbox" disabled checked><p>완료</p></li><li><p>[a] none</p></li></ul>',
  )
})

test('a table is a table, in a box of its own', () => {
  expect(tight(htmlOf('Sizes:\n| name | size |\n|:-----|-----:|\n| `a|b` | 1 |\n| a \\| b | **2** |\nbelow'))).toBe(
    '<p>Sizes:</p><div class="table"><table><thead><tr><th>name</th><th class="right">size</th></tr></thead><tbody>' +
      '<tr><td>`a</td><td class="right">b`</td><td>1</td></tr>' +
      '<tr><td>a | b</td><td class="right"><strong>2</strong></td></tr></tbody></table></div><p>below</p>',
  )
  expect(tight(htmlOf('- list\n\n  | a |\n  |:-:|\n  | b |\n'))).toBe(
    '<ul><li><p>list</p><div class="table"><table><thead><tr><th class="centre">a</th></tr></thead>' +
      '<tbody><tr><td class="centre">b</td></tr></tbody></table></div></li></ul>',
  )
  // A bar alone makes none.
  expect(tight(htmlOf('a | b\nc | d'))).toBe('<p>a | b\nc | d</p>')
})

test('quotes hold what stands in them, and a paragraph goes on without their marks', () => {
  expect(tight(htmlOf('> # Title\n> - a\n> > deep\nlazy\n\nout'))).toBe(
    '<blockquote><h3>Title</h3><ul><li><p>a</p></li></ul><blockquote><p>deep\nlazy</p></blockquote></blockquote><p>out</p>',
  )
})

test('code keeps its blanks in a list and outside, and nothing in it means anything', () => {
  expect(htmlOf('```ts\n\tif (a < b)\n- **x**\n```\n---\n')).toBe(
    '<pre><code>\tif (a &lt; b)\n- **x**\n</code></pre>\n<hr>\n',
  )
  expect(tight(htmlOf('1. run\n   ```sh\n   a\n     b\n   ```\n   then'))).toBe(
    '<ol><li><p>run</p><pre><code>a\n  b\n</code></pre><p>then</p></li></ol>',
  )
})

test('in a line there are code, emphasis and links to the web or for mail, and no others', () => {
  const line = (text: string) => htmlOf(text).replace(/^<p>(.*)<\/p>\n$/s, '$1')
  const link = (to: string, words = to) => `<a href="${to}" rel="noreferrer noopener">${words}</a>`
  expect(line('**`a`** *b* ***c*** ~~d~~ `` e`f `` 2*3*4 \\*g\\* **강조**는')).toBe(
    '<strong><code>a</code></strong> <em>b</em> <strong><em>c</em></strong> <del>d</del> <code>e`f</code> 2*3*4 *g* <strong>강조</strong>는',
  )
  expect(line('**a ~~b** c~~')).toBe('<strong>a ~~b</strong> c~~')
  expect(line('See **[the *docs*](https://e.x/a_(b)?c=1&d="2)**.')).toBe(
    `See <strong>${link('https://e.x/a_(b)?c=1&amp;d=&quot;2', 'the <em>docs</em>')}</strong>.`,
  )
  expect(line('https://e.x/a. (http://e.x) <mailto:a@e.x>')).toBe(
    `${link('https://e.x/a')}. (${link('http://e.x')}) ${link('mailto:a@e.x')}`,
  )
  for (const text of ['[a](javascript:alert(1))', '[a](data:text/html,x)', '[a](//e.x)', '[a](vbscript:x)'])
    expect(line(text)).toBe(text)
})

const SIGNS = [
  ...[
    '<script>',
    '<img src=x onerror=a>',
    '<!--',
    '</p>',
    '"',
    "'",
    '&',
    '<',
    '>',
    '\\',
    '\t',
    ' ',
    '    ',
    '\n',
    '\n\n',
  ],
  ...[
    '`',
    '``',
    '```',
    '~~~',
    '~~',
    '*',
    '**',
    '***',
    '# ',
    '###### ',
    '---',
    '- ',
    '* ',
    '1. ',
    '7) ',
    '[ ] ',
    '[x] ',
  ],
  ...['> ', '> > ', '|', '| a | b |\n', '|---|:-:|\n', '| - |', '[x](http://e.x/)', '](javascript:alert(1))', '[a]('],
  ...[
    'https://e.x/?a="b',
    '<https://e.x>',
    'mailto:a@b',
    'javascript:',
    '[b](mailto:"onclick=x)',
    '한글',
    '😀',
    'word',
  ],
]
// Of all signs, of those of emphasis, and of those that nest: mixed, pairs would seldom meet.
const soup = fc
  .oneof(
    fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...SIGNS) }, fc.string({ maxLength: 6 })), {
      maxLength: 50,
    }),
    fc.array(fc.constantFrom('*', '**', '~~', 'a', 'b', ' ', '`', '[c](https://e.x)'), { maxLength: 30 }),
    fc.array(fc.constantFrom('- ', '1. ', '> ', '  ', '\n', '\n', '\n', 'a', '| b |', '|---|', '```'), {
      maxLength: 60,
    }),
  )
  .map((pieces) => pieces.join(''))

const TAG =
  /<(\/?)(?:(p|pre|code|strong|em|del|h[3-6]|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|div|a)|(?:hr|input type="checkbox" disabled(?: checked)?))((?:(?<=<ol) start="\d{1,9}"|(?<=<li) class="task"|(?<=<div) class="table"|(?<=<t[hd]) class="(?:right|centre)"|(?<=<a) href="(?:https?:\/\/|mailto:)[^"<>\s]*" rel="noreferrer noopener")?)>/gi

/** The names of the tags that are open where each closing one stands have to be the same. */
function findUnbalanced(html: string): string | undefined {
  const open: string[] = []
  for (const [tag, slash, name] of html.matchAll(TAG)) {
    if (name === undefined) continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) return tag
  }
  return open.at(-1)
}

test('whatever stands in a text, its page has no tag but ours, all are closed, and pieces of it give the same', () => {
  fc.assert(
    fc.property(soup, fc.nat(200), (text, cut) => {
      const html = htmlOf(text)
      const rest = html.replaceAll(TAG, '')
      expect(rest).not.toMatch(/[<>"']/)
      expect(rest.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
      expect(findUnbalanced(html)).toBeUndefined()
      expect(html.match(TAG)?.join('') ?? '').not.toMatch(/javascript:|<a[^>]*<a/i)
      const at = Math.min(cut, text.length)
      expect(htmlOf(text.slice(0, at), text.slice(at))).toBe(html)
    }),
    { numRuns: 1_000 },
  )
})

test('no word is lost, however it is nested', () => {
  const wordy = fc.array(
    fc.oneof(
      fc.constantFrom('- ', '  ', '   ', '1. ', '> ', '| ', ' |', '\n', '\n\n', '**', '*', '# ', '\\', '\t'),
      // Never three in a row: behind a fence stands the name of a language, which is no word of the text.
      fc.constantFrom('~~a', 'a~~', '`a', 'a`'),
      fc.constantFrom('one', 'two', '셋', 'vier', '|---|\n', '|---|---|\n', '(', ')', '['),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(wordy, (pieces) => {
      const text = pieces.join('')
      const said = (words: string) => words.match(/one|two|셋|vier/g) ?? []
      expect(said(htmlOf(text).replaceAll(/<[^>]*>/g, ''))).toEqual(said(text))
    }),
    { numRuns: 500 },
  )
})

test('a line without end, and a nest without a floor, are given out in little time and in order', () => {
  const long = `${'가나다 [a](http:// `` **b* '.repeat(8_000)}\n`
  const code = `\`\`\`\n${'x😀'.repeat(50_000)}\n\`\`\`\n`
  const deep = `${'> - '.repeat(20_000)}end\n`
  for (const text of [long, code, deep]) {
    const whole = htmlOf(text)
    const pieces = text.match(/[\s\S]{1,9001}/g) ?? []
    expect(htmlOf(...pieces)).toBe(whole)
    expect(findUnbalanced(whole)).toBeUndefined()
  }
  expect(htmlOf(code)).toBe(`<pre><code>${'x😀'.repeat(50_000)}\n</code></pre>\n`)
  expect(htmlOf(deep).match(/<(?:ul|blockquote)>/g)).toHaveLength(12)
})
