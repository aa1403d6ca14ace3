import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeText } from '../../src/text/encode-text.ts'
import { type Encoding, type FileContent, readText } from '../../src/text/read-text.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const latin = (text: string) => Buffer.from(text, 'latin1')

function textOf(content: FileContent) {
  if (content.kind !== 'text') throw new Error(`${content.kind}: ${content.reason}`)
  return content
}

function encoded(text: string, encoding: Encoding, bom = false): Buffer {
  const result = encodeText(text, { encoding, bom })
  if (result instanceof Uint8Array) return Buffer.from(result)
  throw new Error(result.problem.message)
}

describe('what a file is', () => {
  test.each<[name: string, content: Uint8Array, expected: object]>([
    ['nothing', bytes(), { encoding: 'utf-8', bom: false, text: '', eol: 'none', finalNewline: false }],
    ['ASCII', Buffer.from('a\nb\n'), { encoding: 'utf-8', bom: false, text: 'a\nb\n', eol: 'lf', finalNewline: true }],
    [
      'UTF-8',
      Buffer.from('가\r\n나'),
      { encoding: 'utf-8', bom: false, text: '가\r\n나', eol: 'crlf', finalNewline: false },
    ],
    [
      'UTF-8 with a mark',
      Buffer.from('\uFEFFa\r'),
      { encoding: 'utf-8', bom: true, text: 'a\r', eol: 'cr', finalNewline: true },
    ],
    ['two marks: the second is text', Buffer.from('\uFEFF\uFEFFa'), { encoding: 'utf-8', bom: true, text: '\uFEFFa' }],
    ['UTF-16 LE with a mark', latin('\xff\xfea\0\n\0'), { encoding: 'utf-16le', bom: true, text: 'a\n', eol: 'lf' }],
    [
      'UTF-16 BE with a mark',
      latin('\xfe\xff\0a\0\r\0\n'),
      { encoding: 'utf-16be', bom: true, text: 'a\r\n', eol: 'crlf' },
    ],
    [
      'UTF-16 LE without',
      Buffer.from('Hello, 세계\n', 'utf16le'),
      { encoding: 'utf-16le', bom: false, text: 'Hello, 세계\n' },
    ],
    [
      'UTF-16 BE without',
      Buffer.from('가격: 대략 100원\n', 'utf16le').swap16(),
      { encoding: 'utf-16be', bom: false, text: '가격: 대략 100원\n' },
    ],
    [
      'EUC-KR',
      latin('\xc7\xd1\xb1\xdb abc\n'),
      { encoding: 'cp949', bom: false, text: '한글 abc\n', finalNewline: true },
    ],
    ['CP949 with a syllable that EUC-KR lacks', latin('\xc7\xd1\x94\xee'), { encoding: 'cp949', text: '한뷁' }],
    [
      'Latin-1, as a last resort',
      latin('caf\xe9 cr\xe8me \x93br\xfbl\xe9e\x94\n'),
      { encoding: 'windows-1252', text: 'café crème “brûlée”\n' },
    ],
    ['line ends of both kinds', Buffer.from('a\r\nb\nc'), { eol: 'mixed' }],
    ['a log with colours', Buffer.from('\x1b[31mred\x1b[0m\n'), { encoding: 'utf-8', text: '\x1b[31mred\x1b[0m\n' }],
  ])('%s', (_, content, expected) => {
    expect(readText(content)).toMatchObject({ kind: 'text', ...expected })
  })

  test.each<[name: string, content: Uint8Array, expected: object]>([
    ['a PNG image', latin('\x89PNG\r\n\x1a\n\0\0\0'), { mediaType: 'image/png' }],
    ['a JPEG image', latin('\xff\xd8\xff\xe0\0\x10JFIF'), { mediaType: 'image/jpeg' }],
    ['a GIF image', latin('GIF89a\x01\0\x01\0\x80'), { mediaType: 'image/gif' }],
    ['a WebP image', latin('RIFF\x1a\0\0\0WEBPVP8L'), { mediaType: 'image/webp' }],
    ['a PDF document', latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'), { mediaType: 'application/pdf' }],
    ['NUL bytes', latin('abc\0def'), { reason: 'holds NUL bytes' }],
    ['a NUL far behind', Buffer.concat([Buffer.alloc(100_000, 'a'), bytes(0)]), { reason: 'holds NUL bytes' }],
    ['a NUL in UTF-16', latin('\xff\xfea\0\0\0'), { reason: 'holds NUL characters' }],
    ['UTF-32', latin('\xff\xfe\0\0a\0\0\0'), { reason: 'is UTF-32, which is not supported' }],
    ['control characters', latin('\x01\x02\x03abc'), { reason: 'holds mostly control characters' }],
    ['small numbers of two bytes', bytes(1, 0, 2, 0, 3, 0, 4, 0), { reason: 'holds NUL bytes' }],
    ['noise', bytes(...Array.from({ length: 64 }, (_, index) => 0x80 + ((index * 37) % 127))), { kind: 'binary' }],
  ])('%s is no text', (_, content, expected) => {
    expect(readText(content)).toMatchObject({ kind: 'binary', ...expected })
  })

  test('text that only begins like an image is text', () => {
    expect(textOf(readText(Buffer.from('GIF89a is a format\n'))).encoding).toBe('utf-8')
  })

  test('UTF-8 that was torn in the middle of a character can be shown, but is not called text', () => {
    const torn = Buffer.from('한국어 문장입니다\n').subarray(4)
    expect(readText(torn)).toMatchObject({
      kind: 'damaged',
      encoding: 'utf-8',
      text: '\uFFFD\uFFFD어 문장입니다\n',
    })
  })

  test('a marked file of half a character can be shown, but is not called text', () => {
    expect(readText(latin('\xff\xfea\0b'))).toMatchObject({ kind: 'damaged', encoding: 'utf-16le' })
    expect(readText(latin('\xef\xbb\xbfabc\xff'))).toMatchObject({
      kind: 'damaged',
      encoding: 'utf-8',
      text: 'abc\uFFFD',
    })
  })
})

describe('the way back', () => {
  const encodings: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'cp949', 'windows-1252']
  const korean = fc.constantFrom('가', '뷁', '똠', '한', '글', 'A', ' ', '\n', '\r\n', '\r', '1', '漢')
  const western = fc.constantFrom('é', 'ß', '“', 'A', 'b', ' ', '\n', '\r\n', 'x', 'y', 'z', '.')
  const any = fc.oneof(korean, western, fc.string({ unit: 'binary', maxLength: 3 }))
  const texts = { 'utf-8': any, 'utf-16le': any, 'utf-16be': any, cp949: korean, 'windows-1252': western }

  test('any bytes that are called text come back as they were, also damaged ones', () => {
    const seen = new Set<string>()
    const sample = fc.constantFrom(...encodings).chain((encoding) =>
      fc.record({
        encoding: fc.constant(encoding),
        bom: fc.boolean(),
        text: fc.array(texts[encoding], { maxLength: 40 }).map((parts) => parts.join('')),
        damage: fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 2 }),
        cut: fc.nat(3),
      }),
    )
    fc.assert(
      fc.property(sample, ({ encoding, bom, text, damage, cut }) => {
        const content = encoded(text, encoding, bom)
        for (const [at, byte] of damage) if (at < content.length) content[at] = byte
        const given = content.subarray(0, content.length - cut)
        const read = readText(given)
        if (read.kind !== 'text') return
        seen.add(`${read.encoding} ${read.bom}`)
        expect(Buffer.from(encoded(read.text, read.encoding, read.bom)).equals(given)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
    // The property is empty for an encoding that is never found.
    expect([...seen].sort()).toEqual(
      [
        'cp949 false',
        'utf-16be false',
        'utf-16be true',
        'utf-16le false',
        'utf-16le true',
        'utf-8 false',
        'utf-8 true',
        'windows-1252 false',
      ].sort(),
    )
  })

  test('random bytes that are called text come back as they were', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (given) => {
        const read = readText(given)
        if (read.kind === 'text') expect(encoded(read.text, read.encoding, read.bom)).toEqual(Buffer.from(given))
      }),
      { numRuns: 5_000 },
    )
  })

  test('every Korean syllable there is goes to CP949 and back', () => {
    const syllables = Array.from({ length: 0xd7a4 - 0xac00 }, (_, index) => String.fromCharCode(0xac00 + index)).join(
      '',
    )
    const content = encoded(`${'한글\n'.repeat(10_000)}${syllables}`, 'cp949')
    const read = textOf(readText(content))
    expect(read.encoding).toBe('cp949')
    expect(read.text.endsWith(syllables)).toBe(true)
  })

  // As iconv and Python have them.
  test.each([
    ['가', [0xb0, 0xa1]],
    ['힝', [0xc8, 0xfe]],
    ['갂', [0x81, 0x41]],
    ['뷁', [0x94, 0xee]],
    ['힣', [0xc6, 0x52]],
    ['€', [0xa2, 0xe6]],
    ['漢', [0xf9, 0xd3]],
    ['∼', [0xa1, 0xad]],
  ])('%s has its place in CP949', (character, place) => {
    const result = encodeText(character, { encoding: 'cp949', bom: false })
    expect(result instanceof Uint8Array ? [...result] : result).toEqual(place)
  })

  test.each<[text: string, encoding: Encoding, details: object]>([
    ['가나\n다😀', 'cp949', { line: 2, column: 2, character: 'U+1F600' }],
    ['a—b', 'cp949', { line: 1, column: 2, character: 'U+2014' }],
    ['한', 'windows-1252', { line: 1, column: 1, character: 'U+D55C' }],
    ['a\ud800b', 'utf-8', { line: 1, column: 2, character: 'U+D800' }],
    ['\udc00', 'utf-16le', { line: 1, column: 1, character: 'U+DC00' }],
  ])('a character that the encoding lacks is a problem, never a question mark: %j as %s', (text, encoding, details) => {
    expect(encodeText(text, { encoding, bom: false })).toMatchObject({ problem: { code: 'not-in-encoding', details } })
  })
})
