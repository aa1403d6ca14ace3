import { describe, expect, test } from 'vitest'
import { codes, patched, plan, refused, text } from './trees.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)
const header = '--- a/f\n+++ b/f\n'

async function tolerances(patch: string, file: string): Promise<string[][]> {
  const result = await plan(patch, { f: file })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return result.changes.flatMap((change) => ('landed' in change ? change.landed.map((hunk) => hunk.tolerances) : []))
}

describe('what is tolerated is said', () => {
  const file = text('function f() {', '  const a = "x"', '  return a', '}')
  test.each([
    ['nothing', '@@ -2,2 +2,2 @@\n   const a = "x"\n-  return a\n+  return b\n', []],
    ['numbers that are wrong', '@@ -9,2 +9,2 @@\n   const a = "x"\n-  return a\n+  return b\n', ['line-numbers']],
    ['counts that are wrong', '@@ -2,1 +2,5 @@\n   const a = "x"\n-  return a\n+  return b\n', ['line-counts']],
    ['trailing blanks', '@@ -2,2 +2,2 @@\n   const a = "x"  \n-  return a\n+  return b\n', ['trailing-space']],
    [
      'signs that are missing',
      '@@ -1,3 +1,3 @@\nfunction f() {\n  const a = "x"\n-  return a\n+  return b\n',
      ['missing-prefix'],
    ],
    ['tabs for blanks', '@@ -2,2 +2,2 @@\n \tconst a = "x"\n-\treturn a\n+\treturn b\n', ['indentation']],
    ['typographic quotes', '@@ -2,2 +2,2 @@\n   const a = \u201cx\u201d\n-  return a\n+  return b\n', ['punctuation']],
    ['an ellipsis', '@@ @@\n function f() {\n ...\n-  return a\n+  return b\n', ['ellipsis']],
  ])('%s', async (_, hunk, expected) => {
    expect(await tolerances(header + hunk, file)).toEqual([expected])
    expect(await patched(header + hunk, { f: file })).toEqual({ f: file.replace('return a', 'return b') })
  })

  test('parts around an ellipsis have to follow each other', async () => {
    const patch = `${header}@@ @@\n-  return a\n+  return b\n ...\n-function f() {\n+function g() {\n`
    expect(await codes(patch, { f: file })).toEqual(['ambiguous'])
  })

  test('a line of context that the patch leaves out while the header counts it', async () => {
    const lines = numbered(9)
    const hunk = '@@ -2,6 +2,6 @@\n line 2\n line 3\n line 5\n-line 6\n+six\n line 7\n'
    expect(await tolerances(header + hunk, text(...lines))).toEqual([['missing-context', 'line-counts']])
    expect(await patched(header + hunk, { f: text(...lines) })).toEqual({ f: text(...lines.with(5, 'six')) })
  })

  test('a line of context that was changed in the file since', async () => {
    const lines = numbered(9).with(1, 'line two')
    const hunk = '@@ -2,5 +2,5 @@\n line 2\n line 3\n line 4\n-line 5\n+five\n line 6\n'
    expect(await tolerances(header + hunk, text(...lines))).toEqual([['edited-context']])
    expect(await patched(header + hunk, { f: text(...lines) })).toEqual({ f: text(...lines.with(4, 'five')) })
    const atEdge = '@@ -2,5 +2,6 @@\n line 2\n line 3\n line 4\n line 5\n line 6\n+new\n'
    expect(await codes(header + atEdge, { f: text(...lines) })).toEqual(['not-found'])
    // Without numbers that are right it is not looked for.
    expect(await codes(header + hunk.replace('-2,5', '-3,5'), { f: text(...lines) })).toEqual(['not-found'])
  })
})

describe('between two places', () => {
  const block = ['if (x) {', '  go()', '}']
  const file = text(...block, 'between', ...block)
  const hunk = (numbers: string) => `${header}@@ ${numbers} @@\n if (x) {\n-  go()\n+  stop()\n }\n`

  test('nothing is guessed: a refusal lists them all', async () => {
    const [diagnostic] = await refused(hunk(''), { f: file })
    expect(diagnostic).toMatchObject({
      code: 'ambiguous',
      details: { file: 'f', hunk: 1, line: 3, candidates: [1, 5] },
    })
    expect(await codes(hunk('-4,3 +4,3'), { f: file })).toEqual(['ambiguous'])
  })

  test('a line number decides only if it is exact', async () => {
    const second = text(...block, 'between', 'if (x) {', '  stop()', '}')
    expect(await patched(hunk('-5,3 +5,3'), { f: file })).toEqual({ f: second })
    expect(await patched(hunk('-1,3 +1,3'), { f: file })).toEqual({ f: file.replace('go()', 'stop()') })
  })

  test('it does not decide if another hunk of the file shows that the numbers are wrong', async () => {
    const unique = '@@ -1,1 +1,1 @@\n-between\n+BETWEEN\n'
    expect(await codes(hunk('-5,3 +5,3') + unique, { f: file })).toEqual(['ambiguous'])
  })

  test('it does not decide if the header counts lines that are not there', async () => {
    const short = `${header}@@ -1,7 +1,7 @@\n }\n-next\n+after\n }\n`
    expect(await codes(short, { f: text('}', 'next', '}', '}', 'next', '}') })).toEqual(['ambiguous'])
  })

  test('a place that fits better elsewhere is not taken where the numbers nearly fit', async () => {
    const lines = [...numbered(5), 'x', ...numbered(5)].with(0, 'line one')
    const patch = `${header}@@ -1,5 +1,5 @@\n line 1\n line 2\n line 3\n-line 4\n+four\n line 5\n`
    const [diagnostic] = await refused(patch, { f: text(...lines) })
    expect(diagnostic).toMatchObject({ code: 'ambiguous', details: { candidates: [1, 7] } })
  })

  test('nor where a line of context is missing just there', async () => {
    const lines = [...numbered(6), 'x', 'line 1', 'line 2', 'line 4', 'line 5']
    const patch = `${header}@@ -1,5 +1,5 @@\n line 1\n line 2\n-line 4\n+four\n line 5\n`
    const [diagnostic] = await refused(patch, { f: text(...lines) })
    expect(diagnostic).toMatchObject({ code: 'ambiguous', details: { candidates: [1, 8] } })
  })

  test('nor where at least half of it stands, or all that comes before the change', async () => {
    const other = ['head one', 'head two', 'old', 'older', 'oldest', 'tail']
    const half = text('head one', 'else', 'old', 'older', 'oldest', 'x', 'y', ...other)
    const lead = text('head one', 'head two', 'gone', 'y', 'z', ...other)
    const patch = `${header}@@ -1,6 +1,4 @@\n head one\n head two\n-old\n-older\n-oldest\n+new\n tail\n`
    for (const f of [half, lead]) expect(await codes(patch, { f })).toEqual(['ambiguous'])
    const far = text('nothing', 'of', 'it', 'is', 'here', ...other)
    expect(await patched(patch, { f: far })).toEqual({ f: far.replace('old\nolder\noldest', 'new') })
  })

  test('context that was left out alike above and below moves the exact line by as much', async () => {
    const repeated = text(...numbered(3), '}', ...numbered(3), '}', ...numbered(3))
    const patch = `${header}@@ -5,7 +5,7 @@\n-}\n+};\n`
    expect(await patched(patch, { f: repeated })).toEqual({ f: repeated.replace(/}(?=[^}]*$)/, '};') })
    expect(await codes(patch.replaceAll('5,7', '6,7'), { f: repeated })).toEqual(['ambiguous'])
    expect(await codes(patch.replaceAll('5,7', '2,9'), { f: repeated })).toEqual(['ambiguous'])
  })

  test('a blank line behind the patch is no context', async () => {
    const file = text('a', 'b', 'c', 'a', 'b', '', 'd')
    expect(await codes(`${header}@@ @@\n a\n-b\n+B\n\n`, { f: file })).toEqual(['ambiguous'])
  })
})

describe('hunks of one file', () => {
  const file = text(...numbered(12))
  const change = (line: number) => `@@ -${line} +${line} @@\n-line ${line}\n+LINE ${line}\n`

  test('may come in any order', async () => {
    const done = await patched(header + change(9) + change(2), { f: file })
    expect(done['f']).toBe(file.replace('line 9', 'LINE 9').replace('line 2\n', 'LINE 2\n'))
  })

  test('may share context, but not lines that they change', async () => {
    const shared = `@@ @@\n line 2\n-line 3\n+three\n line 4\n@@ @@\n line 4\n-line 5\n+five\n line 6\n`
    expect((await patched(header + shared, { f: file }))['f']).toBe(
      file.replace('line 3', 'three').replace('line 5', 'five'),
    )
    const [diagnostic] = await refused(header + change(3) + change(3), { f: file })
    expect(diagnostic).toMatchObject({ code: 'overlap', details: { hunk: 2 } })
  })

  test('with numbers: the result says where each has landed, with its lines', async () => {
    const result = await plan(
      `${header}@@ -2,3 +2,4 @@\n line 2\n+new\n line 3\n line 4\n@@ -9,2 +10,1 @@\n line 9\n-line 10\n`,
      { f: file },
    )
    if (!result.ok) throw new Error('refused')
    expect(result.changes).toMatchObject([
      {
        kind: 'update',
        path: 'f',
        landed: [
          { hunk: 1, first: 3, last: 3, lines: '1\tline 1\n2\tline 2\n3\tnew\n4\tline 3\n5\tline 4' },
          { hunk: 2, first: 11, last: 10, lines: '9\tline 8\n10\tline 9\n11\tline 11\n12\tline 12' },
        ],
      },
    ])
  })

  test('a long hunk is shown in part, and it is said', async () => {
    const patch = `${header}@@ -1,1 +1,101 @@\n line 1\n${text(...numbered(100).map((line) => `+more ${line}`))}`
    const result = await plan(patch, { f: file })
    const [change] = result.ok ? result.changes : []
    const lines = change && 'landed' in change ? (change.landed[0]?.lines.split('\n') ?? []) : []
    expect(lines).toHaveLength(41)
    expect(lines[20]).toMatch(/^\[lines 21 to 83 not shown\]$/)
  })
})

describe('what is applied already', () => {
  const old = text('a', 'const x = 1', 'const y = 2', 'b', 'c', 'const z = 3', 'd')
  const first = '@@ -1,4 +1,3 @@\n a\n const x = 1\n-const y = 2\n b\n'
  const second = '@@ -5,3 +4,4 @@\n c\n const z = 3\n+const w = 4\n d\n'
  const half = old.replace('const y = 2\n', '')
  const done = half.replace('const z = 3\n', 'const z = 3\nconst w = 4\n')

  test('is not applied again', async () => {
    expect(await patched(header + first + second, { f: old })).toEqual({ f: done })
    expect(await codes(header + first + second, { f: done })).toEqual(['already-applied'])
    expect(await codes((header + first + second).replaceAll(/@@.*@@/g, '@@'), { f: done })).toEqual(['already-applied'])
  })

  test('is left out if the rest is not, where the numbers prove it', async () => {
    const result = await plan(header + first + second, { f: half })
    expect(result).toMatchObject({ ok: true, alreadyApplied: [{ file: 'f', hunk: 1 }] })
    expect(await patched(header + first + second, { f: half })).toEqual({ f: done })
    const unsure = (header + first + second).replaceAll(/@@.*@@/g, '@@')
    expect((await refused(unsure, { f: half }))[0]).toMatchObject({ code: 'already-applied', details: { hunk: 1 } })
  })

  test('is seen also where lines are added at the end of a hunk', async () => {
    const patch = `${header}@@ -1,2 +1,3 @@\n a\n b\n+c\n`
    expect(await patched(patch, { f: text('a', 'b') })).toEqual({ f: text('a', 'b', 'c') })
    expect(await codes(patch, { f: text('a', 'b', 'c') })).toEqual(['already-applied'])
    const block = 'f\n<<<<<<< SEARCH\na\n=======\na\nnew\n>>>>>>> REPLACE\n'
    expect(await codes(block, { f: text('a', 'new') })).toEqual(['already-applied'])
  })

  test('a created file that is there as it should be, a renamed one that has its new name', async () => {
    const created = '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n'
    expect(await codes(created, { n: 'x\n' })).toEqual(['already-applied'])
    expect(await codes('diff --git a/x b/y\nrename from x\nrename to y\n', { y: '1' })).toEqual(['already-applied'])
    const both = created + header + first
    expect(await plan(both, { n: 'x\n', f: old })).toMatchObject({ ok: true, alreadyApplied: [{ file: 'n' }] })
  })

  test('is not left out if the header counts other lines than there are', async () => {
    const unsure = first.replace('-1,4 +1,3', '-1,5 +1,4') + second
    expect((await refused(header + unsure, { f: half }))[0]).toMatchObject({ code: 'already-applied' })
  })

  test('moves the numbers of what follows', async () => {
    const old = text('a', 'drop', 'b', 'same', 'x', 'same', 'y')
    const patch = `${header}@@ -1,3 +1,2 @@\n a\n-drop\n b\n@@ -6,1 +5,1 @@\n-same\n+SAME\n`
    const gone = old.replace('drop\n', '')
    expect(await patched(patch, { f: old })).toEqual({ f: gone.replace('same\ny', 'SAME\ny') })
    expect(await patched(patch, { f: gone })).toEqual({ f: gone.replace('same\ny', 'SAME\ny') })
  })

  test('is seen by the letters, where the old lines fit only but for blanks', async () => {
    const patch = `${header}@@ -1,4 +1,4 @@\n start\n-\n \f\n+\n end\n`
    expect(await patched(patch, { f: text('start', '', '\f', 'end') })).toEqual({ f: text('start', '\f', '', 'end') })
    expect(await codes(patch, { f: text('start', '\f', '', 'end') })).toEqual(['already-applied'])
  })

  test('lines that were only taken away are not taken away once more elsewhere', async () => {
    const old = text('drop it', ...numbered(9), 'drop it')
    const patch = `${header}@@ -1,1 +0,0 @@\n-drop it\n`
    const { f: gone = '' } = await patched(patch, { f: old })
    expect(gone).toBe(text(...numbered(9), 'drop it'))
    expect(await codes(patch, { f: gone })).toEqual(['ambiguous'])
  })

  test('elsewhere the old lines may still be: those are left alone', async () => {
    const block = ['start', 'value = 1', 'end']
    const changed = text('start', 'value = 2', 'end', 'x', ...block)
    const patch = `${header}@@ -1,3 +1,3 @@\n start\n-value = 1\n+value = 2\n end\n`
    expect(await codes(patch, { f: changed })).toEqual(['already-applied'])
  })
})

describe('added lines take the style of the file', () => {
  const tabs = text('class A {', '\trun() {', '\t\tgo()', '\t}', '}')
  const spaces = tabs.replaceAll('\t', '  ')

  test('tabs for blanks and blanks for tabs, if all lines say the same', async () => {
    const spaced = `${header}@@ -2,3 +2,5 @@\n   run() {\n-    go()\n+    if (x) {\n+      go()\n+    }\n   }\n`
    const after = tabs.replace('\t\tgo()', '\t\tif (x) {\n\t\t\tgo()\n\t\t}')
    expect(await patched(spaced, { f: tabs })).toEqual({ f: after })
    const tabbed = spaced.replaceAll(/(?<=^.) +/gm, (blanks) => '\t'.repeat(blanks.length / 2))
    expect(await patched(tabbed, { f: spaces })).toEqual({ f: after.replaceAll('\t', '  ') })
  })

  test('those that have it already keep it', async () => {
    const patch = `${header}@@ -2,3 +2,3 @@\n   run() {\n-    go()\n+\t\tstop()\n   }\n`
    expect(await patched(patch, { f: tabs })).toEqual({ f: tabs.replace('go', 'stop') })
  })

  test('a block that is further out as a whole is moved in', async () => {
    const block = 'f\n<<<<<<< SEARCH\nrun() {\n\tgo()\n}\n=======\nrun() {\n\tstop()\n}\n>>>>>>> REPLACE\n'
    expect(await patched(block, { f: tabs })).toEqual({ f: tabs.replace('go', 'stop') })
  })

  test('nothing is guessed if the whole patch is further in, and it only adds lines', async () => {
    const blankFirst = `${header}@@ -3,2 +3,4 @@\n \t\t go()\n \t }\n+\n+\t stop()\n`.replaceAll('\t', '  ')
    expect(await codes(blankFirst, { f: spaces })).toEqual(['indentation-unclear'])
    const onlyBlanks = `${header}@@ -2,3 +2,4 @@\n   \t run() {\n+ \n   \t \tgo()\n   \t }\n`.replaceAll('\t', '')
    expect(await codes(onlyBlanks, { f: spaces.replaceAll('  ', ' ') })).toEqual(['indentation-unclear'])
  })

  test('nothing is guessed if each sign has a blank behind it and context has no sign', async () => {
    const lines = ['  run() {', '+     stop()', '+ ', '    go()', '  }']
    expect(await codes(`${header}@@ -2,3 +2,5 @@\n${text(...lines)}`, { f: spaces })).toEqual(['indentation-unclear'])
    const odd = ['  run() {', '+     stop()', '    go()', '  }']
    expect(await codes(`${header}@@ -2,3 +2,4 @@\n${text(...odd)}`, { f: spaces })).toEqual(['indentation-unclear'])
    const even = ['  run() {', '+    stop()', '    go()', '  }']
    const done = spaces.replace('    go()', '    stop()\n    go()')
    expect(await patched(`${header}@@ -2,3 +2,4 @@\n${text(...even)}`, { f: spaces })).toEqual({ f: done })
  })

  test('how far one hunk is moved says nothing of another that fits as it is', async () => {
    const file = text('top()', 'next()', 'if (x) {', '    if (y) {', '        go()', '    }', '}')
    const moved = '@@ @@\n if (y) {\n-    go()\n+    stop()\n }\n'
    const asIs = '@@ @@\n top()\n+if (z) {\n+    go()\n+}\n next()\n'
    expect(await codes(`${header}${asIs}${moved}`, { f: file })).toEqual(['indentation-unclear'])
  })

  test('nothing is guessed if the file has both styles', async () => {
    const both = text('class A {', '  run() {', '    go()', '  }', '}', '\tone', '\ttwo')
    const patch = `${header}@@ @@\n \trun() {\n-\t\tgo()\n+\t\tstop()\n \t}\n`
    expect(await codes(patch, { f: both })).toEqual(['indentation-unclear'])
  })

  test.each([
    ['both styles are among them', '-    go()\n+    if (x)\n+\t\tgo(1)\n'],
    ['they are between two steps', '-        go()\n+        if (x)\n+          go(1)\n'],
    ['the patch is about indentation', '-    go()\n+\t\tgo()\n'],
  ])('nothing is guessed if %s', async (_, lines) => {
    const outer = lines.startsWith('-     ') ? '    ' : '  '
    const patch = `${header}@@ @@\n ${outer}run() {\n${lines} ${outer}}\n`
    expect(await codes(patch, { f: tabs })).toEqual(['indentation-unclear'])
  })

  test('indentation that the file nowhere has is refused, unless it is meant or shown to be', async () => {
    const flat = text('# Title', '', 'Words.', '', 'More.')
    const patch = `${header}@@ -2,3 +2,4 @@\n \n Words.\n+    code\n \n`
    const after = { f: flat.replace('Words.\n', 'Words.\n    code\n') }
    expect(await codes(patch, { f: flat })).toEqual(['indentation-unclear'])
    expect(await patched(patch, { f: flat }, { keepsIndentation: true })).toEqual(after)
    const other = '--- a/g\n+++ b/g\n@@ -1,3 +1,3 @@\n {\n   x: 1,\n-}\n+};\n'
    const done = await patched(patch + other, { f: flat, g: text('{', '  x: 1,', '}') })
    expect(done['f']).toBe(after.f)
  })

  test('quotes in added lines are made plain if the file has only plain ones', async () => {
    const file = text('call("x")', 'tell("y")')
    const patch = `${header}@@ -1,2 +1,2 @@\n call(\u201cx\u201d)\n-tell(\u201cy\u201d)\n+tell(\u201cz\u201d)\n`
    expect(await patched(patch, { f: file })).toEqual({ f: text('call("x")', 'tell("z")') })
    expect(await codes(patch, { f: `${file}say(\u201cboth\u201d)\n` })).toEqual(['punctuation-unclear'])
  })

  test('quotes that one hunk has in the place of plain ones are not believed in another', async () => {
    const file = text('call("x")', 'one', 'two', 'three')
    const shown = '@@ -1,2 +1,2 @@\n-call(\u201cx\u201d)\n+call(\u201cy\u201d)\n one\n'
    const hidden = '@@ -3,2 +3,3 @@\n two\n+tell(\u201cz\u201d)\n three\n'
    expect(await codes(header + shown + hidden, { f: file })).toEqual(['punctuation-unclear'])
    expect(await patched(header + hidden, { f: file })).toEqual({ f: file.replace('two', 'two\ntell(\u201cz\u201d)') })
    const created = '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+tell(\u201cz\u201d)\n'
    expect(await codes(header + shown + created, { f: file })).toEqual(['punctuation-unclear'])
  })

  test('letters in parts are put together if the file has none in parts', async () => {
    const file = text('say("\ud55c\uae00")', 'tell()', 'end()')
    const hunk = '@@ -1,3 +1,4 @@\n say("\ud55c\uae00")\n tell()\n+say("\uae00")\n end()\n'.normalize('NFD')
    const added = (line: string) => file.replace('tell()', `tell()\n${line}`)
    expect(await patched(header + hunk, { f: file })).toEqual({ f: added('say("\uae00")') })
    const mixed = `${file}${'say("\ud55c")'.normalize('NFD')}\n`
    expect(await codes(header + hunk, { f: mixed })).toEqual(['punctuation-unclear'])
    const meant = hunk.replace(/^ say.*$/m, ' say("\ud55c\uae00")')
    expect(await patched(header + meant, { f: file })).toEqual({ f: added('say("\uae00")'.normalize('NFD')) })
  })

  test('context is taken from the file, whatever the patch says', async () => {
    const file = text('say("it\u2019s")  ', 'old')
    const patch = `${header}@@ @@\n say("it's")\n-old\n+new\n`
    expect(await patched(patch, { f: file })).toEqual({ f: text('say("it\u2019s")  ', 'new') })
  })
})
