import { mkdirSync, watch } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LogError, type Projection } from '@maru/protocol'
import { type Head, head } from '../head.ts'
import type { Held, Medium, Tail } from '../medium.ts'
import { HeldFile, type Repair, removeSession } from './held-file.ts'
import { writeError } from './line-writer.ts'
import { isErrno, openLog, sessionOf, sessionPaths } from './paths.ts'
import { lockPath } from './process-lock.ts'
import { createSnapshots } from './snapshots.ts'
import { FileTail } from './tail.ts'
import { walk } from './walk.ts'
import { writeWhole } from './write-whole.ts'

/** Logs as files of a directory, `<id>.jsonl` with `<id>/` beside it, readable by their owner alone. */
export class JsonlMedium implements Medium {
  readonly #directory: string
  readonly #onRepair: (repair: Repair) => void

  constructor(directory: string, onRepair: (repair: Repair) => void) {
    this.#directory = directory
    this.#onRepair = onRepair
  }

  async exists(id: string): Promise<boolean> {
    const found = await stat(sessionPaths(this.#directory, id).log).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return undefined
      throw error
    })
    return found !== undefined
  }

  async create(id: string, lines: AsyncIterable<string[]>): Promise<void> {
    const { log, side } = sessionPaths(this.#directory, id)
    try {
      await mkdir(dirname(log), { recursive: true, mode: 0o700 })
      await writeWhole(log, { nursery: side, isNew: true }, async (file) => {
        for await (const batch of lines) await file.writeFile(batch.map((line) => `${line}\n`).join(''))
      })
    } catch (error) {
      if (isErrno(error, 'EEXIST')) throw new LogError('exists', `there is a session ${id} already`, { cause: error })
      throw writeError(error, `session ${id} could not be made`)
    }
  }

  async hold(id: string): Promise<Held> {
    const paths = sessionPaths(this.#directory, id)
    const lock = await this.#lock(id, paths.log)
    try {
      return await HeldFile.open(paths, { id, lock, onRepair: this.#onRepair })
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
    return FileTail.open(sessionPaths(this.#directory, id).log, id, after)
  }

  async head(id: string): Promise<Head> {
    return this.project(id, head)
  }

  /** A state read from the log, with help from the snapshot that its last writer left. */
  async project<S>(id: string, projection: Projection<S>): Promise<S> {
    const { log, snapshots } = sessionPaths(this.#directory, id)
    const file = await openLog(log, id, 'r')
    try {
      return (await walk(file, projection, createSnapshots(snapshots))).state
    } finally {
      await file.close()
    }
  }

  async *ids(): AsyncGenerator<string, void> {
    const names = await readdir(this.#directory).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return []
      throw error
    })
    for (const name of names) {
      const id = sessionOf(name)
      if (id !== undefined) yield id
    }
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
    const { log } = sessionPaths(this.#directory, id)
    const stopWatching = watchPath(log, () => listener(id))
    const stopPolling = pollFile(log, () => listener(id))
    return () => {
      stopWatching()
      stopPolling()
    }
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

// Watching misses changes on some file systems, and a file that was replaced. The timer also keeps a process alive that
// has nothing else to do than to follow.
function pollFile(path: string, listener: () => void): () => void {
  let seen = ''
  const look = async () => {
    const now = await stat(path).then(
      ({ ino, size, mtimeMs }) => `${ino}:${size}:${mtimeMs}`,
      () => 'gone',
    )
    if (seen !== '' && now !== seen) listener()
    seen = now
  }
  void look()
  const timer = setInterval(() => void look(), POLL_MS)
  return () => clearInterval(timer)
}
