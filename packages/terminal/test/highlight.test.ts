import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTextStyle, highlight } from '../src/index.ts'
import { ESC, markdownText, unstyled } from './markdown-samples.ts'

const style = createTextStyle(true)
const names: Readonly<Record<string, string>> = {
  2: 'comment',
  1: 'title',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'keyword',
  36: 'cyan',
}

const PAINTED = new RegExp(`${ESC}\\[(\\d+)m([^${ESC}]*)${ESC}\\[\\d+m`, 'g')

/** The code with the name of each colour around what has it. */
function shown(code: string, language: string): string {
  return highlight(code, language, style).replace(PAINTED, (_, open, text) => `${names[open]}(${text})`)
}

test.each([
  ['ts', 'const a: string = f(1) // x', 'keyword(const) a: cyan(string) = f(yellow(1)) comment(// x)'],
  ['jsx', 'return <a href="b" />', 'keyword(return) <a href=green("b") />'],
  ['js', `\`a\${ {b: \`c\`} }d\` + 1`, `green(\`a)keyword(\${) {b: green(\`c\`)} keyword(})green(d\`) + yellow(1)`],
  ['js', 'x = /["]/g', 'x = green(/["]/g)'],
  ['json', '{"a": "b", "c": [1, true]}', '{cyan("a"): green("b"), cyan("c"): [yellow(1), yellow(true)]}'],
  ['python', 'def f(): # x\n  return None', 'keyword(def) f(): comment(# x)\n  keyword(return) yellow(None)'],
  ['py', 'a = """b\nc""" + \'d\'', 'a = green("""b)\ngreen(c""") + green(\'d\')'],
  ['go', 'func f() error { return nil }', 'keyword(func) f() cyan(error) { keyword(return) yellow(nil) }'],
  [
    'rust',
    "fn f<'a>(c: char) { let x = 'b'; }",
    "keyword(fn) f<cyan('a)>(c: cyan(char)) { keyword(let) x = green('b'); }",
  ],
  ['java', '@Override public int a() {}', 'cyan(@Override) keyword(public) cyan(int) a() {}'],
  ['kotlin', 'val a: Int = 1', 'keyword(val) a: cyan(Int) = yellow(1)'],
  ['c++', '#include <a>\n/* b\n c */ int d;', 'keyword(#include) <a>\ncomment(/* b)\ncomment( c */) cyan(int) d;'],
  [
    'bash',
    'if [ "$a" ]; then ls -l # x',
    'keyword(if) [ green(")cyan($a)green(") ]; keyword(then) ls yellow(-l) comment(# x)',
  ],
  [
    'sql',
    "SELECT a FROM b WHERE c = 'd' -- e",
    "keyword(SELECT) a keyword(FROM) b keyword(WHERE) c = green('d') comment(-- e)",
  ],
  ['yaml', 'a: b # c\n- d: true', 'cyan(a): b comment(# c)\ncyan(- d): yellow(true)'],
  ['toml', '[a]\nb = "c"', 'title([a])\ncyan(b) = green("c")'],
  [
    'html',
    '<a href="b">c</a><!-- d -->',
    'keyword(<a) cyan(href)=green("b")keyword(>)c' + 'keyword(</a>)comment(<!-- d -->)',
  ],
  ['css', '.a { color: #fff; }', 'cyan(.a) { cyan(color): yellow(#fff); }'],
  ['markdown', '# a\n- **b**', 'title(# a)\nkeyword(-) title(**b**)'],
  ['diff', '--- a\n@@ -1 @@\n-b\n+c\n d', 'title(--- a)\ncyan(@@ -1 @@)\nred(-b)\ngreen(+c)\n d'],
])('%s: %s', (language, code, colours) => {
  expect(shown(code, language)).toBe(colours)
})

describe('a text', () => {
  test('of an unknown language is left alone', () => {
    expect(highlight('if a then b', 'klingon', style)).toBe('if a then b')
    expect(highlight('if a then b', undefined, style)).toBe('if a then b')
  })

  test('has the same letters in every language, and no control characters', () => {
    const languages = fc.constantFrom(
      ...[
        'ts',
        'json',
        'py',
        'go',
        'rust',
        'java',
        'c',
        'sh',
        'sql',
        'yaml',
        'toml',
        'html',
        'css',
        'md',
        'diff',
        'none',
      ],
    )
    fc.assert(
      fc.property(markdownText, languages, (code, language) => {
        const text = unstyled(highlight(code, language, style))
        expect(text).toBe(highlight(code, undefined, style))
        expect(text).not.toMatch(/[^\P{Cc}\n\t]/u)
      }),
      { numRuns: 300 },
    )
  })

  test('that never ends what it begins takes no longer for it', () => {
    for (const part of ['(/[', '"', '/*', '`${', "'", '<a ', '- ', '$', '{', '\\']) {
      for (const language of ['ts', 'json', 'py', 'sh', 'yaml', 'html', 'css', 'md']) {
        const code = part.repeat(10_000)
        expect(unstyled(highlight(code, language, style))).toBe(code)
      }
    }
  })
})
