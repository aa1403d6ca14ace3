import { describe, expect, test } from 'vitest'
import { codes, patched, refused, text } from './trees.ts'

const header = '--- a/f\n+++ b/f\n'
const file = text('one', 'two', 'three', 'four', 'five', 'six')

describe('a refusal says where and what', () => {
  test('lines that are not there: the first that differs, and what stands there', async () => {
    const [diagnostic] = await refused(`${header}@@ -2,4 +2,4 @@\n two\n three\n-vier\n+VIER\n five\n`, { f: file })
    expect(diagnostic).toEqual({
      code: 'not-found',
      message: 'Hunk 1 of f fits nowhere; the closest place differs at line 4: the patch has "vier".',
      hint: 'Copy the old lines from "found", or read the file again.',
      details: {
        file: 'f',
        hunk: 1,
        line: 3,
        stopsAt: 4,
        expected: 'vier',
        found: '1\tone\n2\ttwo\n3\tthree\n4\tfour\n5\tfive\n6\tsix',
      },
    })
  })

  test('nothing of it is there', async () => {
    const [diagnostic] = await refused(`${header}@@ -5,1 +5,1 @@\n-x\n+y\n`, { f: file })
    expect(diagnostic).toMatchObject({
      code: 'not-found',
      details: { found: '2\ttwo\n3\tthree\n4\tfour\n5\tfive\n6\tsix' },
    })
  })

  test('of every file and hunk at once, and nothing is changed', async () => {
    const patch = `${header}@@ -1 +1 @@\n-uno\n+eins\n@@ -2 +2 @@\n-two\n+zwei\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n`
    const all = await refused(patch, { f: file })
    expect(all.map(({ code, details }) => [code, details.file, details.hunk])).toEqual([
      ['not-found', 'f', 1],
      ['file-missing', 'g', undefined],
    ])
  })

  test('a missing file: the closest that exists', async () => {
    const similar = async () => ['src/util/paths.ts', 'src/util/path.ts', 'test/x.ts']
    const patch = '--- a/src/utils/path.ts\n+++ b/src/utils/path.ts\n@@ -1 +1 @@\n-a\n+b\n'
    const [diagnostic] = await refused(patch, {}, { similar })
    expect(diagnostic).toMatchObject({ code: 'file-missing', details: { file: 'src/utils/path.ts' } })
    expect(diagnostic?.hint).toMatch(/^Did you mean src\/util\/path\.ts or/)
  })
})

describe('refused', () => {
  const hunk = '@@ -1 +1 @@\n-one\n+ONE\n'
  test.each([
    ['no patch at all', 'Nothing to see here.\n', 'no-patch'],
    ['an empty text', '', 'no-patch'],
    ['a path that climbs', `--- a/f\n+++ b/../f\n${hunk}`, 'bad-path'],
    ['an absolute path', '*** Begin Patch\n*** Add File: /etc/x\n+x\n*** End Patch\n', 'bad-path'],
    ['a path of a drive', '*** Begin Patch\n*** Add File: C:\\x\n+x\n*** End Patch\n', 'bad-path'],
    ['a home path', '*** Begin Patch\n*** Add File: ~/x\n+x\n*** End Patch\n', 'bad-path'],
    ['a path that climbs in a block', '../x\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n', 'bad-path'],
    ['a path with a NUL', `--- a/f\0.png\n+++ b/f\0.png\n${hunk}`, 'bad-path'],
    ['a path that is a directory', '*** Begin Patch\n*** Add File: src/\n+x\n*** End Patch\n', 'bad-path'],
    ['a copy', 'diff --git a/f b/g\ncopy from f\ncopy to g\n', 'unsupported'],
    ['a binary file', 'diff --git a/f b/f\nBinary files a/f and b/f differ\n', 'unsupported'],
    ['a binary patch', 'diff --git a/f b/f\nGIT binary patch\nliteral 1\nAbc\n', 'unsupported'],
    ['a link', 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+f\n', 'unsupported'],
    [
      'a submodule',
      'diff --git a/s b/s\nnew file mode 160000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+S\n',
      'unsupported',
    ],
    [
      'a setuid file',
      'diff --git a/s b/s\nnew file mode 104755\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+S\n',
      'unsupported',
    ],
    ['a change of mode', `diff --git a/f b/f\nold mode 100644\nnew mode 100755\n${header}${hunk}`, 'unsupported'],
    ['a new file that exists', '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n', 'file-exists'],
    ['a rename onto a file', 'diff --git a/f b/g\nrename from f\nrename to g\n', 'file-exists'],
    ['a file that is missing', `--- a/x\n+++ b/x\n${hunk}`, 'file-missing'],
    ['a deleted file that is missing', '*** Begin Patch\n*** Delete File: x\n*** End Patch\n', 'file-missing'],
    ['two names without a rename', `--- a/f\n+++ b/g\n${hunk}`, 'malformed'],
    ['a header without hunks', 'diff --git a/f b/f\n', 'malformed'],
    [
      'created and changed at once',
      `--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n--- a/n\n+++ b/n\n${hunk}`,
      'same-file-twice',
    ],
    [
      'deleted and changed at once',
      `*** Begin Patch\n*** Delete File: f\n*** Update File: f\n@@\n-one\n+1\n*** End Patch\n`,
      'same-file-twice',
    ],
    ['a hunk without changes', `${header}@@ -1 +1 @@\n one\n@@ -2 +2 @@\n-two\n+2\n`, 'empty-hunk'],
    ['added lines without context', `${header}@@ -2,0 +3,1 @@\n+new\n`, 'no-context'],
    ['a change of nothing', `${header}@@ -1 +1 @@\n-one\n+one\n`, 'no-change'],
    ['a deletion that lacks lines', `--- a/f\n+++ /dev/null\n@@ @@\n-one\n-two\n@@ @@\n-four\n`, 'truncated'],
  ])('%s', async (_, patch, code) => {
    expect(await codes(patch, { f: file, g: 'x\n' })).toEqual([code])
  })

  test('a patch with one bad part, whole', async () => {
    const patch = '*** Begin Patch\n*** Add File: ok.txt\n+fine\n*** Add File: ../x\n+bad\n*** End Patch\n'
    expect(await codes(patch, {})).toEqual(['bad-path'])
  })
})

describe('a patch whose end is missing', () => {
  const long = text(...Array.from({ length: 30 }, (_, index) => `line ${index + 1}`))
  const lines = [
    ' line 9',
    ' line 10',
    ' line 11',
    '-line 12',
    '+twelve',
    '+and a half',
    ' line 13',
    ' line 14',
    ' line 15',
  ]
  const cut = (count: number) => `${header}@@ -9,7 +9,8 @@\n${text(...lines.slice(0, count))}`

  test('is refused wherever a change is lost, and applied where only context is', async () => {
    const whole = long.replace('line 12', 'twelve\nand a half')
    for (const count of [4, 5]) expect(await codes(cut(count), { f: long }), `${count} lines`).toEqual(['truncated'])
    for (const count of [6, 7, 8, 9]) expect(await patched(cut(count), { f: long })).toEqual({ f: whole })
    for (const count of [0, 1, 3]) expect(await codes(cut(count), { f: long })).toEqual(['truncated'])
  })

  test('is refused between two changes of a hunk', async () => {
    const hunk =
      '@@ -9,12 +9,12 @@\n line 9\n line 10\n line 11\n-line 12\n+twelve\n line 13\n line 14\n line 15\n line 16\n'
    expect(await codes(header + hunk, { f: long })).toEqual(['truncated'])
    const added = hunk.replace('-9,12 +9,12', '-9,11 +9,12')
    expect(await codes(header + added, { f: long })).toEqual(['truncated'])
  })

  test('is refused in the middle of an added line, but not where only the last newline is missing', async () => {
    const inLine = cut(6).slice(0, -5)
    expect(await codes(inLine, { f: long })).toEqual(['truncated'])
    const whole = long.replace('line 12', 'twelve\nand a half')
    expect(await patched(cut(9).slice(0, -1), { f: long })).toEqual({ f: whole })
  })

  test('is not suspected where something is written below', async () => {
    expect(Object.keys(await patched(`${cut(5)}\nThis makes it twelve.\n`, { f: long }))).toEqual(['f'])
  })

  test('is not suspected behind a closed fence, before another hunk, or with counts that cannot be', async () => {
    const fenced = `\`\`\`diff\n${cut(5)}\`\`\`\n`
    expect(Object.keys(await patched(fenced, { f: long }))).toEqual(['f'])
    expect(await codes(fenced.replace(/```\n$/, ''), { f: long })).toEqual(['truncated'])
    const atEnd = `${header}@@ -28,9 +28,4 @@\n line 28\n line 29\n-line 30\n+thirty\n`
    expect(await patched(atEnd, { f: long })).toEqual({ f: long.replace('line 30', 'thirty') })
  })

  test('is refused in the other formats by their end marks', async () => {
    expect(await codes('*** Begin Patch\n*** Update File: f\n@@\n-line 1\n+x\n', { f: long })).toEqual(['truncated'])
    expect(await codes('f\n<<<<<<< SEARCH\nline 1\n=======\nx\n', { f: long })).toEqual(['truncated'])
    expect(await codes('--- /dev/null\n+++ b/n\n@@ -0,0 +1,9 @@\n+a\n+b\n', {})).toEqual(['truncated'])
  })
})

test('more context left out than a diff has at an edge was left out inside, perhaps where lines are added', async () => {
  const long = text(...Array.from({ length: 12 }, (_, index) => `line ${index + 1}`))
  const inside = '@@ -5,8 +5,9 @@\n-line 8\n+eight\n+new\n'
  expect(await codes(header + inside, { f: long })).toEqual(['ambiguous'])
  const around = '@@ -5,7 +5,8 @@\n-line 8\n+eight\n+new\n'
  expect(await patched(header + around, { f: long })).toEqual({ f: long.replace('line 8', 'eight\nnew') })
})

test('lines that are added where a line was left out could go to either side', async () => {
  const hunk = '@@ -1,4 +1,5 @@\n one\n two\n+new\n four\n'
  const [diagnostic] = await refused(header + hunk, { f: file })
  expect(diagnostic).toMatchObject({ code: 'ambiguous', details: { candidates: [3] } })
  const atEdge = '@@ -1,4 +1,5 @@\n+new\n two\n three\n four\n'
  expect(await codes(header + atEdge, { f: file })).toEqual(['ambiguous'])
})
