import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Diagnostic, Hash } from '@maru/protocol'
import { diagnose, FileProblem, problemOf } from './file-problem.ts'
import { ABSENT, hashOf } from './hash.ts'
import { locate, type Place } from './locate.ts'
import { type Directory, findRoot, type Root, walk } from './walk.ts'

/** The one way to a file: nothing outside the root is read or written through it, and no link is followed. */
export interface Workspace {
  locate(path: string): Promise<Place>
  look(place: Inside): Promise<Look>
  /** Replaces or creates a file whole, if it is still what `basis` says; keeps its mode. */
  replace(place: Inside, content: Uint8Array, basis: Hash): Promise<Replaced>
  /** Lends a directory for as long as `use` takes, as a path that no swapped link can turn elsewhere. */
  enter<Value>(place: Inside, use: (path: string) => Promise<Value>): Promise<Value | Diagnosed>
}

export type Inside = Extract<Place, { where: 'inside' }>
export type Diagnosed = { kind: 'problem'; diagnostic: Diagnostic }
export type Look =
  | { kind: 'file'; bytes: Buffer; hash: Hash; stats: Stats }
  | { kind: 'huge'; size: number }
  | { kind: 'absent'; diagnostic: Diagnostic }
  | Diagnosed
export type Replaced = { kind: 'replaced' } | { kind: 'changed' } | Diagnosed

/** Files above this are described, not read. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024

const OPEN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY
const OPEN_TEMPORARY = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** A workspace at `root`, which is opened at its first use. */
export function createWorkspace(root: string): Workspace {
  const given = resolve(root)
  let found: Root | undefined
  const rootOf = async () => {
    found ??= await findRoot(given).catch((cause: unknown) => {
      const message = `The workspace ${given} cannot be opened: ${diagnose(cause, given).message}`
      throw new FileProblem({ code: 'no-workspace', message }, { cause })
    })
    return found
  }
  return {
    async locate(path) {
      const real = await rootOf().catch((error: unknown) => diagnose(error, given))
      return locate('code' in real ? [given] : [given, real.path], path)
    },
    look: (place) => guarded(place, async () => look(await rootOf(), place)),
    replace: (place, content, basis) => guarded(place, async () => replace(await rootOf(), place, { content, basis })),
    enter: (place, use) =>
      guarded(place, async () => lend(await walk(await rootOf(), place.parts), ({ self }) => use(self))),
  }
}

// An open directory is closed, whatever becomes of its use.
async function lend<Value>(directory: Directory, use: (directory: Directory) => Promise<Value>): Promise<Value> {
  try {
    return await use(directory)
  } finally {
    await directory.close()
  }
}

async function guarded<Value>({ path }: Inside, act: () => Promise<Value>): Promise<Value | Diagnosed> {
  try {
    return await act()
  } catch (error) {
    return { kind: 'problem', diagnostic: diagnose(error, path) }
  }
}

async function look(root: Root, place: Inside): Promise<Look> {
  const name = fileNameOf(place)
  try {
    const directory = await walk(root, place.parts.slice(0, -1))
    return await lend(directory, () => lookIn(directory, name, place.path))
  } catch (error) {
    if (diagnose(error, place.path).code !== 'not-found') throw error
    return { kind: 'absent', diagnostic: problemOf('ENOENT', place.path, error).diagnostic }
  }
}

function fileNameOf({ parts, path, isDirectory }: Inside): string {
  const name = parts.at(-1)
  if (name === undefined || isDirectory) throw problemOf('EISDIR', path)
  return name
}

async function lookIn(
  directory: Directory,
  name: string,
  shown: string,
): Promise<Extract<Look, { kind: 'file' | 'huge' }>> {
  // Looked at first: opening a device can already do something.
  requireFile(await lstat(directory.at(name)), shown)
  const handle = await open(directory.at(name), OPEN_FILE)
  try {
    const stats = await handle.stat()
    requireFile(stats, shown)
    const bytes = stats.size > MAX_FILE_BYTES ? undefined : await readBounded(handle, stats.size)
    return bytes ? { kind: 'file', bytes, hash: hashOf(bytes), stats } : { kind: 'huge', size: stats.size }
  } finally {
    await handle.close()
  }
}

function requireFile(stats: Stats, shown: string): void {
  if (stats.isSymbolicLink()) throw problemOf('ELOOP', shown)
  if (stats.isDirectory()) throw problemOf('EISDIR', shown)
  if (!stats.isFile()) throw problemOf('ENXIO', shown)
}

// The size is only a hint: a file may grow under our hands, or claim to be empty and go on for ever.
async function readBounded(handle: FileHandle, size: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let total = 0
  while (total <= MAX_FILE_BYTES) {
    const chunk = Buffer.allocUnsafe(Math.max(size - total, 0) + 4096)
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null)
    if (bytesRead === 0) return Buffer.concat(chunks, total)
    chunks.push(chunk.subarray(0, bytesRead))
    total += bytesRead
  }
  return undefined
}

async function replace(
  root: Root,
  place: Inside,
  { content, basis }: { content: Uint8Array; basis: Hash },
): Promise<Replaced> {
  const name = fileNameOf(place)
  const directory = await walk(root, place.parts.slice(0, -1), { create: basis === ABSENT })
  return lend(directory, async () => {
    const before = await lookIn(directory, name, place.path).catch((error: unknown) => {
      if (diagnose(error, place.path).code !== 'not-found') throw error
      return undefined
    })
    if (before?.kind === 'huge' || (before?.hash ?? ABSENT) !== basis) return { kind: 'changed' }
    if (before !== undefined && before.stats.nlink > 1) throw hardLinked(place.path)
    await swapIn(directory, name, { content, before: before?.stats })
    return { kind: 'replaced' }
  })
}

/** What is said of a file that has a second name: a change would show in a place that nobody looked at. */
export function hardLinked(path: string): FileProblem {
  const hint = 'Ask the person, or write a new file instead.'
  return new FileProblem({ code: 'hard-linked', message: `${path} has another name elsewhere (a hard link).`, hint })
}

// The file is the old one or the new one at any moment: written beside it, on the disk, then put in its place.
async function swapIn(
  directory: Directory,
  name: string,
  { content, before }: { content: Uint8Array; before: Stats | undefined },
): Promise<void> {
  const temporary = directory.at(`.maru-${randomBytes(8).toString('hex')}.tmp`)
  const handle = await open(temporary, OPEN_TEMPORARY, 0o666)
  try {
    try {
      await handle.writeFile(content)
      if (before) await keepOwnerAndMode(handle, before)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, directory.at(name))
  } catch (error) {
    await unlink(temporary)
    throw error
  }
  await directory.sync()
}

async function keepOwnerAndMode(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await handle.stat()
  if (own.uid !== uid || own.gid !== gid) {
    try {
      await handle.chown(uid, gid)
    } catch (error) {
      // Only root may give a file away; the content matters more than its owner.
      if (diagnose(error, '').code !== 'no-permission') throw error
    }
  }
  await handle.chmod(mode & 0o7777)
}
