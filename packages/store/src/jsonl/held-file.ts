import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LogError } from '@maru/protocol'
import { type Head, head } from '../head.ts'
import type { Held } from '../medium.ts'
import { LineWriter, MAX_BATCH_BYTES } from './line-writer.ts'
import { isErrno, type SessionPaths, syncDirectory } from './paths.ts'
import { scan } from './scan.ts'
import { createSnapshots, type Place, type Snapshots } from './snapshots.ts'
import { damagedError } from './tail.ts'
import { triage, type Walked, walk } from './walk.ts'

/** What was set right when a log was opened for writing. */
export interface Repair {
  id: string
  /** Bytes cut off a torn end. None of them was ever acknowledged, or they were no record. */
  cut: number
  /** Where they were put, if they held more than a torn line. */
  quarantine?: string
}

// Below this, reading the log is as quick as reading a snapshot.
const SNAPSHOT_FROM_BYTES = 256 * 1024

/** A log file that this process alone may write. */
export class HeldFile implements Held {
  readonly head: Head
  readonly #paths: SessionPaths
  readonly #lock: { release(): Promise<void> }
  readonly #snapshots: Snapshots
  #file: FileHandle
  #writer: LineWriter
  #place: Place
  #snapshotSeq: number
  #isRemoved = false
  #released: Promise<void> | undefined

  static async open(
    paths: SessionPaths,
    { id, lock, onRepair }: { id: string; lock: { release(): Promise<void> }; onRepair(repair: Repair): void },
  ): Promise<HeldFile> {
    const file = await openForWriting(paths.log, id)
    try {
      const snapshots = createSnapshots(paths.snapshots)
      const walked = await walk(file, head, snapshots)
      const repair = await mend(file, { id, paths, walked })
      if (repair) onRepair(repair)
      return new HeldFile(paths, { lock, file, snapshots, walked })
    } catch (error) {
      await file.close()
      throw error
    }
  }

  private constructor(
    paths: SessionPaths,
    {
      lock,
      file,
      snapshots,
      walked,
    }: { lock: { release(): Promise<void> }; file: FileHandle; snapshots: Snapshots; walked: Walked<Head> },
  ) {
    this.head = walked.state
    this.#paths = paths
    this.#lock = lock
    this.#file = file
    this.#snapshots = snapshots
    this.#place = walked.place
    this.#snapshotSeq = walked.snapshotSeq
    this.#writer = new LineWriter(file, walked.place.end)
  }

  async write(lines: string[], options: { sync: boolean }): Promise<void> {
    if (this.#isRemoved) throw new LogError('missing', 'this session was erased')
    const last = lines.at(-1)
    if (last === undefined) return
    await this.#writer.write(lines, options)
    const { end } = this.#writer
    this.#place = {
      seq: this.#place.seq + lines.length,
      line: this.#place.line + lines.length,
      start: end - Buffer.byteLength(last) - 1,
      end,
    }
  }

  async replace(seq: number, line: string): Promise<void> {
    const temporary = `${this.#paths.log}.${randomUUID()}.new`
    const { start, end } = await findLine(this.#file, seq)
    const copy = await open(temporary, 'wx+', 0o600)
    try {
      await copyBytes(this.#file, copy, { from: 0, to: start })
      await copy.write(`${line}\n`)
      await copyBytes(this.#file, copy, { from: end, to: this.#place.end })
      await copy.sync()
      await rename(temporary, this.#paths.log)
      await syncDirectory(dirname(this.#paths.log))
    } catch (error) {
      await copy.close()
      await rm(temporary, { force: true })
      throw error
    }
    // What was erased may stand in these as well.
    await this.#snapshots.clear()
    await rm(this.#paths.quarantine, { recursive: true, force: true })
    await this.#file.close()
    const shift = Buffer.byteLength(line) + 1 - (end - start)
    const isLast = seq === this.#place.seq
    this.#file = copy
    this.#place = { ...this.#place, start: this.#place.start + (isLast ? 0 : shift), end: this.#place.end + shift }
    this.#snapshotSeq = 0
    this.#writer = new LineWriter(copy, this.#place.end)
  }

  async remove(): Promise<void> {
    this.#isRemoved = true
    await rm(this.#paths.log, { force: true })
    await rm(this.#paths.side, { recursive: true, force: true })
    await syncDirectory(dirname(this.#paths.log))
  }

  release(): Promise<void> {
    this.#released ??= this.#release()
    return this.#released
  }

  async #release(): Promise<void> {
    try {
      const isWorthIt = this.#place.end >= SNAPSHOT_FROM_BYTES && this.#place.seq > this.#snapshotSeq
      if (isWorthIt && !this.#isRemoved) await this.#saveSnapshot()
    } finally {
      await this.#file.close()
      await this.#lock.release()
    }
  }

  async #saveSnapshot(): Promise<void> {
    try {
      await this.#snapshots.save(head, this.#file, { state: this.head, place: this.#place })
    } catch (error) {
      // Only a cache: on a full disk the next opening reads the log instead.
      if (!isErrno(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES')) throw error
    }
  }
}

async function openForWriting(path: string, id: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) throw new LogError('missing', `there is no session ${id}`, { cause: error })
    const { message } = error as Error
    throw new LogError('failed', `session ${id} cannot be written: ${message}`, { cause: error })
  }
}

// Only under the lock: nobody else is in the middle of a write.
async function mend(
  file: FileHandle,
  { id, paths, walked }: { id: string; paths: SessionPaths; walked: Walked<Head> },
): Promise<Repair | undefined> {
  const { cutAt, lasting } = triage(walked)
  if (lasting.length > 0) throw damagedError(id, lasting)
  if (walked.lacksFeed) {
    await file.write('\n', walked.place.end)
    await file.datasync()
    walked.place.end++
  }
  if (cutAt === undefined) return undefined
  const { size } = await file.stat()
  const cut = Buffer.alloc(Math.min(size - cutAt, MAX_BATCH_BYTES))
  await file.read(cut, 0, cut.length, cutAt)
  const repair: Repair = { id, cut: size - cutAt }
  if (cut.includes(10)) repair.quarantine = await quarantine(paths, cutAt, cut)
  await file.truncate(cutAt)
  await file.datasync()
  return repair
}

async function quarantine({ quarantine: directory }: SessionPaths, offset: number, bytes: Buffer): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (let attempt = 0; ; attempt++) {
    const path = join(directory, `${offset}-${attempt}`)
    try {
      const file = await open(path, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      return path
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
    }
  }
}

async function findLine(file: FileHandle, seq: number): Promise<{ start: number; end: number }> {
  for await (const batch of scan(file, { offset: 0, number: 1 }, { last: 0, missing: new Set() })) {
    for (const item of batch) if ('record' in item && item.record.seq === seq) return item
  }
  throw new LogError('missing', `there is no fact ${seq}`)
}

async function copyBytes(from: FileHandle, to: FileHandle, range: { from: number; to: number }): Promise<void> {
  const buffer = Buffer.alloc(256 * 1024)
  for (let position = range.from; position < range.to; ) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, range.to - position), position)
    if (bytesRead === 0) throw new LogError('failed', 'the log ended before its last record')
    await to.writeFile(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}
