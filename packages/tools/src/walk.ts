import { closeSync, constants, fsync, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { FileProblem, problemOf } from './file-problem.ts'

/** An open directory. `at` names an entry in it, whatever is moved meanwhile; the caller closes it. */
export interface Directory {
  /** The directory itself as a path that stays right while it is open. */
  readonly self: string
  at(name: string): string
  sync(): Promise<void>
  close(): void
}

/** The root as it was when it was first opened. */
export interface Root {
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
}

// Node has no openat, but on Linux an entry below /proc/self/fd/N is the same: a directory that is swapped for a link
// behind our back is still the directory we opened. macOS refuses a link anywhere in a path, if asked (never run there).
// On Windows each part is looked at and then used, which a process that swaps links at the right moment can beat.
const HAS_FD_PATHS = process.platform === 'linux'
const O_NOFOLLOW_ANY = process.platform === 'darwin' ? 0x20000000 : 0

/** Flags for whatever is opened below the root: no link is followed, nothing is waited for. */
export const STRICT = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | O_NOFOLLOW_ANY
const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | STRICT

/** Finds the root: links above and at it are the user's own and followed once. */
export function findRoot(path: string): Root {
  const real = realpathSync.native(path)
  const { dev, ino } = lstatSync(real, { bigint: true })
  return { path: real, dev, ino }
}

export interface WalkOptions {
  /** Makes the directories that are not there. */
  create?: boolean
  /** Told of each, by its path below the root. */
  onMade?(path: string): void
}

/**
 * Walks from the root through `parts`, directory by directory, following no link. All of this only touches what the
 * system has in memory, so it is done at once: handing each step to a thread would take longer than the step.
 */
export function walk(root: Root, parts: readonly string[], options: WalkOptions = {}): Directory {
  let directory = openRoot(root)
  for (const [depth, name] of parts.entries()) {
    const shown = parts.slice(0, depth + 1).join('/')
    try {
      const next = enter(directory, name, { ...options, shown })
      directory.close()
      directory = next
    } catch (error) {
      directory.close()
      throw error
    }
  }
  return directory
}

function openRoot(root: Root): Directory {
  const directory = openDirectory(root.path)
  const { dev, ino } = lstatSync(HAS_FD_PATHS ? `${directory.self}/.` : root.path, { bigint: true })
  if (dev === root.dev && ino === root.ino) return directory
  directory.close()
  throw new FileProblem({ code: 'root-moved', message: 'The workspace is no longer where it was opened.' })
}

function enter(
  directory: Directory,
  name: string,
  { create, onMade, shown }: WalkOptions & { shown: string },
): Directory {
  const path = directory.at(name)
  if (create && makeDirectory(path)) onMade?.(shown)
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) throw problemOf('ELOOP', shown)
  if (!stats.isDirectory()) throw problemOf('ENOTDIR', shown)
  return openDirectory(path)
}

function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return false
  }
}

function openDirectory(path: string): Directory {
  if (!HAS_FD_PATHS) {
    return { self: path, at: (name) => join(path, name), sync: async () => {}, close: () => {} }
  }
  const descriptor = openSync(path, OPEN_DIRECTORY)
  const self = `/proc/self/fd/${descriptor}`
  return {
    self,
    at: (name) => `${self}/${name}`,
    sync: () =>
      new Promise((resolve, reject) => fsync(descriptor, (error) => (error === null ? resolve() : reject(error)))),
    close: () => closeSync(descriptor),
  }
}
