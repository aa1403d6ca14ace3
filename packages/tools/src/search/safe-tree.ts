import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { sep } from 'node:path'
import { STRICT } from '../walk.ts'

/** What is at a path: nothing that is followed or waited for. */
export type Kind = 'file' | 'directory' | 'link' | 'special'

/** Of a huge file only its beginning. */
export type TreeFile = { kind: 'file'; bytes: Buffer } | { kind: 'huge'; size: number; head: Buffer }

const HAS_FD_PATHS = process.platform === 'linux'
const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | STRICT
const OPEN_FILE = constants.O_RDONLY | (constants.O_NOCTTY ?? 0) | STRICT
const MAX_OPEN = 64

/** As much as ripgrep looks at before it says that a file is binary. */
export const HEAD_BYTES = 64 * 1024

type Opened = { self: string; close(): void }

/**
 * Many files of one workspace, read one after the other: the walk of `walk.ts`, with the directories on the way kept
 * open, and without a promise for each step. `root` is a directory that `Workspace.enter` has lent. Nothing here
 * throws for what is on the disk: what cannot be had is not there.
 */
export class SafeTree {
  readonly #root: string
  // In the order of their last use.
  readonly #open = new Map<string, Opened>()

  constructor(root: string) {
    this.#root = root
  }

  /** Reads a regular file; nothing for a link, a pipe, a directory, or what may not be read. */
  read(path: string, limit: number): TreeFile | undefined {
    const at = this.#locate(path)
    // Looked at first: opening a device can already do something.
    if (at === undefined || attempt(() => kindOf(lstatSync(at))) !== 'file') return undefined
    const fd = attempt(() => openSync(at, OPEN_FILE))
    if (fd === undefined) return undefined
    try {
      return attempt(() => readOpened(fd, limit))
    } finally {
      closeSync(fd)
    }
  }

  kindOf(path: string): Kind | undefined {
    const at = this.#locate(path)
    return at === undefined ? undefined : attempt(() => kindOf(lstatSync(at)))
  }

  /** The entries of a directory, sorted by name; nothing if it is none or may not be read. */
  entries(path: string): Dirent[] | undefined {
    const directory = this.#directory(path)
    return directory === undefined
      ? undefined
      : attempt(() => readdirSync(directory, { withFileTypes: true }).sort(byName))
  }

  close(): void {
    for (const { close } of this.#open.values()) close()
    this.#open.clear()
  }

  #locate(path: string): string | undefined {
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)
    // Names only: what an engine gives is not trusted to be a path below the root.
    if (name === '' || name === '.' || name === '..' || name.includes('\0')) return undefined
    const directory = this.#directory(path.slice(0, Math.max(slash, 0)))
    return directory === undefined ? undefined : `${directory}${sep}${name}`
  }

  #directory(path: string): string | undefined {
    if (path === '') return this.#root
    const known = this.#open.get(path)
    if (known) {
      this.#open.delete(path)
      this.#open.set(path, known)
      return known.self
    }
    const at = this.#locate(path)
    const opened = at === undefined ? undefined : attempt(() => openDirectory(at))
    if (opened === undefined) return undefined
    this.#open.set(path, opened)
    this.#closeOldest()
    return opened.self
  }

  #closeOldest(): void {
    const [oldest] = this.#open
    if (this.#open.size <= MAX_OPEN || oldest === undefined) return
    oldest[1].close()
    this.#open.delete(oldest[0])
  }
}

function openDirectory(at: string): Opened | undefined {
  if (!HAS_FD_PATHS) return kindOf(lstatSync(at)) === 'directory' ? { self: at, close() {} } : undefined
  const fd = openSync(at, OPEN_DIRECTORY)
  return { self: `/proc/self/fd/${fd}`, close: () => closeSync(fd) }
}

// The size is only a hint: a file may grow under our hands.
function readOpened(fd: number, limit: number): TreeFile | undefined {
  const stats = fstatSync(fd)
  if (!stats.isFile()) return undefined
  if (stats.size > limit) {
    const head = Buffer.alloc(HEAD_BYTES)
    return { kind: 'huge', size: stats.size, head: head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0)) }
  }
  const bytes = Buffer.allocUnsafe(Math.min(stats.size + 4096, limit + 1))
  let length = 0
  while (length < bytes.length) {
    const read = readSync(fd, bytes, length, bytes.length - length, null)
    if (read === 0) return { kind: 'file', bytes: bytes.subarray(0, length) }
    length += read
  }
  return { kind: 'huge', size: length, head: bytes.subarray(0, HEAD_BYTES) }
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Kind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'link' : 'special'
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}

// A file that is gone, forbidden or swapped is not there; a bug goes on as it is.
function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}
