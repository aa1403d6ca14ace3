import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines } from '../src/line-diff.ts'

test('a diff says where, what, and that the last newline is missing', () => {
  expect(diffLines('a', 'x\ny\n', 'x\nz').text).toBe(
    '--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n\\ No newline at end of file',
  )
})

test('distant changes are separate hunks', () => {
  const before = Array.from({ length: 30 }, (_, index) => `${index}`)
  const after = before.with(2, 'two').toSpliced(25, 1)
  const { text, changed } = diffLines('a', `${before.join('\n')}\n`, `${after.join('\n')}\n`)
  expect(text.match(/^@@.*@@$/gm)).toEqual(['@@ -1,6 +1,6 @@', '@@ -23,7 +23,6 @@'])
  expect(changed).toBe(3)
})

test('applied to the old text, every diff gives the new one', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      expect(patch(before, diffLines('f', before, after).text)).toBe(after)
    }),
  )
})

test('equal texts have no diff', () => {
  expect(diffLines('a', 'x\n', 'x\n')).toEqual({ text: '--- a/a\n+++ b/a', changed: 0 })
})

function patch(before: string, diff: string): string {
  // Newlines stay with their lines, so that a missing last one is seen.
  const old = before.split(/(?<=\n)/).filter((line) => line !== '')
  const made: string[] = []
  let at = 0
  const lines = diff.split('\n').slice(2)
  for (const [index, line] of lines.entries()) {
    const head = /^@@ -(\d+),(\d+)/.exec(line)
    const end = lines[index + 1]?.startsWith('\\') ? '' : '\n'
    if (head) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1)
      made.push(...old.slice(at, start))
      at = start
    } else if (line.startsWith('+')) made.push(line.slice(1) + end)
    else if (line.startsWith('-') || line.startsWith(' ')) {
      expect(old[at]).toBe(line.slice(1) + end)
      if (line.startsWith(' ')) made.push(line.slice(1) + end)
      at++
    }
  }
  return [...made, ...old.slice(at)].join('')
}
