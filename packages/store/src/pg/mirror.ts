import { readdirSync, statSync } from 'node:fs'
import { LogError, type Recorded, type SessionLog } from '@maru/protocol'
import { hashesIn } from '../erase.ts'
import { head } from '../head.ts'
import { type JsonlStore, openJsonlStore } from '../jsonl/jsonl-store.ts'
import type { LineCursor } from '../jsonl/lines.ts'
import { OpenFile } from '../jsonl/open-file.ts'
import { isErrno, sessionOf, sessionPaths } from '../jsonl/paths.ts'
import { type Found, scan } from '../jsonl/scan.ts'
import type { Queries } from './engine.ts'
import type { History, OwnHistory } from './history.ts'

export interface MirrorOptions {
  /** Where the sessions lie, as files. */
  directory: string
  /** A name for that place: of what several places put into one history, each takes away only its own. */
  source: string
  signal: AbortSignal
  onProgress?(progress: { done: number; total: number }): void
}

/** What a mirroring did. */
export interface Mirrored {
  sessions: number
  facts: number
  gone: number
  problems: { id: string; problem: string }[]
}

/**
 * Brings the sessions of a directory into the history, as far as they are not there: new ones, what was added to others,
 * what was erased from them; and takes those away that are gone. What was done stays done when it is interrupted.
 */
export async function mirrorSessions(history: History, own: OwnHistory, options: MirrorOptions): Promise<Mirrored> {
  const mirror = new Mirror(history, own, options)
  await mirror.run()
  return mirror.result
}

/**
 * Lets a session that a file keeps go on here: the file is frozen, under its own lock, and what is here may be written.
 * Whoever dies between the two leaves what the next mirroring brings to its end. `held` while somebody works on the file.
 */
export async function moveSession(
  history: History,
  own: OwnHistory,
  { id, ...place }: Pick<MirrorOptions, 'directory' | 'source'> & { id: string },
): Promise<void> {
  const files = openJsonlStore({ directory: place.directory, now: Date.now })
  try {
    const { epoch, last } = await files.log.lease(id)
    await files.log.append(id, { epoch, expect: last }, [{ type: 'session-move', to: 'store' }])
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'moved')) throw error
  } finally {
    await files.log.close()
  }
  const mirror = new Mirror(history, own, { ...place, signal: new AbortController().signal })
  await mirror.runOne(id)
  const [problem] = mirror.result.problems
  if (problem) throw new LogError('damaged', problem.problem)
}

interface Known {
  id: string
  inode: string
  size: number
  changed: number
  place: number
  line: number
  seq: number
  /** The session goes on here, and the file is what stayed behind. */
  is_moved: boolean
}

type Looks = Pick<Known, 'inode' | 'size' | 'changed'>

class Mirror {
  readonly result: Mirrored = { sessions: 0, facts: 0, gone: 0, problems: [] }
  readonly #history: History
  readonly #own: OwnHistory
  readonly #options: MirrorOptions
  readonly #files: JsonlStore
  readonly #known = new Map<string, Known>()
  readonly #left = new Set<string>()

  constructor(history: History, own: OwnHistory, options: MirrorOptions) {
    this.#history = history
    this.#own = own
    this.#options = options
    this.#files = openJsonlStore({ directory: options.directory, now: Date.now })
  }

  async run(): Promise<void> {
    const { directory, signal, onProgress } = this.#options
    await this.#loadKnown()
    const there = idsIn(directory)
    for (const id of there) if (this.#hasChanged(id)) this.#left.add(id)
    const total = this.#left.size
    for (const id of [...this.#left]) {
      if (signal.aborted) return
      await this.#bring(id)
      onProgress?.({ done: total - this.#left.size, total })
    }
    const names = new Set(there)
    for (const id of this.#known.keys()) {
      if (signal.aborted) return
      if (!names.has(id)) await this.#takeAway(id)
    }
  }

  async runOne(id: string): Promise<void> {
    await this.#loadKnown()
    this.#left.add(id)
    await this.#bring(id)
  }

  async #loadKnown(): Promise<void> {
    const rows = await this.#history.engine.read(this.#own.owner, (db) =>
      db.query<Known>(
        'select id, inode, size, changed, place, line, seq, is_moved from maru.mirror where owner = maru.uid() and source = $1',
        [this.#options.source],
      ),
    )
    for (const row of rows) this.#known.set(row.id, row)
  }

  #hasChanged(id: string): boolean {
    const known = this.#known.get(id)
    if (known?.is_moved) return false
    const looks = looksOf(sessionPaths(this.#options.directory, id).log)
    if (!looks) return false
    return looks.inode !== known?.inode || looks.size !== known.size || looks.changed !== known.changed
  }

  // One that cannot be read is named, and the others come all the same.
  async #bring(id: string): Promise<void> {
    if (!this.#left.delete(id)) return
    try {
      await this.#copy(id)
      this.result.sessions++
    } catch (error) {
      if (!(error instanceof LogError) || error.code === 'failed' || error.code === 'full') throw error
      this.result.problems.push({ id, problem: error.message })
    }
  }

  async #copy(id: string): Promise<void> {
    const path = sessionPaths(this.#options.directory, id).log
    // Before it is read: what is added meanwhile is seen the next time.
    const looks = looksOf(path)
    if (!looks) return
    const file = new OpenFile(path, 'r')
    try {
      await this.#copyFrom(file, id, looks)
    } finally {
      file.close()
    }
  }

  async #copyFrom(file: OpenFile, id: string, looks: Looks): Promise<void> {
    const known = this.#known.get(id)
    // Erasing one fact puts another file in its place.
    const isSame = known !== undefined && known.inode === looks.inode && known.place <= looks.size
    if (!isSame) await this.#expectSame(id, known !== undefined)
    const base = isSame ? 0 : await this.#findBase(id)
    const read = { ...(isSame ? known : START), ...looks, id }
    const erased: number[] = []
    let problem: string | undefined
    const cursor: LineCursor = { offset: read.place, number: read.line }
    for await (const batch of scan(file, cursor, { last: read.seq, missing: new Set() })) {
      if (this.#options.signal.aborted) return
      const damaged = batch.findIndex((item) => 'damage' in item)
      const sound = (damaged < 0 ? batch : batch.slice(0, damaged)) as Found[]
      const broken = batch[damaged]
      if (broken && 'damage' in broken) problem = `line ${broken.damage.line}: ${broken.damage.problem}`
      const last = sound.at(-1)
      if (last) Object.assign(read, { place: last.end, line: last.line + 1, seq: last.record.seq })
      // That it moved is said in the file alone: here it goes on.
      const records = sound.map(({ record }) => record).filter(({ type }) => type !== 'session-move')
      if (records.length < sound.length) read.is_moved = true
      for (const { type, seq } of records) if (type === 'erased') erased.push(seq)
      await this.#store(
        id,
        records.filter(({ seq }) => seq > base),
        { ...read, size: UNFINISHED, is_moved: false },
      )
      if (problem !== undefined) break
    }
    if (!isSame) for (const seq of erased) await this.#own.log.erase(id, seq)
    await this.#own.copy(id, { records: [], beside: (db) => this.#note(db, read) })
    if (problem !== undefined) throw new LogError('damaged', problem)
  }

  async #store(id: string, records: Recorded[], read: Known): Promise<void> {
    const contents: Uint8Array[] = []
    for (const hash of new Set(records.flatMap((record) => [...hashesIn(record)]))) {
      const bytes = await this.#files.blobs.get(id, hash)
      if (bytes) contents.push(bytes)
    }
    const added = await this.#own.copy(id, { records, contents, beside: (db) => this.#note(db, read) })
    this.result.facts += added.length
  }

  /** How many facts of a fork's file are read through its parent: all before its own, where the parent is here. */
  async #findBase(id: string): Promise<number> {
    const { start } = await this.#files.project(id, head)
    const forkOf = start?.forkOf
    if (!forkOf) return 0
    await this.#bring(forkOf.id)
    const [here, there] = await Promise.all([
      factBehind(this.#own.log, forkOf.id, forkOf.seq - 1),
      factBehind(this.#files.log, id, forkOf.seq - 1),
    ])
    return here && JSON.stringify(here) === JSON.stringify(there) ? forkOf.seq : 0
  }

  // The same name may have been given to another session since, here or at another place.
  async #expectSame(id: string, isOurs: boolean): Promise<void> {
    const [here, there] = await Promise.all([
      factBehind(this.#own.log, id, 0),
      factBehind(this.#files.log, id, 0).catch(() => undefined),
    ])
    if (!here || !there || here.at === there.at) return
    if (!isOurs) throw new LogError('exists', 'another session of this name is in the history')
    await this.#own.log.erase(id)
  }

  async #note(db: Queries, { id, inode, size, changed, place, line, seq, is_moved }: Known): Promise<void> {
    await db.query(
      `insert into maru.mirror (source, id, inode, size, changed, place, line, seq, is_moved)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (owner, source, id) do update set
         inode = $3, size = $4, changed = $5, place = $6, line = $7, seq = $8, is_moved = $9`,
      [this.#options.source, id, inode, size, changed, place, line, seq, is_moved],
    )
    // While the file is the log, nothing may be written here.
    await db.query('update maru.conversation set is_moved = not $2 where owner = maru.uid() and id = $1', [
      id,
      is_moved,
    ])
  }

  async #takeAway(id: string): Promise<void> {
    if (!this.#known.get(id)?.is_moved) await this.#eraseHere(id)
    await this.#history.engine.as(this.#own.owner, (db) =>
      db.query('delete from maru.mirror where owner = maru.uid() and source = $1 and id = $2', [
        this.#options.source,
        id,
      ]),
    )
    this.result.gone++
  }

  async #eraseHere(id: string): Promise<void> {
    await this.#own.log.erase(id).catch((error: unknown) => {
      if (!(error instanceof LogError && error.code === 'missing')) throw error
    })
  }
}

const START = { place: 0, line: 1, seq: 0, is_moved: false }
// No file has this size: the next time it is looked at again.
const UNFINISHED = -1

async function factBehind(log: SessionLog, id: string, after: number): Promise<Recorded | undefined> {
  try {
    for await (const record of log.read(id, after)) return record
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'missing')) throw error
  }
  return undefined
}

function idsIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .flatMap((name) => sessionOf(name) ?? [])
      .toSorted()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

function looksOf(path: string): Looks | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) return undefined
  return { inode: `${found.dev}:${found.ino}`, size: found.size, changed: found.mtimeMs }
}
