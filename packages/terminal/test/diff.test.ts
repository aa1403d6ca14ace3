import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTextStyle, renderDiff, widthOf } from '../src/index.ts'
import { ESC, markdownText, unstyled } from './markdown-samples.ts'

const style = createTextStyle(false)
const coloured = createTextStyle(true)
const plain = (patch: string, width = 60) => renderDiff(patch, { style, width })

const UNIFIED = [
  ...['diff --git a/x.ts b/x.ts', '--- a/x.ts', '+++ b/x.ts', '@@ -9,3 +9,3 @@ class A', ' a'],
  ...['-one two', '+one 2', ' b', '\\ No newline at end of file'],
].join('\n')

test('a unified diff keeps its signs and gets numbers', () => {
  expect(plain(UNIFIED)).toEqual([
    ...['diff --git a/x.ts b/x.ts', '--- a/x.ts', '+++ b/x.ts', '@@ -9,3 +9,3 @@ class A', ' 9  a'],
    ...['10 -one two', '10 +one 2', '11  b', '\\ No newline at end of file'],
  ])
})

test('lines that look like a header, but are counted by one, are lines', () => {
  const patch = '--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n x\n--- a/y\n+++ b/y'
  expect(plain(patch).slice(3)).toEqual(['1 --- old', '1 +++ new', '2  x', '--- a/y', '+++ b/y'])
})

test('a hunk whose header miscounts is shown to its end', () => {
  expect(plain('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n@@ -9 +9 @@\n d').slice(3)).toEqual([
    ...['1 -a', '1 +b', '2 +c', '@@ -9 +9 @@', '9  d'],
  ])
})

test('the format of our tool: numbers only where they are known', () => {
  const patch = [
    ...['*** Begin Patch', '*** Add File: a', '+one', '+', '*** Update File: b', '*** Move to: c', '@@ class A', ' x'],
    ...['-y', '+z', '--- w', '*** End of File', '*** Delete File: d', '*** End Patch'],
  ].join('\n')
  expect(plain(patch)).toEqual([
    ...[
      '*** Begin Patch',
      '*** Add File: a',
      '1 +one',
      '2 +',
      '*** Update File: b',
      '*** Move to: c',
      '@@ class A',
      '   x',
    ],
    ...['  -y', '  +z', '  --- w', '*** End of File', '*** Delete File: d', '*** End Patch'],
  ])
})

test('blocks of search and replace get signs', () => {
  expect(plain('x.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE')).toEqual([
    ...['x.ts', '<<<<<<< SEARCH', '-a', '=======', '+b', '>>>>>>> REPLACE'],
  ])
})

describe('colours', () => {
  const lines = (patch: string) => renderDiff(patch, { style: coloured, width: 60 })

  test('of files, places, numbers, signs and changed words', () => {
    expect(lines(UNIFIED).slice(1, 7)).toEqual([
      '\x1b[1m--- a/x.ts\x1b[22m',
      '\x1b[1m+++ b/x.ts\x1b[22m',
      '\x1b[36m@@ -9,3 +9,3 @@ class A\x1b[39m',
      '\x1b[2m 9 \x1b[22m a',
      '\x1b[2m10 \x1b[22m\x1b[31m-\x1b[39m\x1b[31mone \x1b[39m\x1b[31m\x1b[7mtwo\x1b[27m\x1b[39m',
      '\x1b[2m10 \x1b[22m\x1b[32m+\x1b[39m\x1b[32mone \x1b[39m\x1b[32m\x1b[7m2\x1b[27m\x1b[39m',
    ])
  })

  const INVERSE = new RegExp(`${ESC}\\[7m(.*?)${ESC}\\[27m`, 'g')
  const inverse = (patch: string) => lines(patch).map((line) => [...line.matchAll(INVERSE)].map(([, word]) => word))

  test.each([
    ['whole words of Korean', '-값을 읽습니다 x', '+값을 씁니다 x', [['읽습니다'], ['씁니다']]],
    ['single signs of Chinese', '-读取文件内容', '+写入文件内容', [['读取'], ['写入']]],
    ['an emoji is never taken apart', '-see 👩‍👩‍👧 there', '+see 👩‍👩‍👦 there', [['👩‍👩‍👧'], ['👩‍👩‍👦']]],
    ['nothing where the lines have little in common', '-return value', '+throw new Error("x")', [[], []]],
  ])('%s', (_, old, fresh, words) => {
    expect(inverse(`@@ -1 +1 @@\n${old}\n${fresh}`).slice(1)).toEqual(words)
  })
})

test('a long line goes on further in, and tabs are blanks', () => {
  expect(plain('@@ -7 +7 @@\n+\tabcdefg한국어ijkl', 16).slice(1)).toEqual(['7 +    abcdefg', '     한국어ijkl'])
})

describe('with a limit', () => {
  const patch = ['@@ -1,0 +1,9 @@', ...Array.from({ length: 9 }, (_, line) => `+line ${line}`)].join('\n')

  test('the last line says how much is hidden', () => {
    const more = (hidden: number) => `${hidden} more`
    expect(renderDiff(patch, { style, width: 40, maxLines: 4, more })).toEqual([
      ...['@@ -1,0 +1,9 @@', '1 +line 0', '2 +line 1', '7 more'],
    ])
    expect(renderDiff(patch, { style, width: 40, maxLines: 10, more }).at(-1)).toBe('9 +line 8')
  })

  test('a line that is broken is shown whole or not at all', () => {
    const broken = `@@ -1 +1 @@\n+${'x'.repeat(50)}\n+y`
    expect(renderDiff(broken, { style, width: 20, maxLines: 4 })).toEqual(['@@ -1 +1 @@', '… +2'])
  })
})

test('without its frame a change is named by one line for each file, and still says what is renamed or deleted', () => {
  const patch = [
    ...['--- /dev/null', '+++ b/new.ts', '@@ -0,0 +1 @@', '+one'],
    ...['--- a/same.ts', '+++ b/same.ts', '@@ -4 +4 @@', '-two', '+three'],
    ...['--- a/old.ts', '+++ b/other.ts', '@@ -1 +1 @@', '-++ x', '+-- /dev/null'],
    ...['--- a/gone.ts', '+++ /dev/null', '@@ -1 +0,0 @@', '-four'],
  ].join('\n')
  expect(renderDiff(patch, { style, width: 40, only: 'files' })).toEqual([
    ...['+++ b/new.ts', '1 +one'],
    ...['+++ b/same.ts', '@@ -4 +4 @@', '4 -two', '4 +three'],
    ...['--- a/old.ts', '+++ b/other.ts', '@@ -1 +1 @@', '1 -++ x', '1 +-- /dev/null'],
    ...['--- a/gone.ts', '+++ /dev/null', '@@ -1 +0,0 @@', '1 -four'],
  ])
})

test('whatever the patch is, lines fit, nothing gets through and nothing is lost', () => {
  fc.assert(
    fc.property(
      markdownText,
      fc.integer({ min: 10, max: 100 }),
      fc.constantFrom(style, coloured),
      (patch, width, used) => {
        const lines = renderDiff(`@@ -1,3 +1,3 @@\n${patch}`, { style: used, width })
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThanOrEqual(width)
          expect(unstyled(line)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e]/u)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('a patch of thousands of changed lines is shown without delay', () => {
  const line = (word: string) => Array.from({ length: 60 }, (_, at) => `${word}${at}`).join(' ')
  const patch = Array.from({ length: 2_000 }, (_, at) => `-${line(`a${at}`)}\n+${line(`b${at}`)}`).join('\n')
  expect(renderDiff(`@@ -1 +1 @@\n${patch}`, { style: coloured, width: 2_000 }).length).toBe(4_001)
})
