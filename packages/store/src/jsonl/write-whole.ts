import { randomUUID } from 'node:crypto'
import { type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isErrno, syncDirectory } from './paths.ts'

export interface WriteWholeOptions {
  /** Where the unfinished file stands: on the same disk, and gone with whatever it belongs to. */
  nursery: string
  /** Fails with EEXIST where there is something, instead of taking its place. */
  isNew?: boolean
}

/** Writes a file that is there whole or not at all: it gets its name only when its bytes are on the disk. */
export async function writeWhole(
  path: string,
  { nursery, isNew = false }: WriteWholeOptions,
  fill: (file: FileHandle) => Promise<void>,
): Promise<void> {
  await mkdir(nursery, { recursive: true, mode: 0o700 })
  const temporary = join(nursery, `${randomUUID()}.new`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await fill(file)
      await file.sync()
    } finally {
      await file.close()
    }
    if (isNew) await linkNew(temporary, path)
    else await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
  await syncDirectory(dirname(path))
}

// A link fails where a rename would replace: of two creators, one.
async function linkNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    // Some file systems know no hard links. Then the name is taken first, empty, and filled by the rename.
    if (!isErrno(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK')) throw error
    await (await open(to, 'wx', 0o600)).close()
    await rename(from, to)
  }
}
