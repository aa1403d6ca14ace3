import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  read,
  readSync,
  type Stats,
  write,
  writeSync,
} from 'node:fs'

// More than this is handed to a thread.
const SMALL_BYTES = 64 * 1024

const FLAGS = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
}

/**
 * An open file. What only touches memory (a few pages, a size, a name) is done at once, because handing it to a thread
 * and back takes longer; what waits for the disk is never waited for here.
 */
export class OpenFile {
  readonly #fd: number

  /** Opens a regular file; anything else is refused, and never waited for. */
  constructor(path: string, flags: keyof typeof FLAGS, mode = 0o600) {
    this.#fd = openSync(path, FLAGS[flags] | (constants.O_NONBLOCK ?? 0), mode)
    if (this.stat().isFile()) return
    this.close()
    throw Object.assign(new Error(`${path} is not a regular file`), { code: 'EINVAL' })
  }

  stat(): Stats {
    return fstatSync(this.#fd)
  }

  /** Fills the buffer from a position of the file as far as it goes, and gives the number of bytes. */
  read(buffer: Uint8Array, position: number): number | Promise<number> {
    if (buffer.length <= SMALL_BYTES) return readSync(this.#fd, buffer, 0, buffer.length, position)
    return new Promise((resolve, reject) => {
      read(this.#fd, buffer, 0, buffer.length, position, (error, count) => (error ? reject(error) : resolve(count)))
    })
  }

  /** Gives the number of bytes that were written: a full disk first shows as too few, without an error. */
  write(bytes: Uint8Array, position: number): number | Promise<number> {
    if (bytes.length <= SMALL_BYTES) return writeSync(this.#fd, bytes, 0, bytes.length, position)
    return new Promise((resolve, reject) => {
      write(this.#fd, bytes, 0, bytes.length, position, (error, count) => (error ? reject(error) : resolve(count)))
    })
  }

  truncate(length: number): void {
    ftruncateSync(this.#fd, length)
  }

  sync(): Promise<void> {
    return inNextTurn((done) => fsync(this.#fd, done))
  }

  /** Of the bytes and the size, not of the times. */
  datasync(): Promise<void> {
    return inNextTurn((done) => fdatasync(this.#fd, done))
  }

  close(): void {
    closeSync(this.#fd)
  }
}

// Whatever else there is to do now, such as sending a request, does not wait for the first thread to be made.
export function inNextTurn(sync: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    setImmediate(() => sync((error) => (error ? reject(error) : resolve())))
  })
}

/** Writes all of the bytes, or fails. */
export async function writeAll(file: Pick<OpenFile, 'write'>, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const written = await file.write(bytes.subarray(done), position + done)
    if (written === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' })
    done += written
  }
}
