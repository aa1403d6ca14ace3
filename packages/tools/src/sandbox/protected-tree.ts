import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { markOf } from '@maru/guard'

/** A protected file or directory, and which one it is: another in its place is a new one. */
export interface ProtectedEntry {
  /** Below the root. */
  readonly path: string
  readonly identity: string
  readonly isLink: boolean
}

/** Knows where in a tree protected names stand, and learns of changes by looking at directories alone. */
export interface ProtectedTree {
  /** What is there now. */
  refresh(): ProtectedEntry[]
}

// Dependencies bring such files by the hundred, and nothing opens them there by itself.
const SKIPPED = new Set([
  ...['node_modules', 'bower_components', '.pnpm-store', '.yarn', '.venv', 'venv', '__pycache__', '.tox', '.nox'],
  ...['site-packages', '.gradle', '.next', '.nuxt', '.turbo', '.cache', '.parcel-cache', '.terraform', 'target'],
])

// Shallow ones come first: what lies beyond is neither protected nor looked at.
const MAX_DIRECTORIES = 20_000

// Looked at twice for each command: numbers are compared as they come.
interface Known {
  dev: number
  ino: number
  mtimeMs: number
  ctimeMs: number
  children: string[]
  names: string[]
}

/** Reads the tree at the first `refresh`; later only the directories that have changed. */
export function createProtectedTree(root: string): ProtectedTree {
  const known = new Map<string, Known>()
  return {
    refresh() {
      const found: ProtectedEntry[] = []
      const seen = new Set<string>()
      const waiting = ['']
      for (let next = 0; next < waiting.length && next < MAX_DIRECTORIES; next++) {
        const directory = waiting[next] ?? ''
        const entry = look(root, directory, known)
        if (!entry) continue
        seen.add(directory)
        for (const child of entry.children) waiting.push(child)
        for (const path of entry.names) {
          const stats = lstatSync(`${root}/${path}`, QUIETLY)
          if (stats) found.push({ path, identity: identityOf(stats), isLink: stats.isSymbolicLink() })
        }
      }
      if (seen.size < known.size)
        for (const directory of known.keys()) if (!seen.has(directory)) known.delete(directory)
      return found
    },
  }
}

const QUIETLY = { throwIfNoEntry: false } as const
const identityOf = ({ dev, ino, mode }: Stats) => `${dev}:${ino}:${mode & 0o170000}`

function look(root: string, directory: string, known: Map<string, Known>): Known | undefined {
  const full = directory === '' ? root : `${root}/${directory}`
  const stats = lstatSync(full, QUIETLY)
  if (!stats?.isDirectory()) return undefined
  const before = known.get(directory)
  // The root is read each time: that is where it matters most, and its time has too few digits on some disks.
  if (before && directory !== '' && isUnchanged(before, stats)) return before
  const { dev, ino, mtimeMs, ctimeMs } = stats
  const entry: Known = { dev, ino, mtimeMs, ctimeMs, children: [], names: [] }
  for (const { name, isDirectory } of listEntries(full)) {
    const path = directory === '' ? name : `${directory}/${name}`
    if (mayBeProtected(name) && markOf(path, 'write') === 'protected') entry.names.push(path)
    else if (isDirectory && !SKIPPED.has(name)) entry.children.push(path)
  }
  known.set(directory, entry)
  return entry
}

function isUnchanged(before: Known, { dev, ino, mtimeMs, ctimeMs }: Stats): boolean {
  return before.ino === ino && before.mtimeMs === mtimeMs && before.ctimeMs === ctimeMs && before.dev === dev
}

// Reading each name as the guard does costs more than reading the directory, and most are plain words that begin with
// no dot. `ci.yml` is protected by the folder that it is in, which is found first.
function mayBeProtected(name: string): boolean {
  return !/^[a-z0-9_-]+(\.[a-z]{1,4}){0,2}$/i.test(name) || PLAIN.test(name)
}

const PLAIN =
  /^(lefthook|mise|config|bunfig|gradle|maven|azure|bitbucket|jenkinsfile|appveyor|cloudbuild|buildspec|mcp|agents|claude|gemini|copilot|opencode|maru|git|workflows|actions|instructions|prompts)/i

function listEntries(directory: string): { name: string; isDirectory: boolean }[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).map((entry: Dirent) => {
      return { name: entry.name, isDirectory: entry.isDirectory() }
    })
  } catch {
    // Gone meanwhile, or not ours to read: then a command cannot either.
    return []
  }
}
