import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOutputCleaner } from '../../src/command/clean-output.ts'
import { ownSeconds } from '../own-seconds.ts'

function cleanChunks(chunks: Buffer[], { isFlushed = false } = {}): string {
  const given: Buffer[] = []
  const cleaner = createOutputCleaner((bytes) => given.push(Buffer.from(bytes)))
  for (const chunk of chunks) {
    // As a reader does that uses one piece of memory for everything.
    const passing = Buffer.from(chunk)
    cleaner.push(passing)
    passing.fill('!')
    if (isFlushed) cleaner.flush()
  }
  cleaner.end()
  return Buffer.concat(given).toString()
}

const clean = (text: string) => cleanChunks([Buffer.from(text)])

describe('what a program writes for a terminal', () => {
  test.each([
    ['colours', '\u001b[1;31mred\u001b[0m and \u001b[38:5:7mgrey\u001b[m\n', 'red and grey\n'],
    ['titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\c\n', 'abc\n'],
    ['a title that never ends, up to the line', '\u001b]0;title\nnext\n', '\nnext\n'],
    ['other strings and short sequences', '\u001bPq#0\u001b\\a\u001b(Bb\u001b=c\u001b7d\n', 'abcd\n'],
    ['a sequence that is cut off', 'a\u001b[3', 'a'],
    ['bells', 'ding\u0007\n', 'ding\n'],
  ])('%s go', (_, text, expected) => {
    expect(clean(text)).toBe(expected)
  })

  test.each([
    ['keeps its last state', '10%\r50%\r100%\ndone\n', '100%\ndone\n'],
    ['keeps it when the return comes last', '10%\r100%\r\n', '100%\n'],
    ['is empty when it was erased', 'working…\r\u001b[K\nok\n', '\nok\n'],
    ['is what was written over it, whatever its colour', 'aaaa\r\u001b[2K\u001b[32mb\u001b[0m\n', 'b\n'],
    ['loses what was taken back, by whole characters', '-\b\\\b|\b한글\b말\n', '한말\n'],
    ['loses no more than there is', '\b\b\ba\n', 'a\n'],
  ])('a line that was overwritten %s', (_, text, expected) => {
    expect(clean(text)).toBe(expected)
  })

  test('line ends of another system become ours', () => {
    expect(clean('a\r\nb\r\r\nc\r\n')).toBe('a\nb\nc\n')
  })

  test('NULs become visible, many in a row as one', () => {
    expect(clean('a\0b\0\0\0\n\0')).toBe('a␀b␀\n␀')
    expect(clean('a\0\r\n\0b')).toBe('a␀\n␀b')
  })

  const line = fc
    .array(
      fc.constantFrom(
        'plain',
        '한글🙂',
        '\t',
        '\r',
        '\b',
        '\u0007',
        '\0',
        '\u001b[31m',
        '\u001b]0;t\u0007',
        '\u001b',
        ' ',
      ),
    )
    .map((pieces) => pieces.join(''))
  const output = fc.array(line).map((lines) => Buffer.from(lines.join('\n')))

  test('comes out the same in whatever pieces it came', () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(40)), (bytes, sizes) => {
        const chunks: Buffer[] = []
        let at = 0
        for (const size of sizes) {
          chunks.push(bytes.subarray(at, at + size))
          at += size
        }
        chunks.push(bytes.subarray(at))
        expect(cleanChunks(chunks)).toBe(cleanChunks([bytes]))
      }),
    )
  })

  test('a NUL that overwrites another one is there, and nothing between two of them makes them two', () => {
    expect(cleanChunks([Buffer.from('\0\r\u001b[31m\0')])).toBe('␀')
    expect(cleanChunks([Buffer.from('\0'), Buffer.from(''), Buffer.from('\0')])).toBe('␀')
    expect(cleanChunks([Buffer.from('\0\u001b\0plain')])).toBe('␀plain')
  })

  test('what holds no such signs stays byte for byte, however long its lines are', () => {
    const text = fc.array(fc.tuple(fc.constantFrom('x', '한', '🙂', 'x\n'), fc.nat(30_000)), { maxLength: 6 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 70_000 }), fc.boolean(), (runs, size, isFlushed) => {
        const bytes = Buffer.from(runs.map(([sign, count]) => sign.repeat(count)).join(''))
        const chunks: Buffer[] = []
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
        expect(cleanChunks(chunks, { isFlushed })).toBe(bytes.toString())
      }),
      { numRuns: 50 },
    )
  })

  test('bytes that are no UTF-8 pass as they are', () => {
    const given: Buffer[] = []
    const cleaner = createOutputCleaner((bytes) => given.push(Buffer.from(bytes)))
    const korean = Buffer.from([0x1b, 0x5b, 0x6d, 0xc7, 0xd1, 0xb1, 0xdb, 0x0d, 0x0a, 0xff])
    cleaner.push(korean)
    cleaner.end()
    expect(Buffer.concat(given)).toEqual(Buffer.from([0xc7, 0xd1, 0xb1, 0xdb, 0x0a, 0xff]))
  })

  test('a line that is not finished can be read, but for half a character or sequence', () => {
    const given: Buffer[] = []
    const cleaner = createOutputCleaner((bytes) => given.push(Buffer.from(bytes)))
    const read = () => Buffer.concat(given.splice(0)).toString()
    cleaner.push(Buffer.from('\u001b[32mReady'))
    cleaner.push(Buffer.from('한').subarray(0, 2))
    cleaner.flush()
    expect(read()).toBe('Ready')
    cleaner.push(Buffer.concat([Buffer.from('한').subarray(2), Buffer.from('\u001b[')]))
    cleaner.flush()
    expect(read()).toBe('한')
    cleaner.push(Buffer.from('0m!\n'))
    expect(read()).toBe('!\n')
  })

  test('a flood of anything is cleaned in one pass', () => {
    for (const piece of ['\r', '\b', '\u001b]', '\u001b[', '\r\u001b[Kx', 'x\b']) {
      const chunk = Buffer.from(piece.repeat(65_536 / piece.length))
      const start = ownSeconds()
      cleanChunks(Array.from({ length: 50 }, () => chunk))
      // 3 MB: a way that is not linear takes minutes.
      expect(ownSeconds() - start).toBeLessThan(3)
    }
  })
})
