import { LogError } from '@maru/protocol'

/** The most that is written in one go: what a kill in the middle of it can leave behind. */
export const MAX_BATCH_BYTES = 16 * 1024 * 1024

/** What a writer needs of a file. */
export interface Disk {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>
  datasync(): Promise<void>
  truncate(length: number): Promise<void>
}

/**
 * Writes whole lines at the end of a file, all of a batch or none. Positions are explicit, so nothing is ever glued
 * onto a torn end. A batch of several lines is written behind its first byte, and that byte last: until then the
 * place holds a NUL and no reader takes it for a line. A reader thus never sees half a batch, not even of a process that
 * was killed. (A power cut may keep some pages and not others: that is what `sync` is for.)
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
    if (bytes.length > MAX_BATCH_BYTES)
      throw new LogError('rejected', `${bytes.length} bytes are too much for one append`)
    const first = lines.length > 1 ? 1 : 0
    try {
      await this.#writeAll(bytes, first)
      if (first > 0) await this.#writeAll(bytes.subarray(0, first), 0)
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

  async #writeAll(bytes: Uint8Array, from: number): Promise<void> {
    // A full disk first shows as a short count without an error.
    for (let done = from; done < bytes.length; ) {
      const { bytesWritten } = await this.#disk.write(bytes, done, bytes.length - done, this.#end + done)
      if (bytesWritten === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' })
      done += bytesWritten
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

function writeError(error: unknown, what: string): LogError {
  const { code, message } = error as NodeJS.ErrnoException
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
  const why = isFull ? 'no space left on the disk: free some and try again' : message
  return new LogError(isFull ? 'full' : 'failed', `${what}: ${why}`, { cause: error })
}
