import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { FileProblem, problemOf } from './file-problem.ts'

/** An open directory. `at` names an entry in it, whatever is moved meanwhile; the caller closes it. */
export interface Directory {
  /** The directory itself as a path that stays right while it is open. */
  readonly self: string
  at(name: string): string
  sync(): Promise<void>
  close(): Promise<void>
}

/** The root as it was when it was first opened. */
export interface Root {
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
}

// Node has no openat, but on Linux an entry below /proc/self/fd/N is the same: a directory that is swapped for a link
// behind our back is still the directory we opened. Elsewhere each part is looked at and then used, which a process
// that swaps links at the right moment can beat.
const HAS_FD_PATHS = process.platform === 'linux'
const OPEN_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Finds the root: links above and at it are the user's own and followed once. */
export async function findRoot(path: string): Promise<Root> {
  const real = await realpath(path)
  const { dev, ino } = await lstat(real, { bigint: true })
  return { path: real, dev, ino }
}

/** Walks from the root through `parts`, directory by directory, following no link. */
export async function walk(
  root: Root,
  parts: readonly string[],
  { create = false }: { create?: boolean } = {},
): Promise<Directory> {
  let directory = await openRoot(root)
  for (const [depth, name] of parts.entries()) {
    const shown = parts.slice(0, depth + 1).join('/')
    try {
      const next = await enter(directory, name, { create, shown })
      await directory.close()
      directory = next
    } catch (error) {
      await directory.close()
      throw error
    }
  }
  return directory
}

async function openRoot(root: Root): Promise<Directory> {
  const directory = await openDirectory(root.path)
  const { dev, ino } = await lstat(HAS_FD_PATHS ? `${directory.self}/.` : root.path, { bigint: true })
  if (dev === root.dev && ino === root.ino) return directory
  await directory.close()
  throw new FileProblem({ code: 'root-moved', message: 'The workspace is no longer where it was opened.' })
}

async function enter(
  directory: Directory,
  name: string,
  { create, shown }: { create: boolean; shown: string },
): Promise<Directory> {
  const path = directory.at(name)
  if (create) await makeDirectory(path)
  const stats = await lstat(path)
  if (stats.isSymbolicLink()) throw problemOf('ELOOP', shown)
  if (!stats.isDirectory()) throw problemOf('ENOTDIR', shown)
  return openDirectory(path)
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

async function openDirectory(path: string): Promise<Directory> {
  if (!HAS_FD_PATHS) {
    return { self: path, at: (name) => join(path, name), sync: async () => {}, close: async () => {} }
  }
  const handle: FileHandle = await open(path, OPEN_DIRECTORY)
  const self = `/proc/self/fd/${handle.fd}`
  return { self, at: (name) => `${self}/${name}`, sync: () => handle.sync(), close: () => handle.close() }
}
