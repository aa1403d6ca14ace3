import { mkdirSync } from 'node:fs'
import type { Hash } from '@maru/protocol'
import { hashOf } from '../hash.ts'
import { createReader, createWriter, readIndexes } from './pack-files.ts'

/** Content by hash, in few files that only grow. */
export interface Pack {
  has(hash: Hash): boolean
  /** Takes bytes in; they are on their way to the disk, and there after `flush`. */
  add(hash: Hash, bytes: Uint8Array): void
  /** Waits while too much is on its way. */
  ease(): Promise<void>
  /** Rejects if something could not be written; nothing of that counts as stored. */
  flush(): Promise<void>
  /** The bytes, checked against their hash; nothing if they are not here or not what they were. */
  read(hash: Hash): Promise<Buffer | undefined>
  close(): Promise<void>
}

const CHUNK_BYTES = 1024 * 1024
const MOST_WAITING = 4

/**
 * Opens the packs in `directory`. Each opener writes files of its own (`NAME.pack`, and `NAME.index` with a line for
 * each chunk), so that two processes cannot disturb each other; a line is written after what it speaks of.
 */
export async function openPack(directory: string): Promise<Pack> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const pieces = await readIndexes(directory)
  const writer = createWriter(directory)
  const readChunk = createReader(directory)
  let open = new Map<Hash, Uint8Array>()
  let openBytes = 0
  let waiting = 0
  let written: Promise<unknown> = Promise.resolve()
  let failure: Error | undefined
  const writeOut = () => {
    const contents = open
    open = new Map()
    openBytes = 0
    waiting++
    const done = writer.write(contents).then(
      (added) => {
        for (const [hash, piece] of added) pieces.set(hash, piece)
      },
      (error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error))
      },
    )
    written = Promise.all([written, done]).then(() => waiting--)
  }
  const flush = async () => {
    if (open.size > 0) writeOut()
    await written
    const error = failure
    failure = undefined
    if (error !== undefined) throw error
  }
  return {
    has: (hash) => pieces.has(hash) || open.has(hash),
    add(hash, bytes) {
      if (pieces.has(hash) || open.has(hash)) return
      open.set(hash, bytes)
      openBytes += bytes.length
      if (openBytes >= CHUNK_BYTES) writeOut()
    },
    async ease() {
      if (waiting > MOST_WAITING) await written
    },
    flush,
    async read(hash) {
      const unwritten = open.get(hash)
      if (unwritten !== undefined) return Buffer.from(unwritten)
      const piece = pieces.get(hash)
      const chunk = piece && (await readChunk(piece.chunk))
      const bytes = chunk?.subarray(piece?.start, (piece?.start ?? 0) + (piece?.length ?? 0))
      return bytes !== undefined && hashOf(bytes) === hash ? Buffer.from(bytes) : undefined
    },
    async close() {
      await written
      await writer.close()
    },
  }
}
