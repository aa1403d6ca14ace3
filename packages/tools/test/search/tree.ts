import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import { createBuiltInEngine } from '../../src/search/built-in-engine.ts'
import type { Engine, Question, Scope, Searched, Sighting, Witness } from '../../src/search/engine.ts'
import { createRipgrepEngine } from '../../src/search/ripgrep-engine.ts'
import { SafeTree } from '../../src/search/safe-tree.ts'
import { encodeText } from '../../src/text/encode-text.ts'
import type { Encoding } from '../../src/text/read-text.ts'
import { createWorkspace, type Workspace } from '../../src/workspace.ts'

/** Both engines: whatever one of them promises, the other does too. */
export const engines: [name: string, engine: Engine][] = [
  ['ripgrep', createRipgrepEngine()],
  ['the built-in engine', createBuiltInEngine()],
]

export type Files = Record<string, string | Uint8Array>

/** A workspace of its own with a neighbour that nothing may reach. */
export interface Tree {
  readonly root: string
  readonly outside: string
  readonly workspace: Workspace
  put(files: Files): Promise<void>
  dispose(): Promise<void>
}

export async function openTree(files: Files = {}): Promise<Tree> {
  const { path, dispose } = await temporaryDirectory()
  const base = await realpath(path)
  const root = join(base, 'repo')
  const outside = join(base, 'outside')
  const put = async (own: Files) => {
    for (const [name, content] of Object.entries(own)) {
      await mkdir(dirname(join(root, name)), { recursive: true })
      await writeFile(join(root, name), content)
    }
  }
  await mkdir(root)
  await mkdir(outside)
  await writeFile(join(outside, 'secret.txt'), 'needle kept from you\n')
  await put(files)
  return { root, outside, workspace: createWorkspace(root), put, dispose }
}

/** A text in the bytes of an encoding. */
export function encoded(text: string, encoding: Encoding, bom = false): Uint8Array {
  const bytes = encodeText(text, { encoding, bom })
  if (bytes instanceof Uint8Array) return bytes
  throw new Error(bytes.problem.message)
}

export const NEVER = new AbortController().signal

/** Lends a scope for one look. */
export async function inScope<Value>(
  root: string,
  use: (scope: Scope) => Promise<Value>,
  own: Partial<Scope> = {},
): Promise<Value> {
  const tree = new SafeTree(root)
  try {
    return await use({ root, tree, rules: '', names: [], signal: NEVER, timeoutMs: 10_000, ...own })
  } finally {
    tree.close()
  }
}

/** The files that an engine lists, sorted. */
export async function list(engine: Engine, root: string, own: Partial<Scope> = {}): Promise<string[]> {
  const listed = await inScope(root, (scope) => engine.list(scope), own)
  if (listed.kind !== 'listed') throw new Error(listed.why)
  const paths = listed.paths.split('\0').slice(0, -1)
  return paths.map((path) => path.replace(/^\.\//, '')).sort()
}

export interface Seen {
  readonly answer: Searched
  /** By path: matches, and the numbers of the lines. */
  readonly files: Record<string, { matches: number; lines: number[] }>
}

/** What an engine sees, all of it. */
export async function search(
  engine: Engine,
  root: string,
  question: Question,
  own: Partial<Scope> = {},
): Promise<Seen> {
  const sightings: Sighting[] = []
  const witness: Witness = { see: () => true, keep: (sighting) => sightings.push(sighting) }
  const answer = await inScope(root, (scope) => engine.search(scope, question, witness), own)
  if (answer.kind === 'unusable') throw new Error(answer.why)
  if (answer.kind === 'refused') throw new Error(answer.words)
  const files: Seen['files'] = {}
  for (const sighting of sightings.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    files[sighting.path] = { matches: sighting.matches, lines: sighting.places(10_000).map(({ line }) => line) }
  }
  return { answer, files }
}
