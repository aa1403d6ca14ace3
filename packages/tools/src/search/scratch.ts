import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file without a name: nobody else can open it, and it is gone with its last descriptor, also after a crash. */
export interface Scratch {
  readonly fd: number
  /** What was written since the last time, at most `limit` bytes of it. */
  readOn(limit: number): Buffer
  close(): void
}

/** Makes a scratch file that holds `content`, read from its beginning by whoever opens it. */
export function openScratch(content = ''): Scratch {
  const fd = openNameless()
  if (content !== '') writeSync(fd, content, 0)
  let done = 0
  return {
    fd,
    readOn(limit) {
      const bytes = Buffer.allocUnsafe(Math.min(fstatSync(fd).size - done, limit))
      const length = bytes.length === 0 ? 0 : readSync(fd, bytes, 0, bytes.length, done)
      done += length
      return bytes.subarray(0, length)
    },
    close: () => closeSync(fd),
  }
}

// Where the directory for temporary files may not be written, Linux mostly has another one, in memory.
function openNameless(): number {
  try {
    return openIn(tmpdir())
  } catch (error) {
    if (process.platform !== 'linux') throw error
    return openIn('/dev/shm')
  }
}

function openIn(directory: string): number {
  const path = join(directory, `maru-${randomBytes(12).toString('hex')}`)
  const fd = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return fd
}
