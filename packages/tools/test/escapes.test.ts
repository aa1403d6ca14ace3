import { execFileSync, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bench, codesOf, contextOf, openBench } from './bench-of-tools.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
  const { root, outside } = bench
  await bench.put('inside.txt', 'inside\n')
  await mkdir(join(root, 'dir'))
  await symlink(join(outside, 'secret.txt'), join(root, 'link-file'))
  await symlink(outside, join(root, 'link-dir'))
  await symlink('../outside', join(root, 'link-relative'))
  await symlink('/proc/self/root', join(root, 'link-proc'))
  await symlink('inside.txt', join(root, 'link-inside'))
  await symlink(join(outside, 'new.txt'), join(root, 'link-dangling'))
  await symlink('link-loop', join(root, 'link-loop'))
  execFileSync('mkfifo', [join(root, 'fifo')])
})
afterAll(() => bench.dispose())

const escapes: [name: string, path: (bench: Bench) => string, code: string][] = [
  ['a parent', () => '../outside/secret.txt', 'outside-workspace'],
  ['a parent, later', () => 'dir/../../outside/secret.txt', 'outside-workspace'],
  ['an absolute path', ({ outside }) => join(outside, 'secret.txt'), 'outside-workspace'],
  ['a sibling with the same beginning', ({ root }) => `${root}-evil/x`, 'outside-workspace'],
  ['/proc/self/root', ({ outside }) => `/proc/self/root${outside}/secret.txt`, 'outside-workspace'],
  ['/proc/self/cwd', () => '/proc/self/cwd/package.json', 'outside-workspace'],
  ['a link to a file', () => 'link-file', 'symlink'],
  ['a link to a directory', () => 'link-dir/secret.txt', 'symlink'],
  ['a relative link', () => 'link-relative/secret.txt', 'symlink'],
  ['a link to /proc/self/root', ({ outside }) => `link-proc${outside}/secret.txt`, 'symlink'],
  ['a link to nothing', () => 'link-dangling', 'symlink'],
  ['a link to itself', () => 'link-loop', 'symlink'],
  ['a pipe', () => 'fifo', 'not-a-file'],
]

describe('nothing outside the workspace is read or written', () => {
  test.each(escapes)('through %s', async (_, path, code) => {
    const read = await bench.call('ReadFile', { path: path(bench) })
    const write = await bench.call('WriteFile', { path: path(bench), content: 'overwritten' })
    expect([read.ok, ...codesOf(read), write.ok, ...codesOf(write)]).toEqual([false, code, false, code])
    expect(JSON.stringify([read, write])).not.toContain('kept from you')
    expect(await readdir(bench.outside)).toEqual(['secret.txt'])
    expect(await readFile(join(bench.outside, 'secret.txt'), 'utf8')).toBe('kept from you\n')
    expect(await readFile(join(bench.root, 'inside.txt'), 'utf8')).toBe('inside\n')
  })

  test('a link that stays inside is read through, and judged by where it leads; never written through', async () => {
    await bench.put('dir/.env', 'KEY=kept from you\n')
    await symlink('dir', join(bench.root, 'link-inner'))
    expect(await bench.call('ReadFile', { path: 'link-inside' })).toMatchObject({
      ok: true,
      data: { path: 'inside.txt' },
    })
    expect(codesOf(await bench.call('WriteFile', { path: 'link-inside', content: '' }))).toEqual(['symlink'])
    const secret = await bench.tool('ReadFile').prepare({ path: 'link-inner/.env' }, contextOf())
    expect(secret.access).toEqual([{ kind: 'read', path: 'dir/.env', where: 'inside', mark: 'secret' }])
    await bench.call('WriteFile', { path: 'link-inner/new.txt', content: 'new' })
    expect(await readFile(join(bench.root, 'dir/new.txt'), 'utf8')).toBe('new')
  })

  test('a socket is refused at once', async () => {
    const server = createServer().listen(join(bench.root, 'socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    expect(codesOf(await bench.call('ReadFile', { path: 'socket' }))).toEqual(['not-a-file'])
    await new Promise((resolve) => server.close(resolve))
  })

  test('the policy is told that a path leaves the workspace', async () => {
    const { access } = await bench.prepare('WriteFile', { path: '../x', content: '' })
    expect(access).toEqual([{ kind: 'write', path: '../x', where: 'outside' }])
  })

  test('a directory that becomes a link between looking and writing is noticed', async () => {
    await mkdir(join(bench.root, 'swapped'))
    const prepared = await bench.prepare('WriteFile', { path: 'swapped/x', content: 'x' })
    await rm(join(bench.root, 'swapped'), { recursive: true })
    await symlink(bench.outside, join(bench.root, 'swapped'))
    expect(codesOf(await prepared.run(contextOf()))).toEqual(['symlink'])
    expect(await readdir(bench.outside)).toEqual(['secret.txt'])
  })

  test('a root that is swapped for another directory is noticed', async () => {
    const own = await openBench()
    await own.put('a.txt', 'a')
    expect((await own.call('ReadFile', { path: 'a.txt' })).ok).toBe(true)
    await rename(own.root, `${own.root}-moved`)
    await mkdir(own.root)
    expect(codesOf(await own.call('ReadFile', { path: 'a.txt' }))).toEqual(['root-moved'])
    await own.dispose()
  })

  test('a process that swaps links as fast as it can gains nothing', { timeout: 120_000 }, async (context) => {
    if (process.platform !== 'linux') context.skip('the walk by directory handles is for Linux')
    const own = await openBench()
    await mkdir(join(own.root, 'd'))
    await symlink(own.outside, join(own.root, 'l'))
    const script = `const { renameSync: mv } = require('node:fs'); for (;;) { mv('d', 't'); mv('l', 'd'); mv('d', 'l'); mv('t', 'd') }`
    const swapper = spawn(process.execPath, ['-e', script], { cwd: own.root, stdio: 'ignore' })
    const ended = new Promise((resolve) => swapper.once('exit', resolve))
    const seen = new Set<boolean>()
    const end = performance.now() + Number(process.env['MARU_RACE_MS'] ?? 0)
    for (let round = 0; round < 150 || performance.now() < end; round++) {
      seen.add((await own.call('WriteFile', { path: 'd/x', content: `${round}` })).ok)
      const read = await own.call('ReadFile', { path: 'd/secret.txt' })
      expect(read.ok).toBe(false)
    }
    swapper.kill('SIGKILL')
    await ended
    expect(await readdir(own.outside)).toEqual(['secret.txt'])
    expect(seen.has(true)).toBe(true)
    await own.dispose()
  })
})
