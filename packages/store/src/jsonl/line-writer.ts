import { LogError } from '@maru/protocol'
import { type OpenFile, writeAll } from './open-file.ts'

/** What a writer needs of a file. */
export type Disk = Pick<OpenFile, 'write' | 'datasync'> & { truncate(length: number): void | Promise<void> }

/**
 * Writes whole lines at the end of a file, all of them or none. Positions are explicit, so nothing is ever glued onto a
 * torn end.
 */
export class LineWriter {
  readonly #disk: Disk
  #end: number
  #broken: LogError | undefined
  #syncing: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(disk: Disk, end: number) {
    this.#disk = disk
    this.#end = end
  }

  get end(): number {
    return this.#end
  }

  async write(lines: string[]): Promise<void> {
    if (this.#broken) throw this.#broken
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    try {
      await writeAll(this.#disk, bytes, this.#end)
    } catch (error) {
      throw await this.#takeBack(error)
    }
    this.#end += bytes.length
  }

  /** Resolves when everything written before is on the disk. Those who ask while the disk is busy wait together. */
  sync(): Promise<void> {
    this.#next ??= this.#syncing.then(() => {
      this.#next = undefined
      return this.#sync()
    })
    return this.#next
  }

  /** Resolves when no sync is under way, however it ended. */
  async idle(): Promise<void> {
    await (this.#next ?? this.#syncing).catch(() => undefined)
  }

  #sync(): Promise<void> {
    const synced = this.#broken
      ? Promise.reject(this.#broken)
      : this.#disk.datasync().catch((error) => this.#lost(error))
    this.#syncing = synced.catch(() => undefined)
    return synced
  }

  // What a failed sync has dropped cannot be known, and a second one may claim success. Only reopening tells.
  #lost(error: unknown): never {
    this.#broken = writeError(error, 'the disk did not confirm a write; open the session again to go on')
    throw this.#broken
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

/** An error of the disk as one of the log: `full` where room would help. */
export function writeError(error: unknown, what: string): LogError {
  if (error instanceof LogError) return error
  const { code, message } = error as NodeJS.ErrnoException
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
  const why = isFull ? 'no space left on the disk: free some and try again' : message
  return new LogError(isFull ? 'full' : 'failed', `${what}: ${why}`, { cause: error })
}
