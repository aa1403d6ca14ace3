import { chmod, link, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ABSENT, hashOf } from '../src/hash.ts'
import { type Bench, codesOf, contextOf, openBench } from './bench-of-tools.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.dispose())

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const content = (path: string) => readFile(join(bench.root, path), 'utf8')

describe('WriteFile', () => {
  test('creates a file and its directories, shown first as a diff', async () => {
    const prepared = await bench.prepare('WriteFile', { path: 'new/dir/a.ts', content: 'one\ntwo\n' })
    expect({ access: prepared.access, preview: prepared.preview, basis: prepared.basis }).toEqual({
      access: [
        { kind: 'create', path: 'new/dir/a.ts', where: 'inside' },
        { kind: 'reach', files: 1, lines: 2 },
      ],
      preview: { kind: 'diff', text: '--- /dev/null\n+++ b/new/dir/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two' },
      basis: [ABSENT],
    })
    expect(await readdir(bench.root)).toEqual([])
    expect(await prepared.run(contextOf())).toEqual({
      ok: true,
      data: { path: 'new/dir/a.ts', created: true, lines: 2 },
      files: [{ path: 'new/dir/a.ts', after: hashOf('one\ntwo\n') }],
    })
    expect(await content('new/dir/a.ts')).toBe('one\ntwo\n')
    expect(await readdir(join(bench.root, 'new/dir'))).toEqual(['a.ts'])
  })

  test('changes nothing before the log holds that it runs, and leaves nothing if that fails', async () => {
    await bench.put('early/a.txt', 'old\n')
    const write = await bench.prepare('WriteFile', { path: 'early/a.txt', content: 'new\n' })
    const { promise: recorded, resolve } = withResolvers()
    const running = write.run(contextOf({ recorded }))
    // It is staged by then: its own file lies beside the old one.
    await expect.poll(() => readdir(join(bench.root, 'early')), { timeout: 60_000 }).toHaveLength(2)
    expect(await content('early/a.txt')).toBe('old\n')
    resolve()
    expect((await running).ok).toBe(true)
    expect(await content('early/a.txt')).toBe('new\n')

    const again = await bench.prepare('WriteFile', { path: 'early/b/c.txt', content: 'new\n' })
    await expect(again.run(contextOf({ recorded: Promise.reject(new Error('the disk is full')) }))).rejects.toThrow()
    await expect.poll(() => readdir(join(bench.root, 'early')), { timeout: 60_000 }).toEqual(['a.txt'])
    await rm(join(bench.root, 'early'), { recursive: true })
  })

  test('replaces a file, keeps its mode, and counts only the lines that change', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
    await chmod(await bench.put('run.sh', `${lines.join('\n')}\n`), 0o750)
    const after = `${lines.with(10, 'changed').join('\n')}\n`
    const prepared = await bench.prepare('WriteFile', { path: 'run.sh', content: after })
    expect(prepared.access).toEqual([
      { kind: 'write', path: 'run.sh', where: 'inside' },
      { kind: 'reach', files: 1, lines: 2 },
    ])
    expect(prepared.preview).toEqual({
      kind: 'diff',
      text: [
        '--- a/run.sh',
        '+++ b/run.sh',
        '@@ -8,7 +8,7 @@',
        ' line 7',
        ' line 8',
        ' line 9',
        '-line 10',
        '+changed',
        ' line 11',
        ' line 12',
        ' line 13',
      ].join('\n'),
    })
    expect((await prepared.run(contextOf())).ok).toBe(true)
    expect(await content('run.sh')).toBe(after)
    expect((await stat(join(bench.root, 'run.sh'))).mode & 0o7777).toBe(0o750)
  })

  test('what was changed, made or removed since it was shown is not overwritten', async () => {
    const path = await bench.put('shared.txt', 'mine')
    const change = await bench.prepare('WriteFile', { path: 'shared.txt', content: 'theirs' })
    await writeFile(path, 'yours')
    expect(codesOf(await change.run(contextOf()))).toEqual(['changed-since'])
    expect(await content('shared.txt')).toBe('yours')

    const creation = await bench.prepare('WriteFile', { path: 'fresh.txt', content: 'theirs' })
    await bench.put('fresh.txt', '')
    expect(codesOf(await creation.run(contextOf()))).toEqual(['changed-since'])
    expect(await content('fresh.txt')).toBe('')

    const second = await bench.prepare('WriteFile', { path: 'shared.txt', content: 'theirs' })
    await rm(path)
    expect(codesOf(await second.run(contextOf()))).toEqual(['changed-since'])
    expect(await readdir(bench.root)).not.toContain('shared.txt')
  })

  test('the same write twice ends the same', async () => {
    const args = { path: 'twice.txt', content: 'same\n' }
    await bench.call('WriteFile', args)
    expect((await bench.call('WriteFile', args)).ok).toBe(true)
    expect(await content('twice.txt')).toBe('same\n')
  })

  test('an interrupted call writes nothing', async () => {
    const result = await bench.call('WriteFile', { path: 'never.txt', content: 'x' }, { signal: AbortSignal.abort() })
    expect(codesOf(result)).toEqual(['interrupted'])
    expect(await readdir(bench.root)).not.toContain('never.txt')
  })

  test('a file with a second name elsewhere is left alone, and nobody is asked', async () => {
    await link(join(bench.outside, 'secret.txt'), join(bench.root, 'linked.txt'))
    const prepared = await bench.prepare('WriteFile', { path: 'linked.txt', content: 'x' })
    expect(prepared.access).toEqual([])
    expect(codesOf(await prepared.run(contextOf()))).toEqual(['hard-linked'])
    expect(await readFile(join(bench.outside, 'secret.txt'), 'utf8')).toBe('kept from you\n')
  })

  test.each(['.git/hooks/pre-commit', '.GIT/config', 'sub/.git/config'])(
    '%s is refused by policy and tool',
    async (path) => {
      const prepared = await bench.prepare('WriteFile', { path, content: 'x' })
      expect(prepared.access).toEqual([{ kind: 'write', path, where: 'inside', mark: 'protected' }])
      expect(codesOf(await prepared.run(contextOf()))).toEqual(['git-internal'])
    },
  )

  test('marks what runs code later, and keeps secret values out of the preview', async () => {
    const hook = await bench.prepare('WriteFile', { path: '.husky/pre-push', content: 'x' })
    expect(hook.access[0]).toEqual({ kind: 'create', path: '.husky/pre-push', where: 'inside', mark: 'protected' })
    await bench.put('.env', 'TOKEN=tr0ub4dor\n')
    const env = await bench.prepare('WriteFile', { path: '.env', content: 'TOKEN=other\n' })
    expect(env.preview).toEqual({ kind: 'text', text: '.env: 2 lines change.' })
  })

  test('a disk error leaves the old file and no rest', async () => {
    await bench.put('dir/file.txt', 'old')
    expect(codesOf(await bench.call('WriteFile', { path: 'dir', content: 'x' }))).toEqual(['is-directory'])
    expect(codesOf(await bench.call('WriteFile', { path: 'dir/file.txt/x', content: 'x' }))).toEqual([
      'not-a-directory',
    ])
    expect(await readdir(join(bench.root, 'dir'))).toEqual(['file.txt'])
  })
})

test('a file keeps its encoding, byte-order mark and line ends', async () => {
  const bench = await openBench()
  try {
    await bench.put('korean.txt', Buffer.from([0xb0, 0xa1, 0x0d, 0x0a]))
    await bench.put('wide.txt', Buffer.from('\uFEFF한\r\n', 'utf16le'))
    await bench.call('WriteFile', { path: 'korean.txt', content: '나\n다\n' })
    await bench.call('WriteFile', { path: 'wide.txt', content: '글\n' })
    expect(await readFile(join(bench.root, 'korean.txt'))).toEqual(
      Buffer.from([0xb3, 0xaa, 0x0d, 0x0a, 0xb4, 0xd9, 0x0d, 0x0a]),
    )
    expect(await readFile(join(bench.root, 'wide.txt'))).toEqual(Buffer.from('\uFEFF글\r\n', 'utf16le'))
    const lacking = await bench.call('WriteFile', { path: 'korean.txt', content: '🙂\n' })
    expect(lacking.ok).toBe(false)
    expect((await readFile(join(bench.root, 'korean.txt'))).length).toBe(8)
  } finally {
    await bench.dispose()
  }
})
