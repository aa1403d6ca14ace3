import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { countFolders } from '../../src/search/folder-counts.ts'
import { type FilesListed, type ListArguments, listFiles } from '../../src/search/list-files.ts'
import { planList } from '../../src/search/plan-list.ts'
import { renderList } from '../../src/search/render-list.ts'
import { engines, type Files, NEVER, openTree, type Tree } from './tree.ts'

const open: Tree[] = []
afterEach(async () => {
  for (const tree of open.splice(0)) await tree.dispose()
})

async function treeOf(files: Files): Promise<Tree> {
  const tree = await openTree(files)
  open.push(tree)
  return tree
}

async function show(tree: Tree, args: ListArguments, own: object = {}): Promise<FilesListed> {
  const answer = await listFiles(tree.workspace, args, { signal: NEVER, ...own })
  if (answer.kind === 'problem') throw new Error(answer.diagnostic.code)
  return answer
}

const FILES = {
  'README.md': '',
  '.env': '',
  '.gitignore': 'node_modules/\n',
  'node_modules/x/index.js': '',
  'node_modules/x/.gitignore': '*.map',
  'node_modules/x/index.map': '',
  'src/a.ts': '',
  'src/b.tsx': '',
  'src/deep/c.ts': '',
  'src/deep/er/d.ts': '',
  'test/a.test.ts': '',
}

describe.each(engines)('ListFiles with %s', (_, engine) => {
  const own = { engines: [engine] }
  const text = async (args: ListArguments, files: Files = FILES) =>
    renderList(await show(await treeOf(files), args, own))

  test('lists all files, sorted, hidden ones too', async () => {
    const listed = await show(await treeOf(FILES), {}, own)
    expect(listed).toMatchObject({ path: '.', total: { files: 8, folders: 4 }, isIgnored: false, unreadable: 0 })
    expect(renderList(listed)).toBe(
      [
        '.env',
        '.gitignore',
        'README.md',
        'src/a.ts',
        'src/b.tsx',
        'src/deep/c.ts',
        'src/deep/er/d.ts',
        'test/a.test.ts',
      ].join('\n'),
    )
  })

  test('lists a folder, by paths from the root, under the rules above it', async () => {
    expect(await text({ path: 'src/deep' })).toBe('src/deep/c.ts\nsrc/deep/er/d.ts')
    expect(await text({ path: 'src' }, { '.gitignore': '*.log', 'src/a.log': '', 'src/b.txt': '' })).toBe('src/b.txt')
    expect(await text({ path: 'a [b]*' }, { 'a [b]*/x': '', 'a b/y': '' })).toBe('a [b]*/x')
  })

  test('counts folders below a depth', async () => {
    expect(await text({ depth: 1 })).toBe('.env\n.gitignore\nREADME.md\nsrc/ (4 files)\ntest/ (1 file)')
    expect(await text({ path: 'src', depth: 1 })).toBe('src/a.ts\nsrc/b.tsx\nsrc/deep/ (2 files)')
    expect(await text({ path: 'src', depth: 2 })).toBe('src/a.ts\nsrc/b.tsx\nsrc/deep/c.ts\nsrc/deep/er/ (1 file)')
  })

  test('lists what fits a glob, and counts only that', async () => {
    const listed = await show(await treeOf(FILES), { glob: '*.ts' }, own)
    expect(listed.total).toEqual({ files: 4, folders: 4 })
    expect(renderList(listed)).toBe('src/a.ts\nsrc/deep/c.ts\nsrc/deep/er/d.ts\ntest/a.test.ts')
    expect(await text({ path: 'src', glob: 'deep/**' })).toBe('src/deep/c.ts\nsrc/deep/er/d.ts')
    expect(await text({ glob: '*.{md,tsx}' })).toBe('README.md\nsrc/b.tsx')
  })

  test('lists an ignored folder that is named, and says so', async () => {
    const listed = await show(await treeOf(FILES), { path: 'node_modules/x' }, own)
    expect([renderList(listed), listed.isIgnored]).toEqual(['node_modules/x/.gitignore\nnode_modules/x/index.js', true])
    const none = await show(await treeOf(FILES), { path: 'src', glob: '*.md' }, own)
    expect([none.total.files, none.isIgnored]).toEqual([0, false])
  })

  test('follows a link to a folder that is named, if it stays inside', async () => {
    const tree = await treeOf(FILES)
    await symlink('src/deep', join(tree.root, 'link'))
    expect(renderList(await show(tree, { path: 'link' }, own))).toBe('src/deep/c.ts\nsrc/deep/er/d.ts')
  })

  test.each([
    ['nope', 'not-found'],
    ['README.md', 'not-a-directory'],
    ['../outside', 'outside-workspace'],
    ['/etc', 'outside-workspace'],
    ['link-out', 'symlink'],
  ])('%s is a problem', async (path, code) => {
    const tree = await treeOf(FILES)
    await symlink(tree.outside, join(tree.root, 'link-out'))
    await expect(show(tree, { path }, own)).rejects.toThrow(code)
  })

  test('an empty workspace has no files', async () => {
    expect(await show(await treeOf({}), {}, own)).toMatchObject({ entries: [], total: { files: 0, folders: 0 } })
  })

  test('stops when it is told to', async () => {
    expect(await show(await treeOf(FILES), {}, { ...own, signal: AbortSignal.abort() })).toMatchObject({
      stop: 'abort',
    })
    expect(await show(await treeOf(FILES), {}, { ...own, timeoutMs: 0 })).toMatchObject({ stop: 'timeout' })
  })
})

describe('a listing that does not fit', () => {
  const plan = (paths: string[], room: number, depth = 99) => {
    const entries = planList(countFolders(paths.map((path) => `./${path}\0`).join(''), { prefix: './' }), {
      room,
      depth,
    })
    return renderList({
      kind: 'listed',
      path: '.',
      entries,
      total: { files: 0, folders: 0 },
      isIgnored: false,
      unreadable: 0,
    })
  }
  const many = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}/file-${String(index).padStart(5, '0')}.ts`)

  test('opens small folders and counts large ones', () => {
    const paths = [...many('big', 1_204), 'small/a.ts', 'small/b/c.ts', 'top.ts']
    expect(plan(paths, 500)).toBe('big/ (1,204 files)\nsmall/a.ts\nsmall/b/c.ts\ntop.ts')
  })

  test('opens the upper folders before the lower ones', () => {
    const paths = [...many('a/b/c', 3), ...many('d', 6)]
    expect(plan(paths, 150)).toBe(['a/b/c/ (3 files)', ...many('d', 6)].join('\n'))
  })

  test('of a folder with very many files the first are shown, and how many are not', () => {
    const paths = [...many('sub', 2), ...many('.', 500).map((path) => path.slice(2))]
    const lines = plan(paths, 300).split('\n')
    expect(lines[0]).toBe('file-00000.ts')
    expect(lines).toContain('sub/ (2 files)')
    const shown = lines.filter((line) => line.startsWith('file-')).length
    expect(lines.at(-1)).toBe(`[${500 - shown} files more in . not shown]`)
    expect(lines.join('\n').length).toBeLessThanOrEqual(300)
  })

  test('never takes more room than it may', () => {
    for (const room of [200, 1_000, 5_000]) {
      const paths = Array.from(
        { length: 3_000 },
        (_, index) => `p${index % 7}/q${index % 31}/r${index % 97}/f${index}.ts`,
      )
      expect(plan(paths, room).length).toBeLessThanOrEqual(room)
    }
  })
})
