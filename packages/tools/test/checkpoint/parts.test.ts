import { lstat, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyStep } from '../../src/checkpoint/apply-step.ts'
import { openPack } from '../../src/checkpoint/pack.ts'
import { planRestore, type Step } from '../../src/checkpoint/plan-restore.ts'
import { isUnchanged, stampOf } from '../../src/checkpoint/seen.ts'
import { isSame, parseTree, renderTree, type Tree, type TreeNode } from '../../src/checkpoint/tree.ts'
import { hashOf } from '../../src/hash.ts'
import { findRoot } from '../../src/walk.ts'

let base: string
let dispose: () => Promise<void>
beforeAll(async () => {
  ;({ path: base, dispose } = await temporaryDirectory())
})
afterAll(() => dispose())

describe('a stamp', () => {
  test('of a file that was young when it was read proves nothing', async () => {
    const path = join(base, 'young')
    await writeFile(path, 'x')
    const stats = await lstat(path)
    expect(isUnchanged(stampOf(stats, stats.ctimeMs + 50), stats)).toBe(false)
    expect(isUnchanged(stampOf(stats, stats.ctimeMs + 500), stats)).toBe(true)
    // Where times are whole seconds, a second write may well be in the same one.
    const coarse = Object.assign(await lstat(path), { ctimeMs: 1_700_000_000_000 })
    expect(isUnchanged(stampOf(coarse, coarse.ctimeMs + 500), coarse)).toBe(false)
    expect(isUnchanged(stampOf(coarse, coarse.ctimeMs + 5_000), coarse)).toBe(true)
    const later = stampOf(stats, stats.ctimeMs + 500)
    await utimes(path, 1, 1)
    expect(isUnchanged(later, await lstat(path))).toBe(false)
  })
})

describe('a step', () => {
  const file: TreeNode & { kind: 'file' } = { kind: 'file', hash: hashOf('old'), size: 3, mode: 0o600 }

  test('is done only if what is there is what was there when it was planned', async () => {
    const root = findRoot(base)
    const path = join(base, 'target')
    await writeFile(path, 'mine')
    const stamp = stampOf(await lstat(path), Date.now())
    const context = { root, content: Buffer.from('old'), expected: { ...stamp, ctime: stamp.ctime - 1 } }
    const steps: Step[] = [
      { act: 'write', path: 'target', node: file },
      { act: 'remove', path: 'target' },
      { act: 'make-directory', path: 'target' },
      { act: 'remove-directory', path: 'target' },
      { act: 'mode', path: 'target', mode: 0o700 },
    ]
    for (const step of steps) expect([step.act, applyStep(step, context)]).toEqual([step.act, 'changed'])
    expect(applyStep(steps[0] ?? { act: 'remove', path: '' }, { ...context, expected: undefined })).toBe('changed')
    expect(await readFile(path, 'utf8')).toBe('mine')
    expect(applyStep({ act: 'write', path: 'target', node: file }, { ...context, expected: stamp })).toBe('done')
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(((await lstat(path)).mode & 0o777).toString(8)).toBe('600')
    expect((await readdir(base)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('goes through no link', async () => {
    const root = findRoot(base)
    await mkdir(join(base, 'elsewhere'))
    await symlink('elsewhere', join(base, 'link'))
    const context = { root, content: Buffer.from('old'), expected: undefined }
    expect(() => applyStep({ act: 'write', path: 'link/x', node: file }, context)).toThrow()
    expect(() => applyStep({ act: 'make-directory', path: 'link/x' }, context)).toThrow()
    expect(await readdir(join(base, 'elsewhere'))).toEqual([])
  })
})

describe('a pack', () => {
  test('gives back what was put in, also to the next who opens it, and nothing that is not what its hash says', async () => {
    const directory = join(base, 'packs')
    const first = await openPack(directory)
    const contents = ['', 'a', 'b'.repeat(3_000_000), '한글'].map((text) => Buffer.from(text))
    for (const bytes of contents) first.add(hashOf(bytes), bytes)
    await first.flush()
    const second = await openPack(directory)
    for (const pack of [first, second]) {
      for (const bytes of contents) expect((await pack.read(hashOf(bytes)))?.equals(bytes)).toBe(true)
    }
    const [index = ''] = (await readdir(directory)).filter((name) => name.endsWith('.index'))
    const lines = await readFile(join(directory, index), 'utf8')
    const wrong = hashOf('something else')
    await writeFile(join(directory, index), `${lines.replace(hashOf('a'), wrong)}[1,2,3,"torn`)
    const third = await openPack(directory)
    expect(third.has(wrong)).toBe(true)
    expect(await third.read(wrong)).toBeUndefined()
    expect(await third.read(hashOf('한글'))).toEqual(Buffer.from('한글'))
    for (const pack of [first, second, third]) await pack.close()
  })
})

describe('a plan', () => {
  const file = (text: string): TreeNode => ({ kind: 'file', hash: hashOf(text), size: text.length, mode: 0o644 })

  test('opens a directory that may not be written to, for as long as it takes', async () => {
    const store = new Map<string, Tree>()
    const directory = (entries: Record<string, TreeNode>, mode = 0o755): TreeNode => {
      const tree = new Map(Object.entries(entries))
      const hash = hashOf(renderTree(tree))
      store.set(hash, tree)
      return { kind: 'directory', hash, mode }
    }
    const before = directory({ locked: directory({ a: file('old') }, 0o500) })
    const after = directory({ locked: directory({ a: file('new'), made: directory({ b: file('b') }, 0o500) }, 0o500) })
    const load = async (hash: string) => store.get(hash) ?? new Map()
    const plan = await planRestore({ before, after, now: after }, { load, mayOverwrite: () => false })
    expect(plan.conflicts).toEqual([])
    expect(
      plan.steps.map((step) => `${step.act} ${step.path} ${'mode' in step ? step.mode.toString(8) : ''}`.trim()),
    ).toEqual([
      'mode locked 700',
      'write locked/a',
      'mode locked/made 700',
      'remove locked/made/b',
      'remove-directory locked/made',
      'mode locked 500',
    ])
  })

  test('never goes into a repository, whatever is said to be there', async () => {
    const store = new Map<string, Tree>()
    const directory = (entries: Record<string, TreeNode>): TreeNode => {
      const tree = new Map(Object.entries(entries))
      store.set(hashOf(renderTree(tree)), tree)
      return { kind: 'directory', hash: hashOf(renderTree(tree)), mode: 0o755 }
    }
    const load = async (hash: string) => store.get(hash) ?? new Map()
    const states = (text: string) =>
      directory({ sub: directory({ '.GIT': directory({ config: file(text) }) }), '.git': file(text) })
    const plan = await planRestore(
      { before: states('old'), after: states('new'), now: states('new') },
      { load, mayOverwrite: () => true },
    )
    expect(plan).toEqual({ steps: [], conflicts: [] })
  })
})

test('a tree is read as it was written, and equal trees have equal texts', () => {
  const nodes: [string, TreeNode][] = [
    ['b "quoted"\n', { kind: 'link', target: '../x\ny' }],
    ['a', { kind: 'file', hash: hashOf('a'), size: 1, mode: 0o755 }],
    ['한글', { kind: 'ignored' }],
    ['__proto__', { kind: 'skipped', why: 'large', mark: '1 2 3' }],
  ]
  const tree = new Map(nodes)
  expect(renderTree(tree)).toBe(renderTree(new Map(nodes.toReversed())))
  const read = parseTree(renderTree(tree))
  expect([...read.keys()].sort()).toEqual([...tree.keys()].sort())
  for (const [name, node] of tree) expect(isSame(read.get(name), node)).toBe(true)
})
