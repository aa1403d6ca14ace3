import { execFileSync } from 'node:child_process'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createBuiltInEngine } from '../../src/search/built-in-engine.ts'
import { renderSearch } from '../../src/search/render-search.ts'
import { createRipgrepEngine } from '../../src/search/ripgrep-engine.ts'
import { type SearchArguments, searchText, type TextFound } from '../../src/search/search-text.ts'
import { encoded, engines, type Files, NEVER, openTree, type Tree } from './tree.ts'

const open: Tree[] = []
afterEach(async () => {
  for (const tree of open.splice(0)) await tree.dispose()
})

async function treeOf(files: Files): Promise<Tree> {
  const tree = await openTree(files)
  open.push(tree)
  return tree
}

async function find(files: Files | Tree, args: SearchArguments, own: object = {}): Promise<TextFound> {
  const tree = 'workspace' in files ? (files as Tree) : await treeOf(files as Files)
  const answer = await searchText(tree.workspace, args, { signal: NEVER, ...own })
  if (answer.kind === 'problem') throw new Error(`${answer.diagnostic.code}: ${answer.diagnostic.message}`)
  return answer
}

const pathsOf = ({ files }: TextFound) => files.map(({ path }) => path)
const upTo = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))

describe.each(engines)('SearchText with %s', (_, engine) => {
  const own = { engines: [engine] }

  test('gives lines with their numbers, by file, and true totals', async () => {
    const found = await find({ 'a.ts': 'one\ntwo x x\n', 'b/c.ts': 'x\n' }, { query: 'x' }, own)
    expect(found.total).toEqual({ matches: 3, lines: 2, files: 2 })
    expect(renderSearch(found, 10_000)).toBe('a.ts\n2:\ttwo x x\nb/c.ts\n1:\tx')
  })

  test('shows lines around a match, each once, and where some are left out', async () => {
    const text = upTo(20, (index) => (index % 10 === 4 || index === 6 ? 'hit' : `line ${index + 1}`)).join('\n')
    const found = await find({ 'a.txt': text }, { query: 'hit', contextLines: 1 }, own)
    expect(renderSearch(found, 10_000)).toBe(
      [
        'a.txt (3 matches)',
        '4-\tline 4',
        '5:\thit',
        '6-\tline 6',
        '7:\thit',
        '8-\tline 8',
        '--',
        '14-\tline 14',
        '15:\thit',
        '16-\tline 16',
      ].join('\n'),
    )
  })

  test('cuts a long line around the match and says by how much', async () => {
    const found = await find({ 'a.txt': `${'a'.repeat(1_000)}needle${'b'.repeat(1_000)}` }, { query: 'needle' }, own)
    expect(renderSearch(found, 10_000)).toBe(
      `a.txt\n1:\t[… 920 characters cut] ${'a'.repeat(80)}needle${'b'.repeat(154)} [… 846 characters cut]`,
    )
  })

  test('shows as much of a line when the match stands at its end', async () => {
    const found = await find({ 'a.txt': `${'a'.repeat(1_000)}needle` }, { query: 'needle' }, own)
    expect(found.files[0]?.places[0]?.line.text).toBe(`[… 766 characters cut] ${'a'.repeat(234)}needle`)
  })

  test('cuts around a match of a regex as well, in every encoding', async () => {
    const text = `${'가a'.repeat(250)}needle${'나'.repeat(500)}\n`
    const files = { 'a.txt': text, 'b.txt': encoded(text, 'cp949'), 'c.txt': encoded(text, 'utf-16le', true) }
    const found = await find(files, { query: 'n[e]+dle', regex: true }, own)
    expect(found.files.map(({ places }) => places[0]?.line.text)).toEqual(
      upTo(3, () => `[… 420 characters cut] ${'가a'.repeat(40)}needle${'나'.repeat(154)} [… 346 characters cut]`),
    )
  })

  test('shows no more lines than asked for, of several files, and counts all', async () => {
    const files = Object.fromEntries(upTo(10, (index) => [`f${index}.ts`, 'x\n'.repeat(20)]))
    const found = await find(files, { query: 'x', maxResults: 30 }, own)
    expect(found.total).toEqual({ matches: 200, lines: 200, files: 10 })
    expect(found.files.map(({ places }) => places.length)).toEqual([5, 5, 5, 5, 5, 5])
    expect(renderSearch(found, 10_000).split('\n').at(-1)).toBe(
      '[30 of 200 matching lines shown, in 6 of 10 files, best first; narrow it with include, exclude or a longer query]',
    )
  })

  test('gives what others do not need to the best', async () => {
    const found = await find({ 'a.ts': 'x\n'.repeat(50), 'b.ts': 'x\n' }, { query: 'x', maxResults: 20 }, own)
    expect(found.files.map(({ path, places }) => [path, places.length])).toEqual([
      ['a.ts', 19],
      ['b.ts', 1],
    ])
  })

  test('never takes more characters than it may, and says what is missing', async () => {
    const files = Object.fromEntries(upTo(60, (index) => [`file-${index}.ts`, `needle ${'y'.repeat(200)}\n`.repeat(9)]))
    const found = await find(files, { query: 'needle', maxResults: 1_000 }, own)
    for (const limit of [9_400, 1_000, 400]) {
      const text = renderSearch(found, limit)
      expect(text.length).toBeLessThanOrEqual(limit)
      const [, shown, files_] = /\[(\d+) of 540 matching lines shown, in (\d+) of 60 files/.exec(text) ?? []
      expect(Number(shown)).toBe(text.match(/^\d+:/gm)?.length)
      expect(Number(files_)).toBe(text.match(/^file-/gm)?.length)
    }
  })

  test('the best files come first, and in the same order each time', async () => {
    const files = {
      'package-lock.json': 'renderTree renderTree\n'.repeat(9),
      'dist/bundle.js': 'function renderTree() {}\n',
      'src/uses.ts': 'renderTree()\nrenderTree()\n',
      'src/part.ts': 'myrenderTreeX()\n'.repeat(5),
      'src/define.ts': 'export function renderTree() {}\n',
      'src/render-tree.ts': 'renderTree\n',
      'test/uses.test.ts': 'renderTree()\n'.repeat(9),
      'README.md': 'renderTree\n'.repeat(3),
      'src/b.ts': 'renderTree()\n',
      'src/a.ts': 'renderTree()\n',
    }
    const order = [
      'src/define.ts',
      'src/render-tree.ts',
      'src/uses.ts',
      'src/a.ts',
      'src/b.ts',
      'README.md',
      'test/uses.test.ts',
      'src/part.ts',
      'dist/bundle.js',
      'package-lock.json',
    ]
    expect(pathsOf(await find(files, { query: 'renderTree' }, own))).toEqual(order)
    expect(pathsOf(await find(files, { query: 'renderTree', maxResults: 3 }, own))).toEqual(order.slice(0, 3))
  })

  test('keeps to include and exclude', async () => {
    const files = {
      'a.ts': 'x',
      'src/b.ts': 'x',
      'src/c.md': 'x',
      'src/gen/d.ts': 'x',
      '.gitignore': 'ignored/',
      'ignored/e.ts': 'x',
    }
    expect(pathsOf(await find(files, { query: 'x', include: 'src/**', exclude: 'gen, *.md' }, own))).toEqual([
      'src/b.ts',
    ])
    expect(pathsOf(await find(files, { query: 'x', include: '*.md' }, own))).toEqual(['src/c.md'])
    // Rules of the repository hold for what is included, too.
    expect(pathsOf(await find(files, { query: 'x', include: 'ignored/**' }, own))).toEqual([])
  })

  test('keeps to .git/info/exclude', async () => {
    const files = { '.git/info/exclude': '# mine\n*.tmp\n', 'a.tmp': 'x', 'b.txt': 'x' }
    expect(pathsOf(await find(files, { query: 'x' }, own))).toEqual(['b.txt'])
  })

  test('finds nothing in files that hold secrets, and counts nothing of them', async () => {
    const files = { '.env': 'KEY=x', 'config/.env.local': 'KEY=x', id_rsa: 'KEY=x', '.env.example': 'KEY=' }
    expect((await find(files, { query: 'KEY=x' }, own)).total).toEqual({ matches: 0, lines: 0, files: 0 })
    expect(pathsOf(await find(files, { query: 'KEY=', include: '.env*' }, own))).toEqual(['.env.example'])
  })

  test('counts none of very many secrets either', async () => {
    const tree = await treeOf(Object.fromEntries(upTo(250, (index) => [`d${index}/.env`, 'KEY=x\n'])))
    expect((await find(tree, { query: 'KEY=x' }, own)).total).toEqual({ matches: 0, lines: 0, files: 0 })
  })

  test('counts files that turn out to be no text and shows none of them', async () => {
    const files = {
      'a.bin': Buffer.from('\0needle'),
      'b.txt': 'needle',
      'c.bin': Buffer.from('\0'),
      'd.dat': Buffer.from('\x01\x02\x03\x04needle'),
      'e.bin': `needle\n${'x'.repeat(200_000)}\n\0`,
    }
    const found = await find(files, { query: 'needle' }, own)
    expect([pathsOf(found), found.total, found.skipped.binary]).toEqual([
      ['b.txt'],
      { matches: 1, lines: 1, files: 1 },
      2,
    ])
  })

  test('a file that is too large to be shown is named with its count', async () => {
    const tree = await treeOf({ 'big.log': 'needle\n'.repeat(1_000_000), 'small.log': 'needle\n' })
    const found = await find(tree, { query: 'needle' }, own)
    expect(found.total).toEqual({ matches: 1_000_001, lines: 1_000_001, files: 2 })
    expect(renderSearch(found, 10_000)).toContain('big.log (1000000 matches; too large to show, 7 MB)')
  })

  test('more files than are looked into are counted', async () => {
    const tree = await treeOf(Object.fromEntries(upTo(450, (index) => [`d${index % 9}/f${index}.ts`, 'needle\n'])))
    const found = await find(tree, { query: 'needle', maxResults: 10 }, own)
    expect(found.total).toEqual({ matches: 450, lines: 450, files: 450 })
    expect(pathsOf(found)).toEqual([
      'd0/f0.ts',
      'd0/f108.ts',
      'd0/f117.ts',
      'd0/f126.ts',
      'd0/f135.ts',
      'd0/f144.ts',
      'd0/f153.ts',
      'd0/f162.ts',
      'd0/f171.ts',
      'd0/f18.ts',
    ])
  })

  test('a name stays on one line and in its order', async () => {
    const found = await find({ 'a\nb\u202e.txt': 'needle' }, { query: 'needle' }, own)
    expect(renderSearch(found, 1_000)).toBe('a\\u{a}b\\u{202e}.txt\n1:\tneedle')
  })

  test.each<[name: string, args: SearchArguments, code: string]>([
    ['two lines', { query: 'a\nb' }, 'bad-query'],
    ['a regex over two lines', { query: 'a\\nb', regex: true }, 'bad-query'],
    ['nothing', { query: '' }, 'bad-query'],
    ['a regex that is none', { query: 'foo(', regex: true }, 'bad-regex'],
    ['a set that is none', { query: '[a', regex: true }, 'bad-regex'],
    ['a query that is too long', { query: 'x'.repeat(2_000) }, 'bad-query'],
    ['a glob that is none', { query: 'x', include: '[a' }, 'bad-glob'],
  ])('%s is refused with a reason and what to do', async (_name, args, code) => {
    const { workspace } = await treeOf({ 'a.txt': 'x' })
    const answer = await searchText(workspace, args, { signal: NEVER, ...own })
    expect(answer).toMatchObject({ kind: 'problem', diagnostic: { code } })
  })

  test('an aborted search ends at once', async () => {
    const tree = await treeOf({ 'a.txt': 'needle' })
    expect(await find(tree, { query: 'needle' }, { ...own, signal: AbortSignal.abort() })).toMatchObject({
      stop: 'abort',
    })
    const controller = new AbortController()
    const answer = find(tree, { query: 'needle' }, { ...own, signal: controller.signal })
    controller.abort()
    expect(await answer).toMatchObject({ kind: 'found' })
  })

  test('a search that takes too long says so', async () => {
    const tree = await treeOf(Object.fromEntries(upTo(300, (index) => [`d${index}/a.txt`, 'needle'])))
    expect(await find(tree, { query: 'needle' }, { ...own, timeoutMs: 0 })).toMatchObject({ stop: 'timeout' })
  })

  test('a workspace that is gone is a problem', async () => {
    const tree = await openTree()
    await tree.dispose()
    expect(await searchText(tree.workspace, { query: 'x' }, { signal: NEVER, ...own })).toMatchObject({
      kind: 'problem',
      diagnostic: { code: 'no-workspace' },
    })
  })
})

describe('SearchText', () => {
  test('does not read on in a file that is binary', async () => {
    const tree = await treeOf({ 'a.txt': 'needle', sparse: '' })
    await truncate(join(tree.root, 'sparse'), 2 ** 40)
    expect(await find(tree, { query: 'needle' })).toMatchObject({ total: { files: 1 }, skipped: { binary: 0 } })
    expect(await find(tree, { query: 'n[e]*dle', regex: true }, { timeoutMs: 5_000 })).not.toHaveProperty('stop')
  })

  test.each<[name: string, program: (tree: Tree) => string | undefined]>([
    ['is missing', () => undefined],
    ['is not where it should be', () => '/nonexistent/rg'],
    ['may not be run', ({ root }) => join(root, 'a.txt')],
    ['does not work', () => '/bin/cat'],
  ])('goes on without a ripgrep that %s', async (_name, program) => {
    const tree = await treeOf({ 'a.txt': 'needle' })
    const broken = createRipgrepEngine(async () => program(tree))
    const found = await find(tree, { query: 'needle' }, { engines: [broken, createBuiltInEngine()] })
    expect(found.total).toEqual({ matches: 1, lines: 1, files: 1 })
  })

  test('runs ripgrep without the environment and configuration of the user', async () => {
    const tree = await treeOf({ 'a.txt': 'Needle', config: '--ignore-case\n' })
    process.env['RIPGREP_CONFIG_PATH'] = join(tree.root, 'config')
    try {
      expect((await find(tree, { query: 'needle' })).total.files).toBe(0)
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH']
    }
  })

  test('gives ripgrep nothing of the environment', async () => {
    const tree = await treeOf({})
    // By another process: what is open for writing here, a fork of another thread holds as well, and then it cannot be run.
    execFileSync('sh', ['-c', 'cat > rg; chmod 700 rg'], {
      cwd: tree.root,
      input: '#!/bin/sh\necho "key: <$MARU_TEST_KEY>" >&2\nexit 2\n',
    })
    process.env['MARU_TEST_KEY'] = 'a key of the user'
    const spied = createRipgrepEngine(async () => join(tree.root, 'rg'))
    const answer = await searchText(tree.workspace, { query: 'x', regex: true }, { signal: NEVER, engines: [spied] })
    delete process.env['MARU_TEST_KEY']
    expect(answer).toMatchObject({ kind: 'problem' })
    expect(JSON.stringify(answer)).toContain('key: <>')
  })

  test('a regex that would take for ever on one file is given up there, by the engine that cannot help it', async () => {
    const tree = await treeOf({ 'a.txt': `${'a'.repeat(40)}b\n`, 'b.txt': 'aac\n' })
    const found = await find(tree, { query: '(a+)+[c]', regex: true }, { engines: [createBuiltInEngine()] })
    expect([pathsOf(found), found.skipped.unreadable]).toEqual([['b.txt'], 1])
  })

  test('files that the built-in engine does not read are counted', async () => {
    const tree = await treeOf({ 'a.txt': 'needle', sparse: '' })
    await writeFile(join(tree.root, 'huge'), Buffer.alloc(65 * 1024 * 1024, 'x\n'))
    await truncate(join(tree.root, 'sparse'), 65 * 1024 * 1024)
    const found = await find(tree, { query: 'needle' }, { engines: [createBuiltInEngine()] })
    expect(found.skipped).toEqual({ binary: 0, large: 1, unreadable: 0 })
  })
})
