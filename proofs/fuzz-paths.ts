import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json, Tool, ToolResult } from '@maru/protocol'
import { temporaryDirectory } from '@maru/testkit'
import { createTools } from '@maru/tools'
import fc from 'fast-check'

/** What a run of the proof saw. */
export interface FuzzPathsReport {
  paths: number
  read: number
  written: number
  refused: number
}

interface Options {
  /** Trees, each with many paths. */
  times?: number
  seconds?: number
  seed?: number
  log?(line: string): void
}

const PATHS_PER_TREE = 60

/**
 * Makes random trees full of links, and asks the file tools for random paths in them. What is read is what the system
 * itself finds there, inside the root; what is written changes that one file; nothing outside ever changes.
 */
export async function proveFuzzPaths({ times = 50, seconds, seed = Date.now(), log = () => undefined }: Options) {
  const report: FuzzPathsReport = { paths: 0, read: 0, written: 0, refused: 0 }
  const until = seconds === undefined ? undefined : Date.now() + seconds * 1000
  const { path, dispose } = await temporaryDirectory()
  try {
    for (let round = 0; until === undefined ? round < times : Date.now() < until; round++) {
      const [sample] = fc.sample(treeAndPaths, { seed: seed + round, numRuns: 1 })
      if (!sample) break
      const place = await mkdtemp(join(path, 'tree-'))
      try {
        await tryTree(place, sample, report)
      } catch (error) {
        throw new Error(`seed ${seed + round}: ${(error as Error).message}`, { cause: error })
      }
      await rm(place, { recursive: true, force: true })
      if (round % 50 === 49) log(`${round + 1} trees, ${report.paths} paths, ${report.refused} refused`)
    }
    return report
  } finally {
    await dispose()
  }
}

type Entry = { kind: 'file' } | { kind: 'folder' } | { kind: 'link'; target: string }
interface Sample {
  entries: { path: string; entry: Entry }[]
  paths: string[]
}

const name = fc.constantFrom('a', 'b', 'c', 'd', '.env', 'é', 'e\u0301', '가', '...', '-x', ' ', 'A')
const folders = fc.array(name, { minLength: 0, maxLength: 3 })
const step = fc.oneof({ weight: 6, arbitrary: name }, fc.constantFrom('..', '.', '', '..', '%2e%2e', '．．'))
const wild = fc.array(step, { minLength: 1, maxLength: 7 }).map((steps) => steps.join('/'))
const target = fc.oneof(
  { weight: 5, arbitrary: wild },
  wild.map((path) => `{ROOT}/${path}`),
  wild.map((path) => `{OUTSIDE}/${path}`),
  fc.constantFrom('/', '{ROOT}', '{OUTSIDE}', '/proc/self/root', '/proc/self/cwd', '../outside/secret.txt'),
)
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Entry>({ kind: 'file' }) },
  { weight: 2, arbitrary: fc.constant<Entry>({ kind: 'folder' }) },
  { weight: 4, arbitrary: target.map((to): Entry => ({ kind: 'link', target: to })) },
)
const treeAndPaths: fc.Arbitrary<Sample> = fc.record({
  entries: fc.array(
    fc.record({ path: fc.tuple(folders, name).map(([above, own]) => [...above, own].join('/')), entry }),
    {
      minLength: 4,
      maxLength: 24,
    },
  ),
  paths: fc.array(fc.oneof({ weight: 6, arbitrary: target }, fc.string({ unit: 'grapheme', maxLength: 20 })), {
    minLength: PATHS_PER_TREE,
    maxLength: PATHS_PER_TREE,
  }),
})

async function tryTree(place: string, { entries, paths }: Sample, report: FuzzPathsReport): Promise<void> {
  const root = join(place, 'root')
  const outside = join(place, 'outside')
  const fill = (text: string) => text.replaceAll('{ROOT}', root).replaceAll('{OUTSIDE}', outside)
  await mkdir(root)
  await mkdir(join(outside, 'a'), { recursive: true })
  for (const file of ['secret.txt', 'a/b']) await writeFile(join(outside, file), 'outside')
  for (const { path, entry: made } of entries) await make(root, path, made, fill)
  const tools = createTools({ root, environment: {} }).list()
  const before = await readTree(outside)
  for (const path of paths.map(fill)) {
    report.paths++
    await tryRead(root, path, tools, report)
    // Each waits for the disk: a few are enough.
    if (report.paths % 4 !== 0) continue
    await tryWrite(root, path, tools, report)
    expectSame(await readTree(outside), before, `something outside changed after ${JSON.stringify(path)}`)
  }
}

// Only in real folders, one step at a time: the tree itself must not lead this out of the root.
async function make(root: string, path: string, made: Entry, fill: (text: string) => string): Promise<void> {
  const steps = path.split('/')
  const full = join(root, path)
  try {
    for (let depth = 1; depth < steps.length; depth++) {
      const above = join(root, ...steps.slice(0, depth))
      const found = await lstat(above).catch(() => undefined)
      if (!found) await mkdir(above)
      else if (!found.isDirectory()) return
    }
    if (made.kind === 'file') await writeFile(full, path, { flag: 'wx' })
    else if (made.kind === 'folder') await mkdir(full)
    else await symlink(fill(made.target), full)
  } catch {
    // Something else is there already: the tree is as random without it.
  }
}

async function tryRead(root: string, path: string, tools: Tool[], report: FuzzPathsReport): Promise<void> {
  const result = await call(tools, 'ReadFile', { path })
  if (!result.ok) {
    report.refused++
    return
  }
  report.read++
  const real = await realpath(join(root, path.startsWith(`${root}/`) ? path.slice(root.length) : path))
  if (!real.startsWith(`${root}/`)) throw new Error(`${JSON.stringify(path)} was read from ${real}`)
  const content = await readFile(real, 'utf8')
  const shown = (result.stdout ?? '').replace(/^\s*\d+\s/, '').replace(/\n$/, '')
  if (content !== '' && !shown.includes(content)) throw new Error(`${JSON.stringify(path)} was read as ${shown}`)
}

async function tryWrite(root: string, path: string, tools: Tool[], report: FuzzPathsReport): Promise<void> {
  const content = `written ${report.paths}`
  const before = await readTree(root)
  const result = await call(tools, 'WriteFile', { path, content })
  const after = await readTree(root)
  const changed = [...after].filter(([file, text]) => before.get(file) !== text).map(([file]) => file)
  const files = changed.filter((file) => after.get(file) !== 'folder')
  if (!result.ok) {
    report.refused++
    if (files.length > 0) throw new Error(`${JSON.stringify(path)} was refused and changed ${files.join(', ')}`)
    return
  }
  report.written++
  const [only] = files
  if (files.length !== 1 || only === undefined || after.get(only) !== `file ${content}`) {
    throw new Error(`writing ${JSON.stringify(path)} changed ${JSON.stringify(files)}`)
  }
}

async function call(tools: Tool[], toolName: string, args: Json): Promise<ToolResult> {
  const tool = tools.find(({ spec }) => spec.name === toolName)
  if (!tool) throw new Error(`there is no ${toolName}`)
  const context = {
    callId: 'fuzz',
    signal: new AbortController().signal,
    progress: () => undefined,
    ask: async () => ({ kind: 'cancel' as const }),
    keep: async () => ({ hash: '0'.repeat(64), bytes: 0 }),
    kept: async () => undefined,
  }
  const prepared = await tool.prepare(args, context)
  return prepared.run(context)
}

/** Every entry of a tree and what it holds; links as links. */
async function readTree(root: string, below = '', found = new Map<string, string>()): Promise<Map<string, string>> {
  for (const entryName of (await readdir(join(root, below))).toSorted()) {
    const path = join(below, entryName)
    const full = join(root, path)
    const stats = await lstat(full)
    if (stats.isSymbolicLink()) found.set(path, `link ${await readlink(full)}`)
    else found.set(path, stats.isDirectory() ? 'folder' : `file ${await readFile(full, 'utf8')}`)
    if (stats.isDirectory()) await readTree(root, path, found)
  }
  return found
}

function expectSame(now: Map<string, string>, before: Map<string, string>, message: string): void {
  if (JSON.stringify([...now]) !== JSON.stringify([...before])) throw new Error(message)
}
