import { mkdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LogError, type Projection } from '@maru/protocol'
import { type Head, head, replaceHead } from '../head.ts'
import type { Held } from '../medium.ts'
import { LineWriter, writeError } from './line-writer.ts'
import type { OpenFile } from './open-file.ts'
import { isErrno, openLog, type SessionPaths, syncDirectory } from './paths.ts'
import { scan } from './scan.ts'
import { createSnapshots, type Place, type Snapshots } from './snapshots.ts'
import { damagedError } from './tail.ts'
import { triage, type Walked, walk } from './walk.ts'
import { writeWhole } from './write-whole.ts'

/** What was set right when a log was opened for writing. */
export interface Repair {
  id: string
  /** Bytes cut off a torn end: a write that was never acknowledged, or lines that were no record. */
  cut: number
  /** Where they were put, if they held more than a torn line. */
  quarantine?: string
}

interface Opening {
  id: string
  lock: { release(): Promise<void> }
  onRepair(repair: Repair): void
}

// Below this, reading the log is as quick as reading a snapshot; and one is not written for a handful of new facts.
const SNAPSHOT_FROM_BYTES = 256 * 1024
const SNAPSHOT_EVERY = 100

/** A log file that this process alone may write. */
export class HeldFile implements Held {
  readonly head: Head
  readonly #id: string
  readonly #paths: SessionPaths
  readonly #lock: { release(): Promise<void> }
  readonly #snapshots: Snapshots
  #file: OpenFile
  #writer: LineWriter
  #place: Place
  #snapshotSeq: number
  /** States of others, as far as they had come, by the name of their projection. */
  readonly #kept = new Map<string, { projection: Projection<unknown>; state: unknown; seq: number }>()
  #isRemoved = false
  #released: Promise<void> | undefined

  static async open(paths: SessionPaths, opening: Opening): Promise<HeldFile> {
    const file = openLog(paths.log, opening.id, 'r+')
    try {
      const snapshots = createSnapshots(paths.snapshots)
      const walked = await walk(file, head, snapshots)
      const repair = await mend(file, { id: opening.id, paths, walked })
      if (repair) opening.onRepair(repair)
      const { size } = file.stat()
      return new HeldFile(paths, opening, { file, snapshots, walked, size })
    } catch (error) {
      file.close()
      throw error
    }
  }

  private constructor(
    paths: SessionPaths,
    { id, lock }: Opening,
    { file, snapshots, walked, size }: { file: OpenFile; snapshots: Snapshots; walked: Walked<Head>; size: number },
  ) {
    this.head = walked.state
    this.#id = id
    this.#paths = paths
    this.#lock = lock
    this.#file = file
    this.#snapshots = snapshots
    this.#place = walked.place
    this.#snapshotSeq = walked.snapshotSeq
    this.#writer = new LineWriter(file, size)
  }

  async write(lines: string[]): Promise<void> {
    const last = lines.at(-1)
    if (last === undefined) return
    this.#expectUntouched()
    await this.#writer.write(lines)
    const { end } = this.#writer
    this.#place = {
      seq: this.#place.seq + lines.length,
      line: this.#place.line + lines.length,
      start: end - Buffer.byteLength(last) - 1,
      end,
    }
  }

  /** The last line. */
  get place(): Place {
    return { ...this.#place }
  }

  /** Leaves a state beside the log when it is let go of, unless more is written meanwhile. */
  keep<S>(projection: Projection<S>, { state, seq }: { state: S; seq: number }): void {
    this.#kept.set(projection.name, { projection: projection as Projection<unknown>, state, seq })
  }

  sync(): Promise<void> {
    return this.#writer.sync()
  }

  async replace(seq: number, line: string): Promise<void> {
    await this.#writer.idle()
    this.#expectUntouched()
    const { start, end } = await findLine(this.#file, seq)
    // What was erased may stand in these as well.
    await this.#snapshots.clear()
    this.#kept.clear()
    for (const copy of [this.#paths.quarantine, this.#paths.raw]) await rm(copy, { recursive: true, force: true })
    const copy = this.#copyWith({ start, end }, line)
    await writeWhole(this.#paths.log, { nursery: this.#paths.side }, copy).catch((error: unknown) => {
      throw writeError(error, 'a fact could not be erased')
    })
    const old = this.#file
    this.#file = openLog(this.#paths.log, this.#id, 'r+')
    const walked = await walk(this.#file, head, this.#snapshots)
    replaceHead(this.head, walked.state)
    this.#place = walked.place
    this.#snapshotSeq = 0
    this.#writer = new LineWriter(this.#file, this.#file.stat().size)
    old.close()
  }

  async remove(): Promise<void> {
    this.#isRemoved = true
    await removeSession(this.#paths)
  }

  release(): Promise<void> {
    this.#released ??= this.#release()
    return this.#released
  }

  async #release(): Promise<void> {
    const { seq, end } = this.#place
    // Not under the feet of a sync that is under way; whoever asked for it is told how it ended.
    await this.#writer.idle()
    try {
      if (!this.#isRemoved && end >= SNAPSHOT_FROM_BYTES && seq - this.#snapshotSeq >= SNAPSHOT_EVERY) {
        // Only a cache: whatever is in its way, the next opening reads the log instead.
        await this.#snapshots.save(head, this.#file, { state: this.head, place: this.#place }).catch(() => undefined)
        for (const { projection, state, seq: reached } of this.#kept.values()) {
          if (reached !== seq) continue
          await this.#snapshots.save(projection, this.#file, { state, place: this.#place }).catch(() => undefined)
        }
      }
      this.#file.close()
    } finally {
      await this.#lock.release()
    }
  }

  async *#copyWith({ start, end }: { start: number; end: number }, line: string): AsyncGenerator<Uint8Array, void> {
    yield* bytesOf(this.#file, { from: 0, to: start })
    yield Buffer.from(`${line}\n`)
    yield* bytesOf(this.#file, { from: end, to: this.#writer.end })
  }

  // The lock keeps every Maru on this system out. This notices whatever it cannot: another container, a careless script.
  #expectUntouched(): void {
    if (this.#isRemoved) throw new LogError('missing', `session ${this.#id} was erased`)
    const here = this.#file.stat()
    const there = statSync(this.#paths.log, { throwIfNoEntry: false })
    if (here.size === this.#writer.end && there?.ino === here.ino && there.dev === here.dev) return
    const message = `something else changed the log of session ${this.#id}; nothing was written, open it again to go on`
    throw new LogError('conflict', message)
  }
}

/** Takes everything of a session away, the log last: as long as it is there, this can be done again. */
export async function removeSession({ log, side }: SessionPaths): Promise<void> {
  await rm(side, { recursive: true, force: true })
  await rm(log, { force: true })
  await syncDirectory(dirname(log))
}

// Only under the lock: nobody else is in the middle of a write.
async function mend(
  file: OpenFile,
  { id, paths, walked }: { id: string; paths: SessionPaths; walked: Walked<Head> },
): Promise<Repair | undefined> {
  const { cutAt, lasting } = triage(walked)
  if (lasting.length > 0) throw damagedError(id, lasting)
  if (walked.lacksFeed) {
    await file.write(Buffer.from('\n'), walked.place.end)
    await file.datasync()
    walked.place.end++
  }
  if (cutAt === undefined) return undefined
  const { size } = file.stat()
  const repair: Repair = { id, cut: size - cutAt }
  if (await hasFeed(file, cutAt)) repair.quarantine = await quarantine(file, paths, { from: cutAt, to: size })
  file.truncate(cutAt)
  await file.datasync()
  return repair
}

async function hasFeed(file: OpenFile, from: number): Promise<boolean> {
  const buffer = Buffer.alloc(256 * 1024)
  for (let position = from; ; ) {
    const bytesRead = await file.read(buffer, position)
    if (bytesRead === 0) return false
    if (buffer.subarray(0, bytesRead).includes(10)) return true
    position += bytesRead
  }
}

async function quarantine(file: OpenFile, { quarantine: directory }: SessionPaths, range: Range): Promise<string> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  for (let attempt = 0; ; attempt++) {
    const path = join(directory, `${range.from}-${attempt}`)
    try {
      await writeWhole(path, { nursery: directory, isNew: true }, bytesOf(file, range))
      return path
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw writeError(error, 'a torn end could not be put aside')
    }
  }
}

async function findLine(file: OpenFile, seq: number): Promise<{ start: number; end: number }> {
  for await (const batch of scan(file, { offset: 0, number: 1 }, { last: 0, missing: new Set() })) {
    for (const item of batch) if ('record' in item && item.record.seq === seq) return item
  }
  throw new LogError('missing', `there is no fact ${seq}`)
}

interface Range {
  from: number
  to: number
}

async function* bytesOf(file: OpenFile, { from, to }: Range): AsyncGenerator<Uint8Array, void> {
  const buffer = Buffer.alloc(256 * 1024)
  for (let position = from; position < to; ) {
    const bytesRead = await file.read(buffer.subarray(0, Math.min(buffer.length, to - position)), position)
    if (bytesRead === 0) throw new LogError('failed', 'the log ended before its last record')
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
