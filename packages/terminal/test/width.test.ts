import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTextStyle, cutText, graphemesOf, widthOf, wrapText } from '../src/index.ts'

const style = createTextStyle(true)
const link = (text: string) => `\x1b]8;;https://example.org\x1b\\${text}\x1b]8;;\x1b\\`

describe('cells', () => {
  test.each([
    ['', 0],
    ['hello', 5],
    ['한글', 4],
    ['漢字かなカナ', 12],
    ['ｆｕｌｌ', 8],
    ['ﾊﾝｶｸ', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['한글'.normalize('NFD'), 4],
    ['ㅎ', 2],
    ['🙂', 2],
    ['👩‍💻', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['👍🏽', 2],
    ['🇰🇷', 2],
    ['🏳️‍🌈', 2],
    ['❤', 1],
    ['❤️', 2],
    ['1️⃣', 2],
    ['a1️⃣b', 4],
    ['…─│█⠋→', 6],
    ['α§°', 3],
    ['a\u200bb', 2],
    ['ที่', 1],
    [style.bold('굵게'), 4],
    [`${style.red('a')}\x1b[38;5;12mb\x1b[0m`, 2],
    [link('링크'), 4],
    ['\x1b[1m\ufe0fa', 1],
    ['\x1b[1', 2],
  ])('%j takes %i', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  test('graphemes are what a person calls characters', () => {
    expect(graphemesOf('a한👩‍💻e\u0301')).toEqual(['a', '한', '👩‍💻', 'e\u0301'])
    expect(graphemesOf('abc')).toEqual(['a', 'b', 'c'])
  })

  test('the short ways give what the long way gives', () => {
    const segmenter = new Intl.Segmenter()
    const long = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'abc 한글漢、\u0301\ufe0f\u200d1👩💻ㅎ한…─ﾞ'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    })
    fc.assert(
      fc.property(
        text.filter((one) => !/\p{Cc}/u.test(one)),
        (one) => {
          expect(graphemesOf(one)).toEqual(long(one))
          expect(widthOf(one)).toBe(long(one).reduce((sum, grapheme) => sum + widthOf(grapheme), 0))
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('cutting', () => {
  test.each([
    ['hello', 5, 'hello'],
    ['hello!', 5, 'hell…'],
    ['한국어', 5, '한국…'],
    ['한국어', 4, '한…'],
    ['한국어', 1, '…'],
    ['한국어', 0, ''],
    ['👩‍💻👩‍💻', 3, '👩‍💻…'],
    [style.red('한국어'), 4, '\x1b[31m한…\x1b[39m'],
    [style.red('ab') + style.bold('cdef'), 4, '\x1b[31mab\x1b[39m\x1b[1mc…\x1b[22m'],
    [link('abcdef'), 3, `\x1b]8;;https://example.org\x1b\\ab…\x1b]8;;\x1b\\`],
  ])('%j to %i cells', (text, width, cut) => {
    expect(cutText(text, width)).toBe(cut)
  })

  test('with another mark', () => {
    expect(cutText('hello', 4, '')).toBe('hell')
    expect(cutText('hello', 4, '...')).toBe('h...')
  })
})

describe('wrapping', () => {
  test.each([
    ['', 5, ['']],
    ['one two three', 7, ['one two', 'three']],
    ['one two   three', 7, ['one two', 'three']],
    ['  indented words', 10, ['  indented', 'words']],
    ['    abcdefgh', 8, ['    abcd', 'efgh']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['a abcdefgh', 4, ['a', 'abcd', 'efgh']],
    ['한국어 문장', 7, ['한국어', '문장']],
    ['한국어문장', 7, ['한국어', '문장']],
    ['끝이다. 다음', 7, ['끝이다.', '다음']],
    ['이 파일을 고칩니다', 11, ['이 파일을', '고칩니다']],
    ['그 README를 (예)입니다', 12, ['그 README를', '(예)입니다']],
    ['漢字で書く、文', 6, ['漢字で', '書く、', '文']],
    ['字字(字)', 6, ['字字', '(字)']],
    ['a\n\nb', 5, ['a', '', 'b']],
    ['👩‍💻👩‍💻👩‍💻', 5, ['👩‍💻👩‍💻', '👩‍💻']],
    ['한', 1, ['한']],
  ])('%j to %i cells', (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines)
  })

  test('styles and links are closed at the end of each line and open again on the next', () => {
    expect(wrapText(`a ${style.bold(style.red('bc de'))} f`, 4)).toEqual([
      'a \x1b[1m\x1b[31mbc\x1b[22;39m',
      '\x1b[1;31mde\x1b[39m\x1b[22m f',
    ])
    expect(wrapText('\x1b[38;2;1;2;3mab cd\x1b[m', 2)).toEqual([
      '\x1b[38;2;1;2;3mab\x1b[39m',
      '\x1b[38;2;1;2;3mcd\x1b[m',
    ])
    expect(wrapText(style.dim('a\nb'), 5)).toEqual(['\x1b[2ma\x1b[22m', '\x1b[2mb\x1b[22m'])
    expect(wrapText(link('ab cd'), 2)).toEqual([link('ab'), link('cd')])
  })

  test('no line is too wide, nothing but blanks is lost, and each line closes what it opens', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ' ',
        '  ',
        '한국어',
        '漢字',
        'word',
        'averylongword',
        '👩‍💻',
        '(',
        ')',
        '。',
        '\x1b[1m',
        '\x1b[22m',
        '\x1b[31m',
        '\x1b[0m',
      ),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), fc.integer({ min: 2, max: 20 }), (words, width) => {
        const text = words.join('')
        const lines = wrapText(text, width)
        const bare = (styled: string) => styled.replace(/\p{Cc}\[[\d;]*m| /gu, '')
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
        expect(bare(lines.join(''))).toBe(bare(text))
        for (const line of lines) expect(cutText(`${line}x`, widthOf(line), '')).toBe(line)
      }),
      { numRuns: 400 },
    )
  })
})
