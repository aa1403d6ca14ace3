import { createHash } from 'node:crypto'
import { copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobStore, fits, Hash, LogError } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { writeError } from './line-writer.ts'
import { isErrno, sessionPaths, syncDirectory } from './paths.ts'
import { writeWhole } from './write-whole.ts'

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
  return {
    async put(holder, content) {
      const bytes = Buffer.from(typeof content === 'string' ? (mask?.(content) ?? content) : content)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const path = pathOf(holder, hash)
      if (!(await isFile(path))) {
        await writeWhole(path, { nursery: folderOf(holder) }, (file) => file.writeFile(bytes)).catch(
          (error: unknown) => {
            throw writeError(error, 'content could not be stored')
          },
        )
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

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
}

async function readRange(path: string, range?: { start: number; end: number }): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.min(range?.start ?? 0, size)
    const bytes = Buffer.alloc(Math.max(0, Math.min(range?.end ?? size, size) - start))
    await file.read(bytes, 0, bytes.length, start)
    return bytes
  } finally {
    await file.close()
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
