import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { LogError } from '@maru/protocol'

/** What a writer needs of a file. */
export interface Disk {
  /** Gives the number of bytes that were written. */
  write(bytes: Uint8Array, offset: number, length: number, position: number): number | Promise<number>
  datasync(): Promise<void>
  truncate(length: number): Promise<void>
}

/**
 * Writes whole lines at the end of a file, all of them or none. Positions are explicit, so nothing is ever glued onto a
 * torn end.
 */
export class LineWriter {
  readonly #disk: Disk
  #end: number
  #broken: LogError | undefined

  constructor(disk: Disk, end: number) {
    this.#disk = disk
    this.#end = end
  }

  get end(): number {
    return this.#end
  }

  async write(lines: string[], { sync }: { sync: boolean }): Promise<void> {
    if (this.#broken) throw this.#broken
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    try {
      await this.#writeAll(bytes)
    } catch (error) {
      throw await this.#takeBack(error)
    }
    try {
      if (sync) await this.#disk.datasync()
    } catch (error) {
      // What a failed sync has dropped cannot be known, and a second one may claim success. Only reopening tells.
      this.#broken = writeError(error, 'the disk did not confirm a write; open the session again to go on')
      throw this.#broken
    }
    this.#end += bytes.length
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    // A full disk first shows as a short count without an error.
    for (let done = 0; done < bytes.length; ) {
      const written = await this.#disk.write(bytes, done, bytes.length - done, this.#end + done)
      if (written === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' })
      done += written
    }
  }

  async #takeBack(error: unknown): Promise<LogError> {
    const failure = writeError(error, 'a fact could not be written and was not stored')
    try {
      await this.#disk.truncate(this.#end)
    } catch (cause) {
      this.#broken = writeError(cause, 'a torn end could not be cut off; open the session again to go on')
    }
    return failure
  }
}

// A copy into the page cache, quicker done than handed to a thread.
const SMALL_BYTES = 64 * 1024

/** An open file as a disk. */
export function diskOf(file: FileHandle): Disk {
  return {
    write: (bytes, offset, length, position) =>
      length <= SMALL_BYTES
        ? writeSync(file.fd, bytes, offset, length, position)
        : file.write(bytes, offset, length, position).then(({ bytesWritten }) => bytesWritten),
    datasync: () => file.datasync(),
    truncate: (length) => file.truncate(length),
  }
}

/** An error of the disk as one of the log: `full` where room would help. */
export function writeError(error: unknown, what: string): LogError {
  if (error instanceof LogError) return error
  const { code, message } = error as NodeJS.ErrnoException
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
  const why = isFull ? 'no space left on the disk: free some and try again' : message
  return new LogError(isFull ? 'full' : 'failed', `${what}: ${why}`, { cause: error })
}
