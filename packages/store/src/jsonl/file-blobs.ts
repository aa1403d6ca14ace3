import { createHash, randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobStore, Hash, LogError } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { isErrno, sessionPaths, syncDirectory } from './paths.ts'

/**
 * Blobs as files in their session's own folder. A fork holds hard links, so the file system itself counts who still
 * needs the bytes.
 */
export function createFileBlobs(directory: string, mask?: Mask): BlobStore {
  const folderOf = (holder: string) => sessionPaths(directory, holder).blobs
  const pathOf = (holder: string, hash: string) => {
    if (!Hash.safeParse(hash).success) throw new LogError('rejected', `"${hash}" is not a hash`)
    return join(folderOf(holder), hash)
  }
  return {
    async put(holder, content) {
      const bytes = Buffer.from(typeof content === 'string' ? (mask?.(content) ?? content) : content)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const path = pathOf(holder, hash)
      // A blob is whole or absent: it gets its name only when its bytes are on the disk.
      if (!(await isFile(path))) await writeWhole(folderOf(holder), path, bytes)
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
    async share(from, to) {
      const names = await readdir(folderOf(from)).catch((error: unknown) => {
        if (isErrno(error, 'ENOENT')) return []
        throw error
      })
      if (names.length === 0) return
      await mkdir(folderOf(to), { recursive: true, mode: 0o700 })
      for (const name of names) await linkOrCopy(join(folderOf(from), name), join(folderOf(to), name))
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

async function writeWhole(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}.new`
  try {
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    await syncDirectory(folder)
  } catch (error) {
    await rm(temporary, { force: true })
    if (isErrno(error, 'ENOSPC', 'EDQUOT')) {
      throw new LogError('full', 'content could not be stored: no space left on the disk', { cause: error })
    }
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
    if (isErrno(error, 'EEXIST')) return
    // Some file systems know no hard links.
    if (!isErrno(error, 'EPERM', 'ENOTSUP', 'EXDEV', 'EMLINK', 'ENOSYS')) throw error
    await copyFile(from, to)
  }
}
