import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import type { Hash } from '@maru/protocol'
import { diagnose, FileProblem, problemOf } from './file-problem.ts'
import { hashOf } from './hash.ts'
import { type Directory, STRICT } from './walk.ts'

/** A regular file as it was found. */
export type FoundFile = { kind: 'file'; bytes: Buffer; hash: Hash; stats: Stats } | { kind: 'huge'; size: number }

/** Files above this are described, not read. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024

const OPEN_FILE = constants.O_RDONLY | (constants.O_NOCTTY ?? 0) | STRICT

/** Reads an entry of an open directory; throws unless it is a regular file. */
export function lookIn(directory: Directory, name: string, shown: string): FoundFile {
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

/** The same, or nothing where there is no such entry. */
export function lookIfThere(directory: Directory, name: string, shown: string): FoundFile | undefined {
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
