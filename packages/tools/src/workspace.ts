import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { resolve } from 'node:path'
import type { Diagnostic, Hash } from '@maru/protocol'
import { diagnose, FileProblem, problemOf } from './file-problem.ts'
import { followLinks } from './follow-links.ts'
import { ABSENT, hashOf } from './hash.ts'
import { locate, type Place } from './locate.ts'
import { type Directory, findRoot, type Root, STRICT, walk } from './walk.ts'

/**
 * The one way to a file: nothing outside the root is read or written through it. Links are followed by `locate` alone, by
 * words, and only where they stay inside; whatever is done then follows none.
 */
export interface Workspace {
  /** Where a path really leads. To `read`, a link may stand for the file itself; never to `write`. */
  locate(path: string, use?: 'read' | 'write'): Promise<Place>
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

const OPEN_FILE = constants.O_RDONLY | (constants.O_NOCTTY ?? 0) | STRICT
const OPEN_TEMPORARY = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | STRICT

/** A workspace at `root`, which is opened at its first use. */
export function createWorkspace(root: string): Workspace {
  const given = resolve(root)
  let found: Root | undefined
  const openRoot = () => {
    found ??= findWorkspace(given)
    return found
  }
  return {
    async locate(path, use = 'read') {
      const named = locate([given], path)
      try {
        const root = openRoot()
        const place = named.where === 'outside' ? locate([root.path], path) : named
        if (place.where !== 'inside') return place
        const parts = followLinks(root, place.parts, { keepLast: use === 'write' })
        return { ...place, parts, path: parts.join('/') || '.' }
      } catch (error) {
        const diagnostic = diagnose(error, path)
        return { where: 'nowhere', path, problem: diagnostic.message, diagnostic }
      }
    },
    look: (place) => guarded(place, async () => look(openRoot(), place)),
    replace: (place, content, basis) => guarded(place, async () => replace(openRoot(), place, { content, basis })),
    enter: (place, use) => guarded(place, async () => lend(walk(openRoot(), place.parts), ({ self }) => use(self))),
  }
}

function findWorkspace(path: string): Root {
  try {
    return findRoot(path)
  } catch (cause) {
    const message = `The workspace ${path} cannot be opened: ${diagnose(cause, path).message}`
    throw new FileProblem({ code: 'no-workspace', message }, { cause })
  }
}

// An open directory is closed, whatever becomes of its use.
async function lend<Value>(directory: Directory, use: (directory: Directory) => Promise<Value>): Promise<Value> {
  try {
    return await use(directory)
  } finally {
    directory.close()
  }
}

async function guarded<Value>({ path }: { path: string }, act: () => Promise<Value>): Promise<Value | Diagnosed> {
  try {
    return await act()
  } catch (error) {
    return { kind: 'problem', diagnostic: diagnose(error, path) }
  }
}

function look(root: Root, place: Inside): Promise<Look> | Look {
  const name = fileNameOf(place)
  try {
    const directory = walk(root, place.parts.slice(0, -1))
    try {
      return lookIn(directory, name, place.path)
    } finally {
      directory.close()
    }
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

function lookIn(directory: Directory, name: string, shown: string): Extract<Look, { kind: 'file' | 'huge' }> {
  // Looked at first: opening a device can already do something.
  requireFile(lstatSync(directory.at(name)), shown)
  const file = openSync(directory.at(name), OPEN_FILE)
  try {
    const stats = fstatSync(file)
    requireFile(stats, shown)
    const bytes = stats.size > MAX_FILE_BYTES ? undefined : readBounded(file, stats.size)
    return bytes ? { kind: 'file', bytes, hash: hashOf(bytes), stats } : { kind: 'huge', size: stats.size }
  } finally {
    closeSync(file)
  }
}

function requireFile(stats: Stats, shown: string): void {
  if (stats.isSymbolicLink()) throw problemOf('ELOOP', shown)
  if (stats.isDirectory()) throw problemOf('EISDIR', shown)
  if (!stats.isFile()) throw problemOf('ENXIO', shown)
}

// The size is only a hint: a file may grow under our hands, or claim to be empty and go on for ever.
function readBounded(file: number, size: number): Buffer | undefined {
  const chunks: Buffer[] = []
  let total = 0
  while (total <= MAX_FILE_BYTES) {
    const chunk = Buffer.allocUnsafe(Math.max(size - total, 0) + 4096)
    const bytesRead = readSync(file, chunk, 0, chunk.length, null)
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
  const directory = walk(root, place.parts.slice(0, -1), { create: basis === ABSENT })
  return lend(directory, async () => {
    const before = lookIfThere(directory, name, place.path)
    if (before?.kind === 'huge' || (before?.hash ?? ABSENT) !== basis) return { kind: 'changed' }
    if (before !== undefined && before.stats.nlink > 1) throw hardLinked(place.path)
    await swapIn(directory, name, { content, before: before?.stats })
    return { kind: 'replaced' }
  })
}

function lookIfThere(directory: Directory, name: string, shown: string): ReturnType<typeof lookIn> | undefined {
  try {
    return lookIn(directory, name, shown)
  } catch (error) {
    if (diagnose(error, shown).code !== 'not-found') throw error
    return undefined
  }
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
  const file = openSync(temporary, OPEN_TEMPORARY, 0o666)
  try {
    try {
      writeAll(file, content)
      if (before) keepOwnerAndMode(file, before)
      await new Promise<void>((resolve, reject) => fsync(file, (error) => (error === null ? resolve() : reject(error))))
    } finally {
      closeSync(file)
    }
    renameSync(temporary, directory.at(name))
  } catch (error) {
    unlinkSync(temporary)
    throw error
  }
  await directory.sync()
}

function writeAll(file: number, content: Uint8Array): void {
  for (let done = 0; done < content.length; ) done += writeSync(file, content, done)
}

function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(file)
  if (own.uid !== uid || own.gid !== gid) {
    try {
      fchownSync(file, uid, gid)
    } catch (error) {
      // Only root may give a file away; the content matters more than its owner.
      if (diagnose(error, '').code !== 'no-permission') throw error
    }
  }
  fchmodSync(file, mode & 0o7777)
}
