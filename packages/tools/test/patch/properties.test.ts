import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLines } from '../../src/line-diff.ts'
import { patched, plan, text } from './trees.ts'

// Few different lines, so that they repeat themselves; and those that look like parts of a patch.
const line = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  '-- a',
  '++ b',
  '@@ -1 +1 @@',
  '*** End Patch',
  '=======',
  '\\ x',
  'd e',
  '```',
)
const lines = fc.array(line, { maxLength: 25 })
const end = fc.constantFrom('\n', '\r\n')

describe('the diff between two texts, applied to the first, gives the second', () => {
  test('whatever their lines and their last newlines are', async () => {
    const texts = fc.tuple(lines, fc.boolean()).map(([all, isEnded]) => all.join('\n') + (isEnded ? '\n' : ''))
    await fc.assert(
      fc.asyncProperty(texts, texts, async (before, after) => {
        fc.pre(before !== after)
        const { text: diff } = diffLines('f', before, after)
        expect(await patched(`${diff}\n`, { f: before })).toEqual({ f: after })
      }),
      { numRuns: 1500 },
    )
  })

  test('a patch that ends its lines with CRLF says the same', async () => {
    await fc.assert(
      fc.asyncProperty(lines, lines, async (before, after) => {
        fc.pre(before.join() !== after.join())
        const { text: diff } = diffLines('f', text(...before), text(...after))
        expect(await patched(`${diff}\n`.replaceAll('\n', '\r\n'), { f: text(...before) })).toEqual({
          f: text(...after),
        })
      }),
    )
  })
})

describe('what a patch does not touch stays byte for byte', () => {
  test('line ends, also mixed ones, the byte-order mark and a missing last newline', async () => {
    const words = fc.array(fc.constantFrom('one', 'two', 'three', 'four', 'five', ''), { minLength: 6, maxLength: 30 })
    const sample = fc.record({
      words,
      ends: fc.array(end, { minLength: 30, maxLength: 30 }),
      mark: fc.constantFrom('', '\uFEFF'),
      isEnded: fc.boolean(),
      at: fc.nat(),
      fresh: fc.array(fc.constantFrom('six', 'seven'), { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(sample, async ({ words, ends, mark, isEnded, at, fresh }) => {
        // All different, so that it is known which of them the diff takes away.
        const old = words.map((word, index) => `${word} ${index}`)
        const row = at % old.length
        const after = old.toSpliced(row, 1, ...fresh)
        const bytes = old.map((word, index) => word + (index === old.length - 1 && !isEnded ? '' : ends[index]))
        const { text: diff } = diffLines('f', text(...old), text(...after))
        const { f: done = '' } = await patched(`${diff}\n`, { f: mark + bytes.join('') })
        // Where the last line goes, and had no newline, the one before it loses its own.
        const isLastGone = row === old.length - 1 && fresh.length === 0 && !isEnded
        const above = mark + bytes.slice(0, row).join('')
        expect(done.startsWith(isLastGone ? above.trimEnd() : above)).toBe(true)
        expect(done.endsWith(bytes.slice(row + 1).join(''))).toBe(true)
        expect(done.slice(mark.length).split(/\r?\n/)).toEqual([...after, ...(isEnded && after.length > 0 ? [''] : [])])
      }),
      { numRuns: 400 },
    )
  })

  test('a new line ends like the one that it replaces, or else like the one before it', async () => {
    const file = 'a\r\nb\nc\r\nd\n'
    const patch = '--- a/f\n+++ b/f\n@@ -1,4 +1,6 @@\n a\n+a2\n-b\n+B\n+B2\n c\n d\n'
    expect(await patched(patch, { f: file })).toEqual({ f: 'a\r\na2\nB\nB2\nc\r\nd\n' })
  })

  test('old Macintosh line ends', async () => {
    const patch = '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'
    expect(await patched(patch, { f: 'one\rtwo\rthree\r' })).toEqual({ f: 'one\r2\rthree\r' })
  })

  test('the last newline goes and comes only where the patch says so', async () => {
    const marker = '\\ No newline at end of file\n'
    const head = '--- a/f\n+++ b/f\n@@ -1 +1 @@\n'
    expect(await patched(`${head}-one\n+two\n${marker}`, { f: 'one\n' })).toEqual({ f: 'two' })
    expect(await patched(`${head}-one\n${marker}+two\n`, { f: 'one' })).toEqual({ f: 'two\n' })
    expect(await patched(`${head}-one\n${marker}+two\n${marker}`, { f: 'one' })).toEqual({ f: 'two' })
    expect(await patched(`${head}-one\n${marker}+one\n`, { f: 'one' })).toEqual({ f: 'one\n' })
    expect(await patched(`${head}-one\n+two\n`, { f: 'one' })).toEqual({ f: 'two' })
  })
})

describe('whatever is sent', () => {
  test('nothing is thrown, and nothing but a plan or a refusal in words comes back', async () => {
    const telling = fc.constantFrom(
      '--- a/f',
      '+++ b/f',
      '@@ -1,2 +1,2 @@',
      '@@',
      '*** Begin Patch',
      '*** Update File: f',
      '*** End Patch',
    )
    const blocks = fc.constantFrom('<<<<<<< SEARCH', '=======', '>>>>>>> REPLACE', '```', ' ...', 'rename from f', 'f')
    const signed = fc.tuple(
      fc.constantFrom('+', '-', ' ', ''),
      fc.oneof(line, fc.string({ unit: 'binary', maxLength: 8 })),
    )
    const row = fc.oneof(
      telling,
      blocks,
      signed.map((parts) => parts.join('')),
    )
    const patch = fc.array(row, { maxLength: 30 }).map((rows) => rows.join('\n'))
    await fc.assert(
      fc.asyncProperty(patch, lines, async (sent, file) => {
        const result = await plan(sent, { f: text(...file) }, { path: 'f' })
        if (result.ok) expect(result.changes.length).toBeGreaterThan(0)
        else expect(result.diagnostics.every(({ message, hint }) => message !== '' && hint !== '')).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
