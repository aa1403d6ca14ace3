import { mkdirSync, readdirSync, rmdirSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { LogError, type Projection } from '@maru/protocol'
import { type Head, head } from '../head.ts'
import type { Held, Medium, Tail } from '../medium.ts'
import { HeldFile, type Repair, removeSession } from './held-file.ts'
import { writeError } from './line-writer.ts'
import type { OpenFile } from './open-file.ts'
import { isErrno, openLog, type SessionPaths, sessionOf, sessionPaths } from './paths.ts'
import { isLocked, lockPath } from './process-lock.ts'
import { createSnapshots, type Place } from './snapshots.ts'
import { FileTail } from './tail.ts'
import { triage, type Walked, walk } from './walk.ts'
import { writeNew, writeWhole } from './write-whole.ts'

/** What a look at a log gave: a state, as far as the log can be read. */
export interface Glance<S> {
  state: S
  seq: number
  /** Bytes of the log. */
  bytes: number
  isDamaged: boolean
}

// Below this, reading the log is as quick as reading what was left of it.
const LEAVE_FROM_BYTES = 16 * 1024

const MOST_SEEN = 4

/** Logs as files of a directory, `<id>.jsonl` with `<id>/` beside it, readable by their owner alone. */
export class JsonlMedium implements Medium {
  readonly #directory: string
  readonly #onRepair: (repair: Repair) => void
  /** Logs that this process holds, and a few lines of each log that were seen: where to begin to look. */
  readonly #held = new Map<string, HeldFile>()
  readonly #seen = new Map<string, Place[]>()

  constructor(directory: string, onRepair: (repair: Repair) => void) {
    this.#directory = directory
    this.#onRepair = onRepair
  }

  async exists(id: string): Promise<boolean> {
    return statSync(sessionPaths(this.#directory, id).log, { throwIfNoEntry: false }) !== undefined
  }

  async create(
    id: string,
    lines: AsyncIterable<string[]>,
    { isLong }: { isLong: boolean },
  ): ReturnType<Medium['create']> {
    const { log, side } = sessionPaths(this.#directory, id)
    try {
      mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
      if (!isLong) return await writeNew(log, side, bytesOf(lines))
      await writeWhole(log, { nursery: side, isNew: true }, bytesOf(lines))
      return { synced: Promise.resolve() }
    } catch (error) {
      if (isErrno(error, 'EEXIST')) throw new LogError('exists', `there is a session ${id} already`, { cause: error })
      throw writeError(error, `session ${id} could not be made`)
    }
  }

  async hold(id: string): Promise<Held> {
    const paths = sessionPaths(this.#directory, id)
    const lock = await this.#lock(id, paths.log)
    try {
      const held = await HeldFile.open(paths, { id, lock, onRepair: this.#onRepair })
      this.#held.set(id, held)
      this.#note(id, held.place)
      return held
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  async remove(id: string): Promise<void> {
    const paths = sessionPaths(this.#directory, id)
    if (!(await this.exists(id))) throw new LogError('missing', `there is no session ${id}`)
    const lock = await this.#lock(id, paths.log)
    try {
      await removeSession(paths)
    } finally {
      await lock.release()
    }
  }

  async tail(id: string, after: number): Promise<Tail> {
    const written = this.#held.get(id)?.place ?? []
    const near = (this.#seen.get(id) ?? []).concat(written).filter(({ seq }) => seq <= after)
    const known = near.reduce<Place | undefined>(
      (best, place) => (best && best.seq > place.seq ? best : place),
      undefined,
    )
    return FileTail.open(sessionPaths(this.#directory, id).log, id, { after, known })
  }

  async head(id: string): Promise<Head> {
    return this.project(id, head)
  }

  /** A state read from the log, with help from the snapshot that its last writer left. */
  async project<S>(id: string, projection: Projection<S>): Promise<S> {
    return (await this.reach(id, projection)).state
  }

  /** The same, and the last seq that it includes. */
  async reach<S>(id: string, projection: Projection<S>): Promise<{ state: S; seq: number }> {
    const { log, snapshots } = sessionPaths(this.#directory, id)
    const file = openLog(log, id, 'r')
    try {
      const { state, place } = await walk(file, projection, createSnapshots(snapshots))
      this.#note(id, place)
      return { state, seq: place.seq }
    } finally {
      file.close()
    }
  }

  /** For whoever looks at many logs: what took long to read is left beside the log, for the next look. */
  async glance<S>(id: string, projection: Projection<S>): Promise<Glance<S>> {
    const paths = sessionPaths(this.#directory, id)
    const file = openLog(paths.log, id, 'r')
    try {
      const walked = await walk(file, projection, createSnapshots(paths.snapshots))
      const isDamaged = triage(walked).lasting.length > 0
      const isWorthIt = !isDamaged && !walked.lacksFeed && walked.bytes >= LEAVE_FROM_BYTES
      if (isWorthIt) await leaveState({ paths, file }, projection, walked)
      return { state: walked.state, seq: walked.place.seq, bytes: file.stat().size, isDamaged }
    } finally {
      file.close()
    }
  }

  /** Whether some process, this one too, has the right to write. */
  async isHeld(id: string): Promise<boolean> {
    return isLocked(sessionPaths(this.#directory, id).log).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return false
      throw error
    })
  }

  /** A state that an earlier writer left, as far as it had come. */
  async load<S>(id: string, projection: Projection<S>): Promise<{ state: S; seq: number } | undefined> {
    const { log, snapshots } = sessionPaths(this.#directory, id)
    const file = openLog(log, id, 'r')
    try {
      const loaded = await createSnapshots(snapshots).load(projection, file)
      if (loaded) this.#note(id, loaded.place)
      return loaded && { state: loaded.state, seq: loaded.place.seq }
    } finally {
      file.close()
    }
  }

  /** Leaves a state for whoever opens the log next. */
  keep<S>(id: string, projection: Projection<S>, reached: { state: S; seq: number }): void {
    this.#held.get(id)?.keep(projection, reached)
  }

  #note(id: string, place: Place): void {
    const others = (this.#seen.get(id) ?? []).filter(({ seq }) => seq !== place.seq)
    if (place.seq > 0) this.#seen.set(id, [...others, { ...place }].slice(-MOST_SEEN))
  }

  ids(): string[] {
    return readNames(this.#directory).flatMap((name) => sessionOf(name) ?? [])
  }

  onOutsideChange(id: string | undefined, listener: (id: string) => void): () => void {
    if (id === undefined) {
      // What is not there cannot be watched, and the first session would go unnoticed.
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      return watchPath(this.#directory, (name) => {
        const changed = name === null ? undefined : sessionOf(name)
        if (changed !== undefined) listener(changed)
      })
    }
    return watchFile(sessionPaths(this.#directory, id).log, () => listener(id))
  }

  async #lock(id: string, log: string): Promise<{ release(): Promise<void> }> {
    const lock = await lockPath(log).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) throw new LogError('missing', `there is no session ${id}`, { cause: error })
      throw error
    })
    if ('release' in lock) return lock
    const { pid, since } = lock.heldBy
    const who = pid ? ` by process ${pid}${since ? ` since ${new Date(since).toISOString()}` : ''}` : ''
    const message = `session ${id} is being written${who}: it can be read and followed meanwhile`
    throw new LogError('held', message, { details: { ...(pid && { pid }), ...(since && { since }) } })
  }
}

async function leaveState<S>(
  { paths, file }: { paths: SessionPaths; file: OpenFile },
  projection: Projection<S>,
  { state, place }: Walked<S>,
): Promise<void> {
  const snapshots = createSnapshots(paths.snapshots)
  // Only a cache: whatever is in its way, the next look reads the log again.
  await snapshots.leave(projection, file, { state, place }).catch(() => undefined)
  const there = statSync(paths.log, { throwIfNoEntry: false })
  const here = file.stat()
  if (there?.ino === here.ino && there.dev === here.dev) return
  // Something was erased meanwhile, and may stand in what was left.
  await snapshots.clear()
  if (!there) removeEmpty(paths.side)
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY')) throw error
  }
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

async function* bytesOf(lines: AsyncIterable<string[]>): AsyncGenerator<Uint8Array, void> {
  for await (const batch of lines) yield Buffer.from(batch.map((line) => `${line}\n`).join(''))
}

function watchPath(path: string, listener: (name: string | null) => void): () => void {
  try {
    const watcher = watch(path, { persistent: false }, (_event, name) => listener(name))
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch (error) {
    // No watches left, or gone meanwhile: a file is polled as well; a directory then tells of this process only.
    if (isErrno(error, 'ENOSPC', 'EMFILE', 'ENOENT')) return () => undefined
    throw error
  }
}

const POLL_MS = 250
// Whoever begins to follow is often about to write by itself, and then need not watch.
const WATCH_AFTER_MS = 20

// Watching misses changes on some file systems, and a file that was replaced: so it is polled as well.
function watchFile(path: string, listener: () => void): () => void {
  let stopWatching: (() => void) | undefined
  let seen = look(path)
  const poll = () => {
    const now = look(path)
    if (now !== seen) listener()
    seen = now
  }
  const polling = setInterval(poll, POLL_MS)
  const starting = setTimeout(() => {
    stopWatching = watchPath(path, listener)
    poll()
  }, WATCH_AFTER_MS)
  return () => {
    clearTimeout(starting)
    clearInterval(polling)
    stopWatching?.()
  }
}

function look(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.ino}:${found.size}:${found.mtimeMs}` : 'gone'
}
