import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codes, patched, plan, refused, text } from './trees.ts'

const before = text('start()', 'go(1)', '', 'go(1)', '', 'end()')

function nameOf(content: string): string {
  return createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex').slice(0, 8)
}

/** A patch of `f` as git heads it. */
function headed(after: string, hunks: string, from = before): string {
  const index = `index ${nameOf(from)}..${nameOf(after)} 100644`
  return `diff --git a/f b/f\n${index}\n--- a/f\n+++ b/f\n${hunks}`
}

function withoutIndex(patch: string): string {
  return patch.replace(/^index .*\n/m, '')
}

describe('what the index line names settles what the lines leave open', () => {
  const second = text('start()', 'go(1)', '', 'go(2)', '', 'end()')
  test.each([
    ['which of two equal places is meant', second, '@@ @@\n-go(1)\n+go(2)\n \n', 'ambiguous'],
    ['on which side of a left out line', second, '@@ -3,4 +3,4 @@\n \n-go(1)\n+go(2)\n end()\n', 'ambiguous'],
    ['where bare lines go', before.replace('end', 'more()\nend'), '@@ -4,3 +4,4 @@\n+more()\n', 'no-context'],
    ['that nothing is cut off', second.replace('go(2)', 'x()'), '@@ -3,3 +3,4 @@\n \n-go(1)\n+x()\n', 'truncated'],
    ['that tabs are meant', `${before}\ttwo\n`, '@@ -5,2 +5,3 @@\n \n end()\n+\ttwo\n', 'indentation-unclear'],
  ])('%s', async (_, after, hunks, code) => {
    expect(await patched(headed(after, hunks), { f: before })).toEqual({ f: after })
    expect(await codes(withoutIndex(headed(after, hunks)), { f: before })).toEqual([code])
  })

  test('and the result says so', async () => {
    const result = await plan(headed(second, '@@ @@\n-go(1)\n+go(2)\n \n'), { f: before })
    expect(result).toMatchObject({ changes: [{ landed: [{ tolerances: ['proven-by-index'] }] }] })
  })

  test('also where the work tree ends its lines otherwise than git keeps them', async () => {
    const crlf = (lines: string) => lines.replaceAll('\n', '\r\n')
    const patch = headed(second, '@@ @@\n-go(1)\n+go(2)\n \n')
    expect(await patched(patch, { f: crlf(before) })).toEqual({ f: crlf(second) })
  })
})

describe('a patch that is not what its index line says', () => {
  const after = before.replace('start()', "start('a')")
  const damaged = '@@ -1,2 +1,2 @@\n-start()\n+start(&#39;a&#39;)\n go(1)\n'

  test('is refused where the file is the one that it was made for', async () => {
    const [diagnostic] = await refused(headed(after, damaged), { f: before })
    expect(diagnostic).toMatchObject({ code: 'not-as-indexed', details: { file: 'f' } })
    expect(diagnostic?.message).toContain(nameOf(after))
    expect(await patched(withoutIndex(headed(after, damaged)), { f: before })).toEqual({
      f: before.replace('start()', 'start(&#39;a&#39;)'),
    })
  })

  test('is refused for a new file beside one that it was made for', async () => {
    const fine = headed(after, damaged.replaceAll('&#39;', "'"))
    const created = (name: string) =>
      `diff --git a/n b/n\nnew file mode 100644\nindex 0000000..${name}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n`
    expect(await codes(fine + created('1234567'), { f: before })).toEqual(['not-as-indexed'])
    expect(await patched(fine + created(nameOf('x\n')), { f: before })).toEqual({ f: after, n: 'x\n' })
    expect(await patched(created('1234567'), {})).toEqual({ n: 'x\n' })
  })

  test('is taken at its words where the file is another: names are invented, and files go on', async () => {
    const hunk = damaged.replaceAll('&#39;', "'")
    expect(await patched(headed('else', hunk, 'other'), { f: before })).toEqual({ f: after })
    expect(await patched(headed(after, hunk), { f: `${before}more()\n` })).toEqual({ f: `${after}more()\n` })
  })

  test('two steps of one file are not judged by the name of the first', async () => {
    const middle = before.replace('start', 'begin')
    const last = middle.replace('end', 'stop')
    const first = headed(middle, '@@ -1,2 +1,2 @@\n-start()\n+begin()\n go(1)\n')
    const next = headed(last, '@@ -5,2 +5,2 @@\n \n-end()\n+stop()\n', middle)
    expect(await patched(first + next, { f: before })).toEqual({ f: last })
  })
})
