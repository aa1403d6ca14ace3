import { closeSync, existsSync, linkSync, mkdirSync, openSync, renameSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { uniqueHex } from '../unique.ts'
import { OpenFile, writeAll } from './open-file.ts'
import { isErrno, syncDirectory } from './paths.ts'

export interface WriteWholeOptions {
  /** Where the unfinished file stands: on the same disk, and gone with whatever it belongs to. */
  nursery: string
  /** Fails with EEXIST where there is something, instead of taking its place. */
  isNew?: boolean
}

type Content = Uint8Array | AsyncIterable<Uint8Array>

/** Writes a file that is there whole or not at all: it gets its name only when its bytes are on the disk. */
export async function writeWhole(path: string, options: WriteWholeOptions, content: Content): Promise<void> {
  const { nursery, isNew = false } = options
  const temporary = temporaryIn(nursery)
  try {
    const file = new OpenFile(temporary, 'wx')
    try {
      await fill(file, content)
      await file.sync()
    } finally {
      file.close()
    }
    if (isNew) linkNew(temporary, path)
    else renameSync(temporary, path)
  } finally {
    removeLeft(temporary)
  }
  await syncDirectory(dirname(path))
}

/** A file is whole or not there if the process dies. `synced`, which is under way, is when the power cannot take it. */
export interface Named {
  synced: Promise<void>
}

/** Writes a file that takes the place of any other of its name. */
export async function writeNamed(path: string, nursery: string, content: Content): Promise<Named> {
  return write(nursery, content, (temporary) => {
    renameSync(temporary, path)
    return dirname(path)
  })
}

/** Writes a file where there is none; EEXIST otherwise. */
export async function writeNew(path: string, nursery: string, content: Content): Promise<Named> {
  return write(nursery, content, (temporary) => {
    linkNew(temporary, path)
    return dirname(path)
  })
}

async function write(nursery: string, content: Content, name: (temporary: string) => string): Promise<Named> {
  const temporary = temporaryIn(nursery)
  const file = new OpenFile(temporary, 'wx')
  try {
    await fill(file, content)
    const directory = name(temporary)
    // The name is there already, so neither need wait for the other.
    const bytes = file.sync().finally(() => file.close())
    return { synced: Promise.all([bytes, syncDirectory(directory)]).then(() => undefined) }
  } catch (error) {
    file.close()
    throw error
  } finally {
    removeLeft(temporary)
  }
}

function temporaryIn(nursery: string): string {
  mkdirSync(nursery, { recursive: true, mode: 0o700 })
  return join(nursery, `${uniqueHex(32)}.new`)
}

// Looked for first: a rename has mostly taken it already, and to fail takes longer than to look.
function removeLeft(temporary: string): void {
  if (!existsSync(temporary)) return
  try {
    unlinkSync(temporary)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
}

async function fill(file: OpenFile, content: Content): Promise<void> {
  if (content instanceof Uint8Array) return writeAll(file, content, 0)
  let position = 0
  for await (const bytes of content) {
    await writeAll(file, bytes, position)
    position += bytes.length
  }
}

// A link fails where a rename would replace: of two creators, one.
function linkNew(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    // Some file systems know no hard links. Then the name is taken first, empty, and filled by the rename.
    if (!isErrno(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK')) throw error
    closeSync(openSync(to, 'wx', 0o600))
    renameSync(from, to)
  }
}
