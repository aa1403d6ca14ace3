import { execFileSync, spawn } from 'node:child_process'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../src/search/engine.ts'
import { listFiles } from '../../src/search/list-files.ts'
import { renderList } from '../../src/search/render-list.ts'
import { renderSearch } from '../../src/search/render-search.ts'
import { type SearchArguments, searchText } from '../../src/search/search-text.ts'
import { engines, NEVER, openTree, type Tree } from './tree.ts'

const open: Tree[] = []
afterEach(async () => {
  for (const tree of open.splice(0)) await tree.dispose()
})

async function treeOf(files: Record<string, string>): Promise<Tree> {
  const tree = await openTree(files)
  open.push(tree)
  return tree
}

/** All that a call gives back, as one text. */
async function everything(
  tree: Tree,
  engine: Engine,
  query: string,
  own: Partial<SearchArguments> = {},
): Promise<string> {
  const options = { signal: NEVER, engines: [engine], timeoutMs: 5_000 }
  const found = await searchText(tree.workspace, { query, contextLines: 2, ...own }, options)
  const listed = await listFiles(tree.workspace, {}, options)
  const rendered = [
    found.kind === 'found' ? renderSearch(found, 10_000) : found.diagnostic.message,
    listed.kind === 'listed' ? renderList(listed) : listed.diagnostic.message,
  ]
  return JSON.stringify([found, listed, rendered])
}

/** An engine that was led outside: it says that every one of these paths has what was asked for. */
function misled(paths: string[]): Engine {
  return {
    list: async () => ({ kind: 'listed', paths: paths.map((path) => `./${path}\0`).join(''), unreadable: 0 }),
    async search(_scope, _question, witness) {
      for (const path of paths) {
        if (witness.see(path, 1, 1))
          witness.keep({ path, matches: 1, lines: 1, places: () => [{ line: 1, column: 0 }] })
      }
      return { kind: 'searched', binary: 0, large: 0, unreadable: 0 }
    },
  }
}

describe('nothing outside the workspace is shown', () => {
  test.each([
    ['a literal', false],
    ['a regex', true],
  ])('even if an engine was led there, for %s', async (_, regex) => {
    const tree = await treeOf({ 'a/real.txt': 'needle inside\n' })
    await symlink(tree.outside, join(tree.root, 'link'))
    await symlink(join(tree.outside, 'secret.txt'), join(tree.root, 'file'))
    const lies = [
      'link/secret.txt',
      'file',
      '../outside/secret.txt',
      'a/../../outside/secret.txt',
      '/etc/passwd',
      'a/./../../outside/secret.txt',
      '..',
      'gone.txt',
      'a',
      'a/real.txt',
    ]
    const engine = misled(lies)
    const found = await searchText(tree.workspace, { query: 'needle', regex }, { signal: NEVER, engines: [engine] })
    expect(found).toMatchObject({ total: { matches: 1, lines: 1, files: 1 }, skipped: { unreadable: 0 } })
    expect(found.kind === 'found' && renderSearch(found, 1_000)).toBe('a/real.txt\n1:\tneedle inside')
    const listed = await listFiles(tree.workspace, {}, { signal: NEVER, engines: [engine] })
    expect(listed.kind === 'listed' && renderList(listed)).toBe('a/real.txt')
  })

  test('and nothing of a file that holds secrets, whatever an engine keeps', async () => {
    const tree = await treeOf({ '.env': 'needle=1\n' })
    const { list, search } = misled(['.env'])
    const careless: Engine = {
      list,
      search: (scope, question, witness) => search(scope, question, { ...witness, see: () => true }),
    }
    const found = await searchText(tree.workspace, { query: 'needle' }, { signal: NEVER, engines: [careless] })
    expect(found).toMatchObject({ files: [] })
  })

  test.each(engines)('through links, by %s', async (_, engine) => {
    const tree = await treeOf({ 'inside.txt': 'needle\n' })
    await symlink(tree.outside, join(tree.root, 'dir'))
    await symlink(join(tree.outside, 'secret.txt'), join(tree.root, 'secret.txt'))
    await symlink('/proc/self/root', join(tree.root, 'proc'))
    await symlink('.', join(tree.root, 'loop'))
    const text = await everything(tree, engine, 'needle')
    expect(text).toContain('inside.txt')
    expect(text).not.toMatch(/kept from you|secret\.txt|proc|loop/)
  })

  test.each(engines)('through a root that is swapped while %s looks', async (_, engine) => {
    const tree = await treeOf({ 'inside.txt': 'needle\n' })
    const swapping: Engine = {
      list: (scope) => engine.list(scope),
      async search(scope, question, witness) {
        await rename(tree.root, `${tree.root}-moved`)
        await symlink(tree.outside, tree.root)
        return engine.search(scope, question, witness)
      },
    }
    const options = { signal: NEVER, engines: [swapping] }
    const found = await searchText(tree.workspace, { query: 'needle' }, options)
    expect(found.kind === 'found' && found.files.map(({ path }) => path)).toEqual(['inside.txt'])
    const later = await searchText(tree.workspace, { query: 'needle' }, options)
    expect(later).toMatchObject({ kind: 'problem' })
    expect(JSON.stringify(later)).not.toContain('kept from you')
    await rm(tree.root)
    await rename(`${tree.root}-moved`, tree.root)
  })

  test.each(engines)('through rules and a .git that lead elsewhere, by %s', async (_, engine) => {
    const tree = await treeOf({ 'a.txt': 'needle', 'b.log': 'needle' })
    await writeFile(join(tree.outside, 'exclude'), '*.log\n')
    await mkdir(join(tree.outside, 'info'))
    await writeFile(join(tree.outside, 'info/exclude'), '*.log\n')
    await writeFile(join(tree.root, '.git'), `gitdir: ${tree.outside}\n`)
    // Rules from outside are not even obeyed.
    expect(await everything(tree, engine, 'needle')).toContain('b.log')
    await rm(join(tree.root, '.git'))
    await mkdir(join(tree.root, '.git/info'), { recursive: true })
    await symlink(join(tree.outside, 'exclude'), join(tree.root, '.git/info/exclude'))
    expect(await everything(tree, engine, 'needle')).toContain('b.log')
  })

  test.each(engines)('however fast a process swaps a folder and a link, by %s', async (_, engine) => {
    const length = Number(process.env['MARU_RACE_MS'] ?? 1_500)
    const tree = await treeOf(
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d/sub/f${index}.txt`, 'needle inside\n'])),
    )
    await mkdir(join(tree.outside, 'sub'))
    for (let index = 0; index < 40; index++) {
      await writeFile(join(tree.outside, `sub/f${index}.txt`), 'needle OUTSIDE\n')
      await writeFile(join(tree.outside, `sub/LEAKED-${index}.txt`), 'needle OUTSIDE\n')
    }
    await symlink(tree.outside, join(tree.root, 'l'))
    const script = `const { renameSync: mv } = require('node:fs'); for (;;) { mv('d', 't'); mv('l', 'd'); mv('d', 'l'); mv('t', 'd') }`
    const swapper = spawn(process.execPath, ['-e', script], { cwd: tree.root, stdio: 'ignore' })
    const ended = new Promise((resolve) => swapper.once('exit', resolve))
    let inside = 0
    try {
      // It would prove nothing if nothing were ever found; on a slow machine that may take longer.
      for (const end = performance.now() + length; performance.now() < end || inside === 0; ) {
        const text =
          (await everything(tree, engine, 'needle')) + (await everything(tree, engine, 'n[e]+dle', { regex: true }))
        expect(text).not.toMatch(/OUTSIDE|LEAKED|secret\.txt/)
        if (text.includes('needle inside')) inside++
      }
    } finally {
      swapper.kill('SIGKILL')
      await ended
    }
  })
})

describe('nothing is waited for', () => {
  test.each(engines)('pipes and sockets are passed over by %s', async (_, engine) => {
    const tree = await treeOf({ 'a.txt': 'needle' })
    execFileSync('mkfifo', [join(tree.root, 'pipe'), join(tree.root, 'b.txt')])
    const server = createServer().listen(join(tree.root, 'socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    const start = performance.now()
    const text = await everything(tree, engine, 'needle')
    expect(performance.now() - start).toBeLessThan(4_000)
    expect(text).not.toMatch(/pipe|socket|b\.txt/)
    await new Promise((resolve) => server.close(resolve))
  })

  test('a pipe in the place of rules holds ripgrep up, but no longer than it may take', async () => {
    const tree = await treeOf({ 'a.txt': 'needle', 'sub/b.txt': 'needle' })
    execFileSync('mkfifo', [join(tree.root, 'sub/.gitignore')])
    const [, ripgrep] = engines[0] ?? []
    const [, builtIn] = engines[1] ?? []
    if (!ripgrep || !builtIn) throw new Error('there are two engines')
    const held = { signal: NEVER, timeoutMs: 500, engines: [ripgrep] }
    expect(await searchText(tree.workspace, { query: 'needle' }, held)).toMatchObject({ stop: 'timeout' })
    const free = await searchText(tree.workspace, { query: 'needle' }, { signal: NEVER, engines: [builtIn] })
    expect(free).toMatchObject({ total: { files: 2 } })
    expect(free).not.toHaveProperty('stop')
  })

  test('a search that is called off leaves no process behind', async () => {
    const tree = await treeOf({ 'sub/b.txt': 'needle' })
    execFileSync('mkfifo', [join(tree.root, 'sub/.gitignore')])
    const controller = new AbortController()
    const answer = searchText(tree.workspace, { query: 'needle' }, { signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    expect(await answer).toMatchObject({ stop: 'abort' })
    expect(
      execFileSync('sh', ['-c', `ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -c ' ${tree.root}$' || true`], {
        encoding: 'utf8',
      }).trim(),
    ).toBe('0')
  })
})
