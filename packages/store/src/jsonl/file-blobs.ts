import { statSync } from 'node:fs'
import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobStore, fits, Hash, LogError } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { sha256 } from '../sha256.ts'
import { writeError } from './line-writer.ts'
import { OpenFile } from './open-file.ts'
import { isErrno, sessionPaths, syncDirectory } from './paths.ts'
import { writeNamed } from './write-whole.ts'

/**
 * Blobs as files in their session's own folder. A fork holds hard links, so the file system itself counts who still
 * needs the bytes.
 */
export function createFileBlobs(directory: string, mask?: Mask): BlobStore {
  const folderOf = (holder: string) => sessionPaths(directory, holder).blobs
  const pathOf = (holder: string, hash: string) => {
    if (!fits(Hash, hash)) throw new LogError('rejected', `"${hash}" is not a hash`)
    return join(folderOf(holder), hash)
  }
  const unsynced = new Unsynced()
  return {
    flush: (holder) => unsynced.settled(holder),
    async put(holder, content) {
      const bytes = Buffer.from(typeof content === 'string' ? (mask?.(content) ?? content) : content)
      const hash = sha256(bytes)
      const path = pathOf(holder, hash)
      if (!isFileOf(path, bytes.length)) {
        const { synced } = await writeNamed(path, folderOf(holder), bytes).catch(notStored)
        unsynced.add(holder, synced.catch(notStored))
      }
      return { hash, bytes: bytes.length }
    },
    async get(holder, hash, range) {
      try {
        return await readRange(pathOf(holder, hash), range)
      } catch (error) {
        if (isErrno(error, 'ENOENT')) return undefined
        throw error
      }
    },
    async share(from, to, hashes) {
      await mkdir(folderOf(to), { recursive: true, mode: 0o700 })
      for (const hash of hashes) await linkOrCopy(pathOf(from, hash), pathOf(to, hash))
      await syncDirectory(folderOf(to))
    },
    async release(holder, hash) {
      await rm(hash === undefined ? folderOf(holder) : pathOf(holder, hash), { recursive: true, force: true })
    },
  }
}

// A name that was there before its bytes were on the disk can be left without them when the power fails.
function isFileOf(path: string, size: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size === size
}

function notStored(error: unknown): never {
  throw writeError(error, 'content could not be stored')
}

/** What is on its way to the disk, by holder. A failure is told to everybody who asks from then on. */
class Unsynced {
  readonly #pending = new Map<string, Promise<unknown>>()

  add(holder: string, synced: Promise<void>): void {
    const all = Promise.all([this.#pending.get(holder), synced])
    this.#pending.set(holder, all)
    const forget = () => {
      if (this.#pending.get(holder) === all) this.#pending.delete(holder)
    }
    all.then(forget, () => undefined)
  }

  async settled(holder: string): Promise<void> {
    await this.#pending.get(holder)
  }
}

async function readRange(path: string, range?: { start: number; end: number }): Promise<Uint8Array> {
  const file = new OpenFile(path, 'r')
  try {
    const { size } = file.stat()
    const start = Math.min(range?.start ?? 0, size)
    const bytes = Buffer.alloc(Math.max(0, Math.min(range?.end ?? size, size) - start))
    await file.read(bytes, start)
    return bytes
  } finally {
    file.close()
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    // There already; or not there any more, which the fork then has in common with its parent.
    if (isErrno(error, 'EEXIST', 'ENOENT')) return
    // Some file systems know no hard links.
    if (!isErrno(error, 'EPERM', 'ENOTSUP', 'EXDEV', 'EMLINK', 'ENOSYS')) throw error
    await copyFile(from, to)
  }
}
