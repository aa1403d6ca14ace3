import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderResult } from '@maru/agent'
import type { Json, ToolResult } from '@maru/protocol'
import { temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runGit } from '../../src/git/run-git.ts'
import { createWorkspace } from '../../src/workspace.ts'
import { codesOf, contextOf } from '../bench-of-tools.ts'
import { createGitTools } from './all-git-tools.ts'
import { git, gitOrNot, makeRepository, put } from './repositories.ts'

let base: string
let dispose: () => Promise<void>
let count = 0
beforeAll(async () => {
  ;({ path: base, dispose } = await temporaryDirectory())
})
afterAll(() => dispose())

const freshRoot = () => join(base, `r${count++}`)
const signal = new AbortController().signal

async function fresh(
  files: Record<string, string> = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' },
): Promise<string> {
  const root = freshRoot()
  await makeRepository(root, files)
  return root
}

function toolsOf(root: string, environment: Record<string, string> = {}) {
  return createGitTools({ workspace: createWorkspace(root), root, environment })
}

async function call(root: string, name: string, args: Json = {}, home?: string): Promise<ToolResult> {
  const tool = toolsOf(root, home === undefined ? {} : { HOME: home }).find(({ spec }) => spec.name === name)
  if (tool === undefined) throw new Error(name)
  return (await tool.prepare(args, contextOf())).run(contextOf())
}

describe('GitStatus', () => {
  test('groups what has changed, by what a commit would make of it', async () => {
    const root = await fresh({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'long name.txt': `${'line\n'.repeat(20)}`,
      'gone.txt': 'g\n',
    })
    await put(root, 'a.txt', 'staged\n')
    await git(root, 'mv', 'long name.txt', '새 이름.txt')
    await git(root, 'add', '-A')
    await put(root, 'a.txt', 'and again\n')
    await gitOrNot(root, 'rm', '-q', '--cached', 'gone.txt')
    await put(root, 'dir/x', 'x')
    await put(root, 'dir/y', 'y')
    const result = await call(root, 'GitStatus')
    expect(result).toEqual({
      ok: true,
      data: { branch: 'main', staged: 3, changed: 1, conflicted: 0, untracked: 2 },
      stdout: [
        'on branch main',
        'staged (3):',
        '  modified a.txt',
        '  deleted gone.txt',
        '  renamed long name.txt → 새 이름.txt',
        'changed, not staged (1):',
        '  modified a.txt',
        'untracked (2):',
        '  new dir/',
        '  new gone.txt',
      ].join('\n'),
    })
    expect(await call(root, 'GitStatus', { path: 'dir' })).toMatchObject({ data: { staged: 0, untracked: 1 } })
    expect((await call(root, 'GitStatus', { limit: 1 })).stdout).toContain('[… 2 more; ask about one directory')
  })

  test('says how far the branch is from its upstream', async () => {
    const origin = await fresh()
    const root = freshRoot()
    await git(base, 'clone', '-q', origin, root)
    expect((await call(root, 'GitStatus')).stdout).toBe('on branch main, level with origin/main\nnothing has changed')
    await put(root, 'c.txt', 'c')
    await git(root, 'add', '-A')
    await git(root, 'commit', '-qm', 'mine')
    await git(origin, 'commit', '-q', '--allow-empty', '-m', 'theirs')
    await git(root, 'fetch', '-q')
    expect((await call(root, 'GitStatus')).stdout).toMatch(/^on branch main, 1 ahead of and 1 behind origin\/main\n/)
  })

  test('knows conflicts, a detached HEAD, and a repository without a commit', async () => {
    const root = await fresh({ 'a.txt': 'a\n' })
    await git(root, 'checkout', '-qb', 'other')
    await put(root, 'a.txt', 'other\n')
    await git(root, 'commit', '-qam', 'other')
    await git(root, 'checkout', '-q', 'main')
    await put(root, 'a.txt', 'main\n')
    await git(root, 'commit', '-qam', 'main')
    await gitOrNot(root, 'merge', '-q', 'other')
    expect((await call(root, 'GitStatus')).stdout).toBe('on branch main\nconflicted (1):\n  both modified a.txt')
    expect((await call(root, 'GitDiff')).stdout).toContain('++<<<<<<<')
    await git(root, 'merge', '--abort')
    await git(root, 'checkout', '-q', '--detach')
    expect((await call(root, 'GitStatus')).stdout).toMatch(/^HEAD is detached at [0-9a-f]{10}\nnothing has changed$/)

    const empty = freshRoot()
    await mkdir(empty)
    await git(empty, 'init', '-q', '-b', 'trunk')
    await put(empty, 'a', 'a')
    expect((await call(empty, 'GitStatus')).stdout).toBe('on branch trunk, no commit yet\nuntracked (1):\n  new a')
    expect(await call(empty, 'GitLog')).toEqual({ ok: true, data: { commits: 0 }, stdout: 'There is no commit yet.' })
    expect((await call(empty, 'GitDiff')).stdout).toBe('Nothing has changed that is not staged.')
    await git(empty, 'add', '-A')
    expect((await call(empty, 'GitDiff', { staged: true })).stdout).toContain('+a')
  })

  test('respects line ends and ignored files as the user has set them, also for all repositories', async () => {
    const home = freshRoot()
    const root = await fresh({ 'a.txt': 'a\n' })
    await put(home, '.gitconfig', '[core]\n\tautocrlf = true\n\texcludesFile = ~/ignored\n\tfsmonitor = /bin/false\n')
    await put(home, 'ignored', '*.log\n')
    await put(root, 'x.log', 'x')
    await rm(join(root, 'a.txt'))
    await git(root, '-c', 'core.autocrlf=true', 'checkout', 'a.txt')
    await utimes(join(root, 'a.txt'), 1, 1)
    expect((await call(root, 'GitStatus', {}, home)).stdout).toBe('on branch main\nnothing has changed')
    expect((await call(root, 'GitStatus')).data).toMatchObject({ changed: 1, untracked: 1 })
  })
})

describe('GitDiff', () => {
  test('shows the files with their counts, then the hunks', async () => {
    const root = await fresh()
    await put(root, 'a.txt', 'one\n2\nthree\n')
    expect(await call(root, 'GitDiff')).toEqual({
      ok: true,
      data: { files: 1, added: 1, removed: 1 },
      stdout: [
        '1 file, +1 -1',
        '  a.txt +1 -1',
        '',
        'diff --git a/a.txt b/a.txt',
        'index 4cb29ea..f04eb26 100644',
        '--- a/a.txt',
        '+++ b/a.txt',
        '@@ -1,3 +1,3 @@',
        ' one',
        '-two',
        '+2',
        ' three',
      ].join('\n'),
    })
    expect((await call(root, 'GitDiff', { staged: true })).stdout).toBe('Nothing is staged.')
    await git(root, 'add', '-A')
    expect((await call(root, 'GitDiff', { staged: true, path: 'a.txt' })).data).toEqual({
      files: 1,
      added: 1,
      removed: 1,
    })
    expect((await call(root, 'GitDiff', { staged: true, path: 'b.txt' })).stdout).toBe('Nothing is staged in b.txt.')
  })

  test('a large diff is cut fairly, within the limit, with every cut stated', async () => {
    const names = Array.from({ length: 9 }, (_, at) => `f${at}.txt`)
    const root = await fresh(Object.fromEntries(names.map((name) => [name, 'x\n'])))
    for (const name of names) await put(root, name, `${name} changed\n`.repeat(name === 'f8.txt' ? 2 : 5000))
    const result = await call(root, 'GitDiff')
    const text = renderResult(result)
    expect(text.length).toBeLessThanOrEqual(10_000)
    expect(text).not.toContain('characters cut')
    for (const name of names) expect(text).toContain(`+++ b/${name}`)
    expect(text.match(/more lines of this file; ask with its path/g)).toHaveLength(8)
    expect((await call(root, 'GitDiff', { limit: 20 })).stdout?.split('\n').length).toBeLessThan(50)
  })

  test('a path is that path, whatever signs are in it', async () => {
    const root = await fresh({ 'a.txt': 'a\n', '*.txt': 'star\n', ':(top)x': 'x\n' })
    for (const name of ['a.txt', '*.txt', ':(top)x']) await put(root, name, 'changed\n')
    expect((await call(root, 'GitDiff', { path: '*.txt' })).data).toMatchObject({ files: 1 })
    expect((await call(root, 'GitDiff', { path: ':(top)x' })).data).toMatchObject({ files: 1 })
    expect((await call(root, 'GitLog', { path: '*.txt' })).data).toEqual({ commits: 1 })
  })

  test('names files that hold secrets, and shows none of them', async () => {
    const root = await fresh({ '.env': 'TOKEN=old\n', 'a.txt': 'a\n', 'keys/x.pem': `${'pem\n'.repeat(9)}` })
    await put(root, '.env', 'TOKEN=hunter2\n')
    await put(root, 'a.txt', 'changed\n')
    await rename(join(root, 'keys/x.pem'), join(root, 'x.txt'))
    await git(root, 'add', '-A')
    await put(root, 'x.txt', `${'pem\n'.repeat(9)}hunter2\n`)
    await git(root, 'add', '-A')
    const result = await call(root, 'GitDiff', { staged: true })
    expect(renderResult(result)).not.toMatch(/hunter2|TOKEN|\+pem/)
    expect(result.stdout).toContain('+changed')
    expect(result.stdout).toContain('.env +1 -1')
    expect(codesOf(result)).toEqual(['secret-not-shown'])
    const tool = toolsOf(root)[1]
    const prepared = await tool?.prepare({ path: '.env' }, contextOf())
    expect(prepared?.access).toEqual([{ kind: 'read', path: '.env', where: 'inside', mark: 'secret' }])
  })
})

describe('GitLog', () => {
  test('lists commits with their messages, the newest first', async () => {
    const root = await fresh()
    await git(root, 'commit', '-q', '--allow-empty', '-m', 'second\n\nBecause of\n\n\nthis.')
    await git(root, 'tag', 'v1')
    const [second, first] = (await git(root, 'log', '--format=%h')).trim().split('\n')
    expect(await call(root, 'GitLog')).toEqual({
      ok: true,
      data: { commits: 2 },
      stdout: [
        `${second} 2026-01-02 A (HEAD -> main, tag: v1): second`,
        '    Because of',
        '    ',
        '    this.',
        `${first} 2026-01-02 A: first`,
      ].join('\n'),
    })
    expect((await call(root, 'GitLog', { limit: 1 })).stdout).toMatch(/second(.|\n)*\[older commits are not shown\]$/)
    expect((await call(root, 'GitLog', { path: 'a.txt' })).data).toEqual({ commits: 1 })
    expect((await call(root, 'GitLog', { path: 'never' })).stdout).toBe('No commit touches never.')
  })
})

describe('where there is something odd', () => {
  test('outside a repository, in a gone directory, and out of the workspace there is a clear answer', async () => {
    const root = freshRoot()
    await mkdir(root)
    // A bare repository is not a work tree, and not opened as one.
    await git(root, 'init', '-q', '--bare', 'store')
    for (const name of ['GitStatus', 'GitDiff', 'GitLog']) {
      expect(codesOf(await call(root, name))).toEqual(['no-repository'])
      expect(codesOf(await call(join(root, 'store'), name))).toEqual(['no-repository'])
      expect(codesOf(await call(join(root, 'gone'), name))).toEqual(['no-workspace'])
      expect(codesOf(await call(root, name, { path: '..' }))).toEqual(['outside-workspace'])
      expect(codesOf(await call(root, name, { path: 1 }))).toEqual(['bad-arguments'])
    }
  })

  test('a workspace below the top of its repository sees only itself, by its own names', async () => {
    const top = await fresh({ 'outside.txt': 'o\n', 'in/a.txt': 'a\n' })
    await put(top, 'outside.txt', 'changed\n')
    await put(top, 'in/a.txt', 'changed\n')
    await git(top, 'commit', '-qm', 'only outside', 'outside.txt')
    await put(top, 'outside.txt', 'again\n')
    const root = join(top, 'in')
    expect((await call(root, 'GitStatus')).stdout).toBe('on branch main\nchanged, not staged (1):\n  modified a.txt')
    expect((await call(root, 'GitDiff')).stdout).toMatch(/^1 file, \+1 -1\n {2}a\.txt/)
    expect((await call(root, 'GitDiff', { path: 'a.txt' })).data).toMatchObject({ files: 1 })
    expect((await call(root, 'GitLog')).data).toEqual({ commits: 1 })
  })

  test('linked work trees and submodules are what they say', async () => {
    const top = await fresh()
    const root = freshRoot()
    await git(top, 'worktree', 'add', '-q', '-b', 'side', root)
    await put(root, 'a.txt', 'changed\n')
    expect((await call(root, 'GitStatus')).stdout).toBe('on branch side\nchanged, not staged (1):\n  modified a.txt')
    await git(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', await fresh(), 'sub')
    expect((await call(join(top, 'sub'), 'GitStatus')).stdout).toMatch(/^on branch main/)
    await git(join(top, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'inner')
    expect((await call(top, 'GitStatus')).stdout).toContain('modified sub (submodule)')
  })

  test.each([
    [
      'a .git file that leads to another repository',
      (root: string, other: string) => put(root, '.git', `gitdir: ${other}/.git\n`),
    ],
    [
      'a .git link that leads to another repository',
      (root: string, other: string) => symlink(`${other}/.git`, `${root}/.git`),
    ],
    [
      'a common directory elsewhere',
      async (root: string, other: string) => {
        await git(root, 'init', '-q', '-b', 'main')
        await put(root, '.git/commondir', `${other}/.git\n`)
      },
    ],
    [
      'refs elsewhere',
      async (root: string, other: string) => {
        await git(root, 'init', '-q', '-b', 'main')
        await put(root, '.git/objects/info/alternates', `${other}/.git/objects\n`)
        await rename(join(root, '.git/refs'), join(root, '.git/refs.old'))
        await symlink(`${other}/.git/refs`, join(root, '.git/refs'))
      },
    ],
    [
      'a ref elsewhere, with objects from there',
      async (root: string, other: string) => {
        await git(root, 'init', '-q', '-b', 'main')
        await put(root, '.git/objects/info/alternates', `${other}/.git/objects\n`)
        await symlink(`${other}/.git/refs/heads/main`, join(root, '.git/refs/heads/main'))
      },
    ],
  ])('%s is not followed', async (_, set) => {
    const other = await fresh({ 'private.txt': 'private\n' })
    const root = freshRoot()
    await mkdir(root)
    await set(root, other)
    for (const name of ['GitStatus', 'GitDiff', 'GitLog']) {
      const result = await call(root, name)
      expect(renderResult(result)).not.toMatch(/private|first/)
      expect(codesOf(result)).toEqual(['git-elsewhere'])
    }
    // Plain git does: else this would prove nothing.
    expect(await gitOrNot(root, 'log')).toContain('first')
  })

  test('a work tree that is said to be elsewhere is not believed', async () => {
    const root = await fresh()
    const other = freshRoot()
    await put(other, 'private.txt', 'private\n')
    await git(root, 'config', 'core.worktree', other)
    expect(await gitOrNot(root, 'status')).toContain('private.txt')
    expect((await call(root, 'GitStatus')).stdout).toBe('on branch main\nnothing has changed')
  })

  test('looking changes nothing, not even the times in the index', async () => {
    const root = await fresh()
    await put(root, 'a.txt', 'staged\n')
    await git(root, 'add', '-A')
    await writeFile(join(root, 'b.txt'), 'b\n')
    const before = await everything(join(root, '.git'))
    const temporary = freshRoot()
    await mkdir(temporary)
    vi.stubEnv('TMPDIR', temporary)
    for (const name of ['GitStatus', 'GitDiff', 'GitLog']) await call(root, name)
    vi.unstubAllEnvs()
    expect(await everything(join(root, '.git'))).toEqual(before)
    expect(await readdir(temporary)).toEqual([])
  })

  test('what waits for ever is ended in time, and an interrupt at once', async () => {
    const root = await fresh()
    execFileSync('mkfifo', [join(root, '.gitignore')])
    const slow = await runGit(root, ['status'], { signal, timeoutMs: 200 })
    expect(slow).toMatchObject({ kind: 'problem', diagnostic: { code: 'timeout' } })
    const controller = new AbortController()
    const stopped = runGit(root, ['status'], { signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    expect(await stopped).toMatchObject({ kind: 'problem', diagnostic: { code: 'interrupted' } })
  })

  test('output beyond the limit is cut, and said to be', async () => {
    const root = await fresh({ 'a.txt': 'a\n'.repeat(100_000) })
    const end = await runGit(root, ['cat-file', 'blob', 'HEAD:a.txt'], { signal, limit: 1_000 })
    expect(end).toMatchObject({ kind: 'ended', isCut: true, stdout: Buffer.from('a\n'.repeat(500)) })
    const all = await runGit(root, ['hash-object', '--stdin'], { signal, stdin: 'a\n' })
    expect(all).toMatchObject({
      exit: 0,
      isCut: false,
      stdout: Buffer.from('78981922613b2afb6025042ff6bd878ac1994e85\n'),
    })
  })
})

async function everything(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, 'base64')])))
}
