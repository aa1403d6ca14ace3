import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ProtectedPlace } from './bwrap-arguments.ts'
import { isWithin } from './system-program.ts'

// What git runs, or takes orders from. The rest (objects, refs, index, HEAD, logs) a commit has to write.
const ORDERS = ['hooks', 'config', 'config.worktree', 'info/attributes', 'commondir', 'gitdir']
const MAX_NESTED = 200

/** A place by its name. */
export type GitPlace = Pick<ProtectedPlace, 'path' | 'kind'>

/** What must not change in a repository's own directory, and what of it is there now. */
export interface GitPlaces {
  /** Names of files and directories that give git orders: there, or not yet. */
  readonly orders: readonly string[]
  readonly places: readonly GitPlace[]
  /** A repository's directory outside the roots, which a commit in them has to write. */
  readonly outside: readonly string[]
}

/** Looks at a `.git`: a directory, or the file that says where it is. */
export function findGitPlaces(path: string, roots: readonly string[]): GitPlaces {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return inDirectory(path, roots)
  const none: GitPlaces = { orders: [], places: [{ path, kind: 'read-only' }], outside: [] }
  if (!stats?.isFile()) return none
  const worktree = findWorktree(path)
  // Inside the roots it is found by itself.
  if (!worktree || roots.some((root) => isWithin(root, worktree))) return none
  const inner = inDirectory(worktree, roots)
  return { orders: inner.orders, places: [...none.places, ...inner.places], outside: [worktree] }
}

function inDirectory(directory: string, roots: readonly string[]): GitPlaces {
  const repositories = [directory, ...nested(join(directory, 'modules')), ...nested(join(directory, 'worktrees'))]
  const orders = [
    ...repositories.flatMap((repository) => ORDERS.map((name) => join(repository, name))),
    ...repositories.flatMap((repository) => namedByConfig(repository, roots)),
  ]
  const existing = orders.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  return {
    orders,
    places: [{ path: directory, kind: 'fixed' }, ...existing.map((path) => ({ path, kind: 'read-only' }) as const)],
    outside: [],
  }
}

// Submodules may lie in directories of their own; a repository is known by its HEAD.
function nested(directory: string, found: string[] = []): string[] {
  for (const entry of entriesOf(directory)) {
    if (!entry.isDirectory() || found.length >= MAX_NESTED) continue
    const path = join(directory, entry.name)
    if (lstatSync(join(path, 'HEAD'), { throwIfNoEntry: false })) found.push(path, ...nested(join(path, 'modules')))
    else nested(path, found)
  }
  return found
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    // Most repositories have no such directory.
    return []
  }
}

// A hooks directory or an included file may lie anywhere, also where everybody writes.
function namedByConfig(repository: string, roots: readonly string[]): string[] {
  const text = readText(join(repository, 'config'))
  const found: string[] = []
  let section = ''
  for (const line of text?.split('\n') ?? []) {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section
    const [, name = '', value = ''] = /^\s*(\w+)\s*=\s*"?([^"#;]*)"?/.exec(line) ?? []
    const key = `${section}.${name.toLowerCase()}`
    if (!['core.hookspath', 'core.attributesfile', 'include.path', 'includeif.path'].includes(key)) continue
    const base = section === 'core' ? dirname(repository) : repository
    const path = resolve(base, value.trim())
    if (value.trim() !== '' && roots.some((root) => root !== path && isWithin(root, path))) found.push(path)
  }
  return found
}

// Both must name each other: a file alone could point at any repository of the user's.
function findWorktree(file: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readText(file) ?? '')?.[1]
  if (named === undefined) return undefined
  try {
    const own = realpathSync.native(resolve(dirname(file), named.trim()))
    const back = readText(join(own, 'gitdir'))?.trim()
    if (back === undefined || realpathSync.native(back) !== realpathSync.native(file)) return undefined
    const common = readText(join(own, 'commondir'))?.trim()
    return common === undefined ? undefined : realpathSync.native(resolve(own, common))
  } catch {
    // It leads nowhere; git would say so, too.
    return undefined
  }
}

function readText(path: string): string | undefined {
  try {
    return lstatSync(path).size > 1_000_000 ? undefined : readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
