import { expect, test } from 'vitest'
import { ownSeconds } from '../own-seconds.ts'
import { plan } from './trees.ts'

const same = 'a\n'.repeat(100_000)
const all = Array.from({ length: 100_000 }, (_, index) => `line ${index} of the file\n`)
const head = '--- a/f\n+++ b/f\n'
const indexed = `diff --git a/f b/f\nindex 1234567..89abcde\n${head}`
const megabyte = (piece: string) => piece.repeat(Math.ceil(1_000_000 / piece.length))
const hunks = (make: (row: number) => string) => Array.from({ length: 9_000 }, (_, index) => make(index * 10)).join('')
const here = (row: number) => `@@ -${row + 1} +${row + 1} @@\n-${all[row]}+new\n`
const indented = (row: number) => `@@ @@\n   ${all[row]}-  ${all[row + 1]}+  new\n`
const elsewhere = (row: number) => `@@ -${row + 1},3 +${row + 1},3 @@\n ${all[row]}-not there\n+new\n ${all[row + 2]}`

test.each([
  ['hunks that all fit', head + hunks(here), all.join('')],
  ['hunks that fit by indentation', head + hunks(indented), all.join('')],
  ['hunks that fit nowhere', head + hunks(elsewhere), all.join('')],
  ['a hunk that nearly fits everywhere', `${head}@@ @@\n${megabyte(' a\n')}-z\n+b\n`, same],
  ['a hunk that any index line would settle', `${indexed}@@ @@\n-a\n+b\n`, same],
  ['a hunk that lacks any line', `${indexed}@@ -1,75002 +1,75002 @@\n${' a\n'.repeat(75_000)}-a\n+b\n`, same],
  ['one line', megabyte('x'), same],
  ['fences', `\`\`\`${megabyte(' ')}\`\n`, same],
  ['a long name', `--- ${megabyte(' ')}x\n+++ ${megabyte('\\303')}\n@@ @@\n-a\n+b\n`, same],
  ['blocks', megabyte('f\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n'), same],
])('a megabyte of %s takes no longer than it may', async (_, patch, file) => {
  const start = ownSeconds()
  await plan(patch, { f: file }, { path: 'f' })
  // About one second; what is not linear would take minutes.
  expect(ownSeconds() - start).toBeLessThan(5)
})
