import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { FileProblem } from '../file-problem.ts'
import { type Root, STRICT, walk } from '../walk.ts'

const OPEN_FILE = constants.O_RDONLY | STRICT | (constants.O_NOCTTY ?? 0)

/** A file's bytes with its stats from before the reading; `steady` if they were the same afterwards. */
export type ReadFile =
  | { kind: 'bytes'; bytes: Buffer; stats: Stats; isSteady: boolean }
  | { kind: 'large'; stats: Stats }
  | { kind: 'other' }

/** Reads a regular file of at most `limit` bytes, and waits for nothing. Throws what the file system says. */
export function readBounded(path: string, limit: number): ReadFile {
  const fd = openSync(path, OPEN_FILE)
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) return { kind: 'other' }
    if (stats.size > limit) return { kind: 'large', stats }
    const bytes = readAll(fd, stats.size, limit)
    if (bytes === undefined) return { kind: 'large', stats }
    const { mtimeMs, ctimeMs, size } = fstatSync(fd)
    const isSteady = mtimeMs === stats.mtimeMs && ctimeMs === stats.ctimeMs && size === bytes.length
    return { kind: 'bytes', bytes, stats, isSteady }
  } finally {
    closeSync(fd)
  }
}

// The size is only a hint: a file may grow meanwhile, or claim to be empty.
function readAll(fd: number, size: number, limit: number): Buffer | undefined {
  let buffer = Buffer.allocUnsafeSlow(size + 1)
  let length = 0
  for (;;) {
    const read = readSync(fd, buffer, length, buffer.length - length, null)
    length += read
    if (read === 0) return buffer.subarray(0, length)
    if (length > limit) return undefined
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafeSlow(buffer.length + 4096)])
  }
}

const SMALL = 256 * 1024

/** The text of a small file, or nothing where there is none that can be read. */
export function readSmall(root: Root, parts: readonly string[], name: string): string | undefined {
  try {
    const directory = walk(root, parts)
    try {
      const read = readBounded(directory.at(name), SMALL)
      return read.kind === 'bytes' ? read.bytes.toString() : undefined
    } finally {
      directory.close()
    }
  } catch (error) {
    if (error instanceof FileProblem || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}
