import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { htmlToLine } from '../../src/web/html/html-to-line.ts'
import { htmlToText } from '../../src/web/html/html-to-text.ts'
import { parseHtml } from '../../src/web/html/parse-html.ts'
import { renderBlocks } from '../../src/web/html/render-blocks.ts'
import { ownSeconds } from '../own-seconds.ts'

const read = (html: string, url = 'https://site.com/docs/page.html') => htmlToText(html, new URL(url))

describe('htmlToText', () => {
  test('keeps the order and the form of a page', () => {
    const html = `<!DOCTYPE html><html lang=en><head><title>Guide &ndash; Site</title><style>p{color:red}</style></head>
      <body><header><nav><ul><li><a href=/>Home</a></ul></nav></header>
      <h1>Guide <a class=anchor href="#guide">#</a></h1>
      <p>First   paragraph,
      with <b>bold</b>, <em>emphasis</em> and <code>a  b</code>.<p>Second<br>line &amp; more.
      <h2>Steps</h2>
      <ol start=3><li>One<li>Two<ul><li>Inner</li><li><p>Para</p><p>Again</p></ul></li></ol>
      <pre class="language-ts"><code>const a = 1 &lt; 2
  indented
</code></pre>
      <blockquote><p>Quoted<p>twice</blockquote>
      <dl><dt>Term<dd>Meaning</dl><hr>
      <footer>© Site</footer><script>alert('<p>no</p>')</script></body></html>`
    expect(read(html)).toBe(
      [
        'Title: Guide – Site',
        '# Guide',
        'First paragraph, with bold, emphasis and `a b`.',
        'Second\nline & more.',
        '## Steps',
        '3. One\n4. Two\n   - Inner\n   - Para\n     Again',
        '```ts\nconst a = 1 < 2\n  indented\n```',
        '> Quoted\n>\n> twice',
        'Term\n  Meaning',
        '---',
      ].join('\n\n'),
    )
  })

  test.each([
    ['<a href="b?x=1&amp;y=2">text</a>', '[text](https://site.com/docs/b?x=1&y=2)'],
    ['<a href="/x&copy=1">a</a>', '[a](https://site.com/x&copy=1)'],
    ['see <a href=//other.com/>a <b>bold</b> link</a>.', 'see [a bold link](https://other.com/).'],
    ['<a href="https://site.com/">https://site.com/</a>', 'https://site.com/'],
    ['<a href="#part">part</a> <a href="javascript:alert(1)">run</a> <a href="data:text/html,x">d</a>', 'part run d'],
    ['<a href="mailto:a@b.c">mail</a>', '[mail](mailto:a@b.c)'],
    ['<a href="/x"><img src=x.png alt="A chart"></a>', '[[image: A chart]](https://site.com/x)'],
    ['<a href="/x"><img src=x.png></a>', ''],
    ['<a href="/card"><div>one</div><div>two</div></a>', '[one two](https://site.com/card)'],
    ['<a href="/card"><h3>Head</h3><p>Body</p></a>', '### Head\n\nBody\n\n(https://site.com/card)'],
    ['<a href="http://[">broken</a>', 'broken'],
    ['a<a href=/b> b </a>c', 'a [b](https://site.com/b) c'],
  ])('link %j', (html, text) => expect(read(html)).toBe(text))

  test('relative addresses follow the base of the page', () => {
    expect(read('<base href="/root/"><a href=x>x</a>')).toBe('[x](https://site.com/root/x)')
  })

  test.each([
    ['<table><tr><th>A<th>B<tr><td>1<td>2|3</table>', '| A | B |\n| --- | --- |\n| 1 | 2\\|3 |'],
    [
      '<table><caption>Cap</caption><tbody><tr><td>a</td><td><a href=/b>b</a><br>c</td></tr></tbody></table>',
      'Cap\n| a | [b](https://site.com/b) c |',
    ],
    ['<table><tr><td>only<tr><td>column</table>', 'only\n\ncolumn'],
    ['<table><tr><td><h2>Layout</h2><td><table><tr><td>x<td>y</table></table>', '## Layout\n\n| x | y |'],
    ['<table><tr><td>a<td hidden>no</table>', 'a'],
    [
      '<table><caption hidden>no</caption><tr><td>a<td>b<tr hidden><td>no<td>no<tbody hidden><tr><td>no</table>',
      '| a | b |',
    ],
    ['<table><tr><td>a<td>b<th aria-hidden=true>no</table>', '| a | b |'],
  ])('table %j', (html, text) => expect(read(html)).toBe(text))

  test.each([
    ['<pre>\n\n  a\n\n\tb  \n</pre>', '```\n  a\n\n\tb\n```'],
    ['<pre><div>one</div><div>two</div></pre>', '```\none\ntwo\n```'],
    ['<pre>a<br>b</pre>', '```\na\nb\n```'],
    ['<pre>```js\nx\n```</pre>', '````\n```js\nx\n```\n````'],
    ['<pre><button>Copy</button><code class="hljs lang-c++">x</code></pre>', '```c++\nx\n```'],
    ['<p>a <code>b`c</code></p>', 'a `` b`c ``'],
  ])('code %j', (html, text) => expect(read(html)).toBe(text))

  test.each([
    ['&lt;b&gt; &amp;amp; &quot;&apos;&#39;&#x27;', "<b> &amp; \"'''"],
    ['&nbsp;a&nbsp;&nbsp;b&hellip; &euro;&mdash;&alpha;&Omega;&frac12;&yuml;', 'a b… €—αΩ½ÿ'],
    ['&#128;&#x80;&#0;&#xD800;&#x110000;&#99999999;', '€€\uFFFD\uFFFD\uFFFD\uFFFD'],
    ['&#xAC00;&#128512; &unknown; AT&T &copy 2024 &ampere a&b', '가😀 &unknown; AT&T © 2024 &ampere a&b'],
  ])('entities %j', (html, text) => expect(read(html)).toBe(text))

  test.each([
    ['<p>a<div>b</p>c', 'a\n\nb\n\nc'],
    ['a < b > c <3 <> </ > x', 'a < b > c <3 <> x'],
    ['<!-- <p>no</p> -->a<!-->b<!doctype x><?php no ?>c<![CDATA[d]]>', 'abc'],
    ['<p title="a > b">x</p><p title=\'</p>\'>y', 'x\n\ny'],
    ['<P CLASS=x>Up</P><SCRIPT>no</SCRIPT ><p>per', 'Up\n\nper'],
    ['text<script>unclosed <p>no', 'text'],
    ['text <a href="unclosed>no</a>', 'text'],
    ['<title>unclosed<p>text', 'unclosed\n\ntext'],
    ['<ul><li>a<ul><li>b</ul></li><li>c</ul>d', '- a\n  - b\n- c\n\nd'],
    ['<b><p>x</b>y</p>z', 'x\n\ny\n\nz'],
    ['<custom-card><p>in</p></custom-card><span><div>a</div></span>', 'in\n\na'],
    ['', ''],
  ])('what is badly written is still read: %j', (html, text) => expect(read(html)).toBe(text))

  test('the main part stands for the page, unless it is empty', () => {
    const long = 'word '.repeat(60).trim()
    expect(read(`<div>Around</div><main><p>${long}</main><div>Below</div>`)).toBe(long)
    expect(read(`<div>Around</div><div role=main><p>${long}</div>`)).toBe(long)
    expect(read(`<div>${long}</div><main></main>`)).toBe(long)
  })

  test('menus, buttons, footers and forms are left out, but not where nothing else is there', () => {
    const text = 'The text that counts stands here, and it is long enough.'
    expect(
      read(`<nav>Menu</nav><div role=navigation>Menu</div><button>Buy</button><select><option>1</select>
        <p>${text}</p><textarea>x</textarea><dialog>Cookies</dialog><footer>Imprint</footer><svg><title>Icon</title></svg>`),
    ).toBe(text)
    expect(read(`<nav>Menu<p>${text}`)).toBe(`Menu\n\n${text}`)
  })

  test('what a reader does not see, a model does not read', () => {
    expect(read('a<p hidden>no</p><b hidden>no</b><p aria-hidden=TRUE>no')).toBe('a')
    // Paragraphs are left out below: whatever else begins ends them, here as in a browser.
    const hide = fc.constantFrom(
      ...['hidden', 'hidden=""', 'aria-hidden="true"', 'style="display:none"', "style='color:red; DISPLAY : none'"],
      ...['style="visibility:hidden"', 'style=font-size:0', 'style="display&#58;none"'],
    )
    const tags = [
      'div',
      'span',
      'a',
      'li',
      'ul',
      'ol',
      'td',
      'tr',
      'th',
      'tbody',
      'table',
      'dd',
      'dt',
      'dl',
      'pre',
      'code',
    ]
    const tag = fc.constantFrom(
      ...tags,
      'blockquote',
      'h2',
      'caption',
      'main',
      'article',
      'section',
      'x-y',
      'figure',
      'kbd',
      'q',
    )
    const page = fc.tuple(fc.array(tag, { maxLength: 6 }), tag, hide, fc.array(tag, { maxLength: 6 }))
    fc.assert(
      fc.property(page, ([outer, name, attribute, inner]) => {
        const open = (names: string[]) => names.map((each) => `<${each}>`).join('')
        // In a table of its own, so that no start tag inside ends the element that hides.
        const html = `${open(outer)}seen<${name} ${attribute}><table><tr><td>${open(inner)}UNSEEN</table></${name}>`
        // A row or cell outside of a table is moved by every parser.
        fc.pre(!/^(t|caption)/.test(name) && !inner.some((each) => /^(t|caption)/.test(each)))
        expect(read(html)).not.toContain('UNSEEN')
      }),
      { numRuns: 500 },
    )
  })

  test('signs that nobody sees are dropped', () => {
    expect(read('<p>a\u202eb\u{e0069}\u001b[2Jc&#27;&#x202e;&#xE0041;d')).toBe('ab[2Jcd')
  })

  test.each([
    ['open elements', '<div>'.repeat(100_000)],
    ['open links', '<a href=x>'.repeat(50_000)],
    ['links in tables', '<a href=x><table><tr><td>'.repeat(20_000)],
    ['open lists', '<ul><li>x'.repeat(50_000)],
    ['open quotes', '<blockquote>x\n'.repeat(25_000)],
    ['tables in tables', '<table><tr><td>x<td>'.repeat(22_500)],
    ['open titles', '<title>'.repeat(70_000)],
    ['open comments', '<!--'.repeat(125_000)],
    ['open tags', '<a "'.repeat(125_000)],
    ['quotes', `<a ${'b=\'c" '.repeat(70_000)}`],
    ['attributes', `<p ${'hidden-x = '.repeat(45_000)}>text`],
    ['spaces in code', `<pre>a${' '.repeat(500_000)}b</pre>`],
    ['spaces', `a${' '.repeat(500_000)}b`],
    ['fences', `<pre>${'```\n'.repeat(125_000)}</pre>`],
    ['entities', '&amp'.repeat(125_000)],
    ['end tags', '<b>'.repeat(1_000) + '</i>'.repeat(125_000)],
    ['long addresses', `<base href="https://x.com/${'y'.repeat(400)}/">${'<a href=x>y</a>'.repeat(32_500)}`],
    ['signs', '<'.repeat(500_000)],
    ['ends in a deep place', `<i><td>${'<b>'.repeat(1_000)}${'</i>'.repeat(125_000)}`],
    ['lines in deep lists', `${'<ul><li>'.repeat(60)}${'x<br>'.repeat(100_000)}`],
    ['paragraphs in deep quotes', `${'<blockquote>'.repeat(100)}${'x<p>'.repeat(100_000)}`],
  ])('a hostile page of half a megabyte is read in time: %s', (_what, html) => {
    const start = ownSeconds()
    const text = read(html)
    // Where something grows with the square of the length, minutes.
    expect(ownSeconds() - start).toBeLessThan(5)
    expect(text.length).toBeLessThan(2_000_100)
  })

  test('no more is written than there is room for', () => {
    const { children } = parseHtml(`<p>${'<a href=x>y</a> '.repeat(1_000)}<p>${'word '.repeat(1_000)}`)
    const rendering = { base: 'https://site.com/', room: 1_000, isShown: () => true }
    expect(renderBlocks(children, rendering).join('').length).toBeLessThanOrEqual(1_100)
  })

  test('any text is read without an error', () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '"',
        "'",
        '=',
        '/',
        '&',
        ';',
        '#',
        '!',
        '--',
        '-->',
        'a',
        ' ',
        '\n',
        'p',
        'table',
        'tr',
        'td',
        'li',
        'ul',
        'pre',
      ],
      ...[
        'script',
        'title',
        'a href',
        'constructor',
        '<__proto__>',
        '</valueOf>',
        'hidden',
        '<p>',
        '</p>',
        '<table>',
        '</table>',
        '<td>',
        '<pre>',
        '</pre>',
        '</',
        '<!',
        '&#x',
        '가',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(read(pieces.join(''))).toEqual(expect.any(String))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('htmlToLine', () => {
  test('gives one clean line', () => {
    expect(htmlToLine(' <b>Bold</b> &amp;\n <i class="x">it</i> 1 < 2 &lt;x&gt;\u001b ', 100)).toBe(
      'Bold & it 1 < 2 <x>',
    )
    expect(htmlToLine('가'.repeat(50), 10)).toBe(`${'가'.repeat(9)}…`)
  })
})
