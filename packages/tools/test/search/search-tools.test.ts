import { renderResult, TEXT_LIMIT } from '@maru/agent'
import type { Json, Tool, ToolResult } from '@maru/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createListFiles } from '../../src/search/list-files-tool.ts'
import { createSearchText } from '../../src/search/search-text-tool.ts'
import { codesOf, contextOf } from '../bench-of-tools.ts'
import { openTree, type Tree } from './tree.ts'

let tree: Tree
let listTool: Tool
let searchTool: Tool
beforeAll(async () => {
  tree = await openTree({
    'src/a.ts': 'export function needle() {}\nneedle()\n',
    'src/b.ts': 'needle()\n',
    'image.bin': Buffer.from('\x01\x02\x03needle'),
    '.gitignore': 'out/\n',
    'out/c.ts': 'needle()\n',
  })
  listTool = createListFiles(tree.workspace)
  searchTool = createSearchText(tree.workspace)
})
afterAll(() => tree.dispose())

async function call(tool: Tool, args: Json, signal?: AbortSignal): Promise<ToolResult> {
  const context = contextOf(signal ? { signal } : {})
  return (await tool.prepare(args, context)).run(context)
}

describe('SearchText', () => {
  test('gives totals and lines', async () => {
    const result = await call(searchTool, { query: 'needle' })
    expect(result).toEqual({
      ok: true,
      data: { matches: 3, lines: 3, files: 2, binaryFiles: 1 },
      stdout: 'src/a.ts (2 matches)\n1:\texport function needle() {}\n2:\tneedle()\nsrc/b.ts\n1:\tneedle()',
    })
  })

  test('says that it only reads the workspace', async () => {
    const { access, basis } = await searchTool.prepare({ query: 'x' }, contextOf())
    expect({ access, basis }).toEqual({ access: [{ kind: 'read', path: '.', where: 'inside' }], basis: [] })
  })

  test('reaches the model whole', async () => {
    const own = await openTree(
      Object.fromEntries(
        Array.from({ length: 90 }, (_, index) => [`f${index}.ts`, `needle ${'x'.repeat(230)}\n`.repeat(9)]),
      ),
    )
    const result = await call(createSearchText(own.workspace), { query: 'needle', maxResults: 1_000 })
    expect(result.stdout?.length).toBeLessThanOrEqual(TEXT_LIMIT)
    expect(renderResult(result)).not.toContain('characters cut …')
    await own.dispose()
  })

  test.each<[name: string, args: Json, hint: RegExp]>([
    ['a regex that was not called one', { query: 'need\\w+' }, /set regex to true/],
    ['the wrong case', { query: 'Needle' }, /Case matters/],
    ['globs that leave out too much', { query: 'needle', include: '*.md' }, /without include/],
  ])('hints at why nothing was found: %s', async (_, args, hint) => {
    const result = await call(searchTool, args)
    expect([result.ok, codesOf(result)]).toEqual([true, ['nothing-found']])
    expect(result.diagnostics?.[0]?.hint).toMatch(hint)
  })

  test.each<[args: Json, code: string, hint: RegExp]>([
    [{ query: 'needle(', regex: true }, 'bad-regex', /\\\(/],
    [{ query: 'a{', regex: true }, 'bad-regex', /\\\{/],
    [{ query: '[a', regex: true }, 'bad-regex', /\\\[/],
    [{ query: 'a\nb' }, 'bad-query', /one line/],
    [{ query: '' }, 'bad-arguments', /schema/],
    [{ query: 'x', include: ['*.ts'] }, 'bad-arguments', /schema/],
    [{ query: 'x', contextLines: 99 }, 'bad-arguments', /schema/],
  ])('%j is refused with a hint', async (args, code, hint) => {
    const result = await call(searchTool, args)
    expect([result.ok, codesOf(result)]).toEqual([false, [code]])
    expect(result.diagnostics?.[0]?.hint).toMatch(hint)
  })
})

describe('ListFiles', () => {
  test('gives totals and paths', async () => {
    expect(await call(listTool, {})).toEqual({
      ok: true,
      data: { path: '.', files: 4, folders: 1 },
      stdout: '.gitignore\nimage.bin\nsrc/a.ts\nsrc/b.ts',
    })
  })

  test('says what it reads', async () => {
    const { access } = await listTool.prepare({ path: 'src/' }, contextOf())
    expect(access).toEqual([{ kind: 'read', path: 'src', where: 'inside' }])
    expect((await listTool.prepare({ path: '../x' }, contextOf())).access).toEqual([
      { kind: 'read', path: '../x', where: 'outside' },
    ])
  })

  test('says why a listing is not what it seems', async () => {
    expect(codesOf(await call(listTool, { path: 'out' }))).toEqual(['ignored-folder'])
    expect(codesOf(await call(listTool, { glob: '*.md' }))).toEqual(['nothing-found'])
    expect(codesOf(await call(listTool, { path: 'nope' }))).toEqual(['not-found'])
    expect(codesOf(await call(listTool, { glob: '[a' }))).toEqual(['bad-glob'])
    expect(codesOf(await call(listTool, { depth: 0 }))).toEqual(['bad-arguments'])
  })
})

test('a call that is interrupted says so', async () => {
  const signal = AbortSignal.abort()
  expect(codesOf(await call(searchTool, { query: 'x' }, signal))).toEqual(['interrupted'])
  expect(codesOf(await call(listTool, {}, signal))).toEqual(['interrupted'])
})
