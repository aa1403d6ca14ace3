import { execFileSync } from 'node:child_process'
import {
  access,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileChanges } from '../../src/checkpoint/compare.ts'
import {
  type CheckpointOptions,
  type Checkpoints,
  openCheckpoints,
  type Restored,
} from '../../src/checkpoint/open-checkpoints.ts'
import { hashOf } from '../../src/hash.ts'
import { makeCanary, spring, TRAPS } from '../git/hostile.ts'
import { git, makeRepository, put } from '../git/repositories.ts'
import { fingerprint } from './work-tree.ts'

let base: string
let dispose: () => Promise<void>
let count = 0
const opened: Checkpoints[] = []
beforeAll(async () => {
  ;({ path: base, dispose } = await temporaryDirectory())
})
afterAll(async () => {
  for (const one of opened) await one.close()
  await dispose()
})

const signal = new AbortController().signal

async function open(root: string, options: Partial<CheckpointOptions> = {}): Promise<Checkpoints> {
  const checkpoints = await openCheckpoints({ root, store: `${root}.store`, ...options })
  opened.push(checkpoints)
  return checkpoints
}

async function freshRoot(files: Record<string, string> = {}): Promise<string> {
  const root = join(base, `w${count++}`)
  await mkdir(root)
  for (const [path, content] of Object.entries(files)) await put(root, path, content)
  return root
}

async function take(checkpoints: Checkpoints, since?: string) {
  const taken = await checkpoints.take(signal, since === undefined ? {} : { since })
  if (taken.kind === 'problem') throw new Error(taken.diagnostic.message)
  return taken
}

/** A run: what `act` does is between two snapshots. */
async function run(checkpoints: Checkpoints, act: () => Promise<unknown>): Promise<{ before: string; after: string }> {
  const { id: before } = await take(checkpoints)
  await act()
  return { before, after: (await take(checkpoints, before)).id }
}

async function undo(checkpoints: Checkpoints, { before, after }: { before: string; after: string }): Promise<Restored> {
  const result = await checkpoints.restore(before, { signal, onlyIfUnchangedSince: after })
  if (result.kind === 'problem') throw new Error(result.diagnostic.message)
  return result
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

describe('a snapshot', () => {
  test('is the same for the same tree, and says what differs from another', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n', 'b/c.txt': 'c\n', gone: 'g\n' })
    const checkpoints = await open(root)
    const { id } = await take(checkpoints)
    expect((await take(checkpoints)).id).toBe(id)
    await put(root, 'a.txt', 'changed\n')
    await put(root, 'new/d.txt', 'd\n')
    await rm(join(root, 'gone'))
    const changes = await checkpoints.changed(id, { signal })
    if ('kind' in changes) throw new Error(changes.diagnostic.message)
    expect(changes.map(({ path, before, after }) => [path, before?.kind, after?.kind])).toEqual([
      ['a.txt', 'file', 'file'],
      ['gone', 'file', undefined],
      ['new', undefined, 'directory'],
      ['new/d.txt', undefined, 'file'],
    ])
    expect(fileChanges(changes)).toEqual([
      { path: 'a.txt', before: hashOf('a\n'), after: hashOf('changed\n') },
      { path: 'gone', before: hashOf('g\n') },
      { path: 'new/d.txt', after: hashOf('d\n') },
    ])
    expect(await checkpoints.read(hashOf('a\n'))).toEqual(Buffer.from('a\n'))
    expect(await checkpoints.read(hashOf('changed\n'))).toEqual(Buffer.from('changed\n'))
    expect(await checkpoints.read(hashOf('never'))).toBeUndefined()
  })

  test('sees every change, however soon after the last look and however much alike', async () => {
    const root = await freshRoot({ 'a.txt': 'start' })
    const checkpoints = await open(root)
    await take(checkpoints)
    const ids = new Set<string>()
    for (let at = 0; at < 60; at++) {
      await writeFile(join(root, 'a.txt'), `round ${String(at).padStart(4, '0')}`)
      await utimes(join(root, 'a.txt'), 1_700_000_000, 1_700_000_000)
      ids.add((await take(checkpoints)).id)
    }
    expect(ids.size).toBe(60)
    for (let at = 0; at < 40; at++) {
      await put(root, `made/${at}`, 'x')
      ids.add((await take(checkpoints)).id)
    }
    expect(ids.size).toBe(100)
  })

  test('is kept by the next process, which reads nothing twice', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    await utimes(join(root, 'a.txt'), 1, 1)
    const first = await open(root)
    const before = await take(first)
    await first.close()
    const packs = await readdir(`${root}.store/packs`)
    const second = await open(root)
    expect((await take(second)).id).toBe(before.id)
    expect(await readdir(`${root}.store/packs`)).toEqual(packs)
    await put(root, 'a.txt', 'changed\n')
    const { id: after } = await take(second)
    const third = await open(root)
    expect(await undo(third, { before: before.id, after })).toMatchObject({ conflicts: [] })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n')
  })

  test('leaves out what is large, special or has no name, says so, and waits for nothing', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n', 'was-large.bin': 'x'.repeat(2000) })
    execFileSync('mkfifo', [join(root, 'pipe')])
    await writeFile(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]), 'x')
    const checkpoints = await open(root, { limits: { fileBytes: 1000 } })
    const skipped = [
      { path: 'bad-\uFFFD', why: 'unreadable' },
      { path: 'pipe', why: 'special' },
      { path: 'was-large.bin', why: 'large' },
    ]
    const inOrder = (found: readonly { path: string }[]) =>
      [...found].sort((one, two) => (one.path < two.path ? -1 : 1))
    expect(inOrder((await take(checkpoints)).skipped)).toEqual(skipped)
    const ids = await run(checkpoints, async () => {
      await put(root, 'made-large.bin', 'y'.repeat(3000))
      await put(root, 'was-large.bin', 'small now')
      await put(root, 'a.txt', 'z'.repeat(5000))
    })
    expect((await undo(checkpoints, ids)).conflicts).toEqual([{ path: 'was-large.bin', why: 'not-kept' }])
    expect(await isThere(join(root, 'made-large.bin'))).toBe(false)
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n')
    expect(await readFile(join(root, 'was-large.bin'), 'utf8')).toBe('small now')
    expect((await stat(join(root, 'pipe'))).isFIFO()).toBe(true)
  })

  test('has a limit on entries and on bytes, and can be interrupted', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, `${at}`.repeat(100)]))
    const root = await freshRoot(files)
    const few = await open(root, { limits: { entries: 20 } })
    expect(await few.take(signal)).toMatchObject({ kind: 'problem', diagnostic: { code: 'too-many-files' } })
    const small = await open(root, { store: `${root}.small`, limits: { totalBytes: 1000 } })
    const { skipped } = await take(small)
    expect(skipped.length).toBeGreaterThan(15)
    expect(new Set(skipped.map(({ why }) => why))).toEqual(new Set(['budget']))
    const checkpoints = await open(root, { store: `${root}.other` })
    const controller = new AbortController()
    const stopped = checkpoints.take(controller.signal)
    controller.abort()
    expect(await stopped).toMatchObject({ kind: 'problem', diagnostic: { code: 'interrupted' } })
    const whole = await open(root, { store: `${root}.whole` })
    expect((await take(checkpoints)).id).toBe((await take(whole)).id)
  })

  test('a store that cannot be written is said, and what was not stored is not believed', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n' })
    const checkpoints = await open(root)
    await rm(`${root}.store/packs`, { recursive: true })
    expect(await checkpoints.take(signal)).toMatchObject({ kind: 'problem', diagnostic: { code: 'snapshot-failed' } })
    await mkdir(`${root}.store/packs`)
    const { id } = await take(checkpoints)
    await put(root, 'a.txt', 'b\n')
    expect(await checkpoints.restore(id, { signal })).toMatchObject({ conflicts: [] })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n')
  })

  test('a store that has lost something says so, and changes nothing by halves', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n' })
    const ids = await run(await open(root), () => put(root, 'a.txt', 'b\n'))
    for (const name of await readdir(`${root}.store/packs`)) {
      if (name.endsWith('.pack')) await truncate(`${root}.store/packs/${name}`, 10)
    }
    const later = await open(root)
    const result = await later.restore(ids.before, { signal, onlyIfUnchangedSince: ids.after })
    expect(result).toMatchObject({ kind: 'problem', diagnostic: { code: 'snapshot-damaged' } })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('b\n')
    expect(await later.restore('0'.repeat(64), { signal })).toMatchObject({ diagnostic: { code: 'no-snapshot' } })
  })

  test('is of the directory that was opened, and of no other in its place', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n' })
    const checkpoints = await open(root)
    await take(checkpoints)
    await rename(root, `${root}.moved`)
    expect(await checkpoints.take(signal)).toMatchObject({ kind: 'problem', diagnostic: { code: 'not-found' } })
    await mkdir(root)
    expect(await checkpoints.take(signal)).toMatchObject({ kind: 'problem', diagnostic: { code: 'root-moved' } })
  })

  test('leaves its own store alone where that is in the work tree', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n' })
    const checkpoints = await open(root, { store: join(root, '.store') })
    const { id } = await take(checkpoints)
    expect((await take(checkpoints)).id).toBe(id)
    expect(await checkpoints.restore(id, { signal })).toMatchObject({ restored: [], conflicts: [] })
    expect(await isThere(join(root, '.store/packs'))).toBe(true)
  })
})

test('closing leaves nothing behind but what is kept, and may be done twice', async () => {
  const root = await freshRoot()
  await makeRepository(root, { 'a.txt': 'a\n' })
  const checkpoints = await open(root)
  await take(checkpoints)
  expect((await readdir(`${root}.store`)).map((name) => name.replace(/-\w{6}$/, ''))).toEqual([
    'maru-git',
    'packs',
    'stats',
  ])
  await checkpoints.close()
  await checkpoints.close()
  expect(await readdir(`${root}.store`)).toEqual(['packs', 'stats'])
})

describe('what is ignored', () => {
  test('is left alone, also when the rules change while a run goes on', async () => {
    const root = await freshRoot()
    await makeRepository(root, { '.gitignore': 'node_modules/\n*.log\n' })
    await put(root, 'build/out.js', 'out\n')
    await put(root, 'kept.log', 'no\n')
    await put(root, 'tracked.log', 'tracked\n')
    await git(root, 'add', '-f', 'tracked.log')
    await put(root, 'node_modules/x.js', 'x\n')
    const checkpoints = await open(root)
    const ids = await run(checkpoints, async () => {
      // What was ignored is not any more, and what was kept is ignored now.
      await put(root, '.gitignore', 'build/\n')
      await put(root, 'build/out.js', 'overwritten\n')
      await put(root, 'build/more.js', 'more\n')
      await put(root, 'node_modules/x.js', 'changed\n')
      await put(root, 'kept.log', 'changed\n')
      await put(root, 'tracked.log', 'changed\n')
      await put(root, 'new.log', 'new\n')
    })
    expect((await undo(checkpoints, ids)).conflicts).toEqual([])
    const now = Object.fromEntries(
      await Promise.all(
        ['.gitignore', 'build/out.js', 'node_modules/x.js', 'kept.log', 'tracked.log'].map(async (path) => [
          path,
          await readFile(join(root, path), 'utf8'),
        ]),
      ),
    )
    expect(now).toEqual({
      '.gitignore': 'node_modules/\n*.log\n',
      'build/out.js': 'out\n',
      'node_modules/x.js': 'changed\n',
      'kept.log': 'changed\n',
      'tracked.log': 'tracked\n',
    })
    expect(await isThere(join(root, 'new.log'))).toBe(false)
  })

  test('is what the rules say by then, when no earlier snapshot is to be compared with', async () => {
    const root = await freshRoot({ 'build/out.js': 'out\n', 'a.log': 'a\n', '.gitignore': '*.log\n' })
    const checkpoints = await open(root)
    const { id } = await take(checkpoints)
    await put(root, '.gitignore', 'build/\n')
    const changes = await checkpoints.changed(id, { signal, until: (await take(checkpoints)).id })
    if ('kind' in changes) throw new Error(changes.diagnostic.message)
    expect(changes.map(({ path, after }) => [path, after?.kind])).toEqual([
      ['.gitignore', 'file'],
      ['build', undefined],
      ['build/out.js', undefined],
    ])
    // What was ignored was not kept then, so nothing can be said of it; but from now on it is.
    const later = await run(checkpoints, () => put(root, 'a.log', 'changed\n'))
    expect((await undo(checkpoints, later)).conflicts).toEqual([])
    expect(await readFile(join(root, 'a.log'), 'utf8')).toBe('a\n')
  })

  test('is what the nearest repository says, and what .gitignore files say without one', async () => {
    const root = await freshRoot({ 'top.o': 'o', 'sub/.gitignore': '!y.tmp\n', '.gitignore': '*.tmp\nonly-here/\n' })
    await makeRepository(join(root, 'nested'), { '.gitignore': '*.o\n', 'n.txt': 'n' })
    await put(root, 'nested/in.o', 'o')
    await put(root, 'nested/a.tmp', 't')
    await put(root, 'nested/.git/info/exclude', ':odd*\n')
    await put(root, 'nested/:odd', 't')
    await put(root, 'nested/:(top)x', 't')
    for (const path of ['x.tmp', 'sub/x.tmp', 'sub/y.tmp', 'only-here/z', 'node_modules/m']) await put(root, path, 'x')
    const checkpoints = await open(root)
    await take(checkpoints)
    const empty = await open(await freshRoot(), { store: `${root}.store` })
    const changes = await empty.changed((await take(empty)).id, { signal, until: (await take(checkpoints)).id })
    if ('kind' in changes) throw new Error(changes.diagnostic.message)
    expect(changes.map(({ path }) => path)).toEqual([
      '.gitignore',
      'nested',
      'nested/.git',
      'nested/.gitignore',
      'nested/:(top)x',
      'nested/a.tmp',
      'nested/n.txt',
      'sub',
      'sub/.gitignore',
      'sub/y.tmp',
      'top.o',
    ])
  })
})

describe('restoring', () => {
  test('leaves what a person changed, unless they say otherwise', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'dir/c.txt': 'c\n' })
    const checkpoints = await open(root)
    const ids = await run(checkpoints, async () => {
      for (const path of ['a.txt', 'b.txt', 'dir/c.txt', 'made/new.txt']) await put(root, path, 'agent\n')
    })
    await put(root, 'a.txt', 'mine\n')
    await rm(join(root, 'dir'), { recursive: true })
    await put(root, 'made/mine.txt', 'mine\n')
    const plan = await checkpoints.restore(ids.before, { signal, onlyIfUnchangedSince: ids.after, dryRun: true })
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('agent\n')
    const result = await undo(checkpoints, ids)
    expect(plan).toEqual(result)
    expect(result.conflicts).toEqual([
      { path: 'a.txt', why: 'changed-since' },
      { path: 'dir', why: 'changed-since' },
    ])
    expect(result.restored.map(({ path }) => path)).toEqual(['b.txt', 'made/new.txt'])
    expect(Object.keys(fingerprint(root))).toEqual(['a.txt', 'b.txt', 'made', 'made/mine.txt'])
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('mine\n')
    const forced = { signal, onlyIfUnchangedSince: ids.after, overwrite: ['a.txt', 'dir'] }
    expect(await checkpoints.restore(ids.before, forced)).toMatchObject({ conflicts: [] })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n')
    expect(await readFile(join(root, 'dir/c.txt'), 'utf8')).toBe('c\n')
    expect(await isThere(join(root, 'made/mine.txt'))).toBe(true)
  })

  test('follows no link out of the work tree', async () => {
    const outside = await freshRoot({ 'x.txt': 'outside\n' })
    const root = await freshRoot({ 'dir/x.txt': 'inside\n', 'file.txt': 'f\n' })
    const checkpoints = await open(root)
    const ids = await run(checkpoints, async () => {
      await put(root, 'dir/x.txt', 'agent\n')
      await put(root, 'dir/y.txt', 'agent\n')
      await put(root, 'file.txt', 'agent\n')
    })
    await rename(join(root, 'dir'), join(root, 'moved'))
    await symlink(outside, join(root, 'dir'))
    await rm(join(root, 'file.txt'))
    await symlink(join(outside, 'x.txt'), join(root, 'file.txt'))
    expect((await undo(checkpoints, ids)).conflicts.map(({ path }) => path)).toEqual(['dir', 'file.txt'])
    // Also when everything may be overwritten, it is the link that goes.
    await checkpoints.restore(ids.before, { signal })
    expect(fingerprint(outside)).toEqual(fingerprint(await freshRoot({ 'x.txt': 'outside\n' })))
    expect(await readFile(join(root, 'dir/x.txt'), 'utf8')).toBe('inside\n')
    expect(Object.keys(fingerprint(root))).toEqual(['dir', 'dir/x.txt', 'file.txt'])
  })

  test('keeps its hands off repositories', async () => {
    const root = await freshRoot({ 'a.txt': 'a\n' })
    await makeRepository(join(root, 'nested'), { 'n.txt': 'n\n' })
    const checkpoints = await open(root)
    const ids = await run(checkpoints, async () => {
      await makeRepository(join(root, 'cloned'), { 'c.txt': 'c\n' })
      await git(join(root, 'nested'), 'commit', '-q', '--allow-empty', '-m', 'by the run')
      await put(root, 'nested/n.txt', 'changed\n')
    })
    expect((await undo(checkpoints, ids)).conflicts).toEqual([])
    // A pointer that becomes a repository is one.
    await put(root, 'turns/.git', 'gitdir: ../nested/.git\n')
    await take(checkpoints)
    await rm(join(root, 'turns/.git'))
    await put(root, 'turns/.git/HEAD', 'ref: refs/heads/main\n')
    const { id } = await take(checkpoints)
    await put(root, 'turns/.git/HEAD', 'changed\n')
    expect((await take(checkpoints)).id).toBe(id)
    await rm(join(root, 'turns'), { recursive: true })
    expect(await readdir(join(root, 'cloned'))).toEqual(['.git'])
    expect(await git(join(root, 'nested'), 'log', '-1', '--format=%s')).toBe('by the run\n')
    expect(await readFile(join(root, 'nested/n.txt'), 'utf8')).toBe('n\n')
    const gone = await run(checkpoints, () => rm(join(root, 'nested'), { recursive: true }))
    expect((await undo(checkpoints, gone)).conflicts).toEqual([{ path: 'nested/.git', why: 'not-kept' }])
    expect(await readFile(join(root, 'nested/n.txt'), 'utf8')).toBe('n\n')
  })
})

describe('a hostile repository', () => {
  test.each(TRAPS.map((trap, at) => ({ ...trap, at })))('runs nothing by $name when it is kept', async (trap) => {
    const place = join(base, `hostile-${trap.at}`)
    const root = join(place, 'repo')
    const { script, canary } = await makeCanary(place)
    await trap.set(root, script)
    await rm(canary, { force: true })
    const checkpoints = await open(root)
    const ids = await run(checkpoints, () => put(root, 'made.txt', 'x'))
    await undo(checkpoints, ids)
    expect(await isThere(canary)).toBe(false)
    await spring(root, trap)
    expect(await isThere(canary)).toBe(true)
  })
})
