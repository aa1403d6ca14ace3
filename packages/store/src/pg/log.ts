import {
  type Change,
  type DoorFact,
  FACTS,
  type Fact,
  type Lease,
  LogError,
  type Recorded,
  type RunnerFact,
  type SessionInfo,
  type SessionLog,
  type SessionStart,
} from '@maru/protocol'
import { Bell } from '../bell.ts'
import { Changes } from '../changes.ts'
import { leaseLost } from '../desk.ts'
import type { Mask } from '../mask.ts'
import { createSession } from './create-session.ts'
import type { Engine, Queries } from './engine.ts'
import { eraseFact, eraseSession } from './erase-session.ts'
import { toLogError } from './errors.ts'
import { Followed } from './followed.ts'
import type { Hub, Range } from './hub.ts'
import { isHeld, Leases } from './leases.ts'
import { readFacts, readPage } from './read-facts.ts'
import { findSegments, findSession } from './session-row.ts'
import { walkSessions } from './walk-sessions.ts'
import { expectNotMoved, findTaken, keysOf } from './write-facts.ts'
import { type Decide, WriteQueue } from './write-queue.ts'

export interface PgLogOptions {
  owner: string
  hub: Hub
  now(): number
  mask?: Mask
}

/** The sessions of one owner in the database. Any number of logs, in any number of processes, may be open on them. */
export async function openPgLog(engine: Engine, options: PgLogOptions): Promise<SessionLog> {
  const log = new PgLog(engine, options)
  await log.open()
  return log
}

class PgLog implements SessionLog {
  readonly #engine: Engine
  readonly #options: PgLogOptions
  readonly #leases: Leases
  readonly #bell = new Bell()
  readonly #changes = new Changes()
  /** Up to where changes were told, of the sessions that others may write too. */
  readonly #told = new Map<string, number>()
  /** When what is said about a session was last changed, as far as that was told. */
  readonly #patchedAt = new Map<string, number>()
  readonly #followed = new Map<string, Followed>()
  readonly #queue: WriteQueue
  readonly #closing = new AbortController()
  readonly #pending = new Set<Promise<unknown>>()
  #looking: Promise<void> = Promise.resolve()
  #lookedAt = 0
  #watchers = 0
  #unsubscribe: (() => void) | undefined
  #closed: Promise<void> | undefined

  constructor(engine: Engine, options: PgLogOptions) {
    this.#engine = engine
    this.#options = options
    const { hub, owner, now, mask } = options
    this.#queue = new WriteQueue({
      now,
      mask,
      as: (work) => engine.as(owner, work),
      onWritten: (id, records) => hub.written(owner, id, records),
    })
    this.#leases = new Leases(engine, { owner, node: hub.node })
  }

  async open(): Promise<void> {
    this.#unsubscribe = await this.#options.hub.subscribe(this.#options.owner, {
      onWritten: (id, records) => {
        this.#told.set(id, Math.max(this.#told.get(id) ?? 0, records.at(-1)?.seq ?? 0))
        this.#changes.add(id, records)
        this.#followed.get(id)?.add(records)
        this.#bell.ring(id)
      },
      onErased: (id, mark) => {
        this.#changes.add(id, [mark])
        this.#forget(id)
      },
      onGone: (id) => {
        this.#told.delete(id)
        this.#patchedAt.delete(id)
        this.#changes.addGone(id)
        this.#forget(id)
      },
      onPatched: (id, at) => {
        this.#patchedAt.set(id, at)
        this.#changes.addPatched(id)
      },
      onOutside: (id, ranges) => {
        this.#forget(id)
        if (this.#watchers > 0) this.#look(() => this.#tell(id, ranges))
      },
      onGap: () => {
        for (const followed of this.#followed.values()) followed.forget()
        this.#bell.ring(ANY)
        if (this.#watchers > 0) this.#look(() => this.#lookAround())
      },
    })
  }

  create(id: string, start: SessionStart): Promise<Recorded> {
    const { now, mask } = this.#options
    return this.#inTurn(id, async () => {
      const record = await this.#as((db) => createSession(db, id, { start, at: now(), mask }))
      this.#options.hub.written(this.#options.owner, id, [record])
      return record
    })
  }

  async *list(): AsyncGenerator<SessionInfo, void> {
    const pages = walkSessions((work) => this.#guard(() => this.#read(work)))
    for await (const { info } of pages) yield info
  }

  lease(id: string): Promise<Lease> {
    return this.#guard(() => this.#leases.take(id))
  }

  admit(id: string, fact: DoorFact): Promise<Recorded> {
    return this.#write(id, async (db, { session, records }) => {
      expectWriter(fact, 'door')
      expectNotMoved(session)
      const keys = keysOf(fact)
      const beside = records.find((record) => keysOf(record).some((key) => keys.includes(key)))
      if (beside) return { facts: [], result: () => beside }
      const existing = await findTaken(db, session, keys)
      if (existing === undefined) return { facts: [fact], result: ([record]) => record as Recorded }
      const [record] = await readPage(db, await findSegments(db, session), existing - 1, 1)
      if (record?.seq !== existing) throw new LogError('failed', `session ${id} lost the record that has this key`)
      return { facts: [], result: () => record }
    })
  }

  append(id: string, holder: { epoch: number; expect: number }, facts: RunnerFact[]): Promise<Recorded[]> {
    return this.#write(id, async (db, { session }) => {
      for (const fact of facts) expectWriter(fact, 'runner')
      if (!(await isHeld(db, session.no, holder.epoch))) throw leaseLost(holder.epoch)
      expectNotMoved(session)
      if (session.runner !== holder.expect) {
        const message = `a runner wrote up to ${session.runner}, this one knows only ${holder.expect}`
        throw new LogError('conflict', message, { details: { last: session.runner } })
      }
      if (facts.slice(0, -1).some(({ type }) => type === 'session-move')) {
        throw new LogError('rejected', 'nothing may follow "session-move"')
      }
      return { facts, result: (records) => records }
    }).catch((error: unknown) => {
      // There is nothing left to run: to the runner that is a lost lease.
      if (error instanceof LogError && error.code === 'missing') throw leaseLost(holder.epoch)
      throw error
    })
  }

  async *read(id: string, after = 0): AsyncGenerator<Recorded, void> {
    const pages = readFacts(this.#engine, { owner: this.#options.owner, id, after })
    try {
      for await (const page of pages) yield* page
    } catch (error) {
      throw toLogError(error)
    }
  }

  async *follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<Recorded, void> {
    const over = AbortSignal.any([signal, this.#closing.signal])
    // Waiting for a fact is work: the process stays for it.
    const alive = setInterval(() => undefined, 2 ** 30)
    const followed = this.#followed.get(id) ?? new Followed()
    this.#followed.set(id, followed)
    followed.users++
    let last = after
    let no: number | undefined
    try {
      while (!over.aborted) {
        const seen = [this.#bell.count(id), this.#bell.count(ANY)] as const
        let page = no === undefined ? undefined : followed.after(last)
        if (!page) {
          const found = await this.#behind(id, { after: last, no })
          if (!found) return
          no = found.no
          page = found.page
        }
        for (const record of page) {
          if (over.aborted) return
          last = record.seq
          yield record
        }
        if (page.length === 0) await this.#ringAfter(id, seen, over)
      }
    } finally {
      clearInterval(alive)
      if (--followed.users === 0) this.#followed.delete(id)
    }
  }

  watch(cursor: string | undefined, signal: AbortSignal): AsyncIterable<Change> {
    // The position is taken now, not when the first change is asked for.
    const over = AbortSignal.any([signal, this.#closing.signal])
    const changes = this.#changes.watch(this.#changes.position(cursor), over)
    if (over.aborted) return changes
    if (this.#watchers++ === 0) this.#lookedAt = 0
    over.addEventListener('abort', () => this.#watchers--, { once: true })
    return changes
  }

  erase(id: string, seq?: number): Promise<void> {
    const { hub, owner } = this.#options
    return this.#inTurn(id, async () => {
      if (seq === undefined) {
        await this.#as(async (db) => {
          await eraseSession(db, id)
          this.#engine.noteErasing()
        })
        hub.gone(owner, id)
        return
      }
      const mark = await this.#as(async (db) => {
        const erased = await eraseFact(db, id, seq)
        if (erased) this.#engine.noteErasing()
        return erased
      })
      if (mark) hub.erased(owner, id, mark)
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    this.#unsubscribe?.()
    await Promise.allSettled([...this.#pending, this.#looking])
    await this.#leases.releaseAll()
  }

  #write<T>(id: string, decide: Decide<T>): Promise<T> {
    const settled = this.#guard(() => this.#queue.add(id, decide))
    // One flush at a time for a session; it settles what it wrote, so its own end tells nothing.
    void this.#options.hub.inTurn(this.#options.owner, id, () => this.#queue.flush(id))
    return settled
  }

  #forget(id: string): void {
    this.#followed.get(id)?.forget()
    this.#bell.ring(id)
  }

  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const { hub, owner } = this.#options
    return this.#guard(() => hub.inTurn(owner, id, work))
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen()
    const working = work()
    this.#pending.add(working)
    try {
      return await working
    } catch (error) {
      throw toLogError(error)
    } finally {
      this.#pending.delete(working)
    }
  }

  #as<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#engine.as(this.#options.owner, work)
  }

  #read<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#engine.read(this.#options.owner, work)
  }

  async #behind(id: string, place: { after: number; no: number | undefined }) {
    try {
      return await this.#read((db) => readBehind(db, id, place))
    } catch (error) {
      // Erased, or closed, while it was followed: nothing will come any more.
      const isOver = this.#closing.signal.aborted || (error instanceof LogError && error.code === 'missing')
      if (place.no !== undefined && isOver) return undefined
      throw toLogError(error)
    }
  }

  async #ringAfter(id: string, seen: readonly [number, number], signal: AbortSignal): Promise<void> {
    const first = new AbortController()
    const either = AbortSignal.any([signal, first.signal])
    await Promise.race([this.#bell.after(id, seen[0], either), this.#bell.after(ANY, seen[1], either)])
    first.abort()
  }

  // One look after the other, so that nothing is told twice.
  #look(work: () => Promise<void>): void {
    // A database that does not answer now is asked again before long.
    this.#looking = this.#looking.then(work).catch(() => undefined)
  }

  // Each node announces what it wrote itself, so that together they tell of everything once.
  async #tell(id: string, ranges: Range[]): Promise<void> {
    for (const [first, last] of ranges) {
      this.#told.set(id, Math.max(this.#told.get(id) ?? 0, last))
      for await (const record of this.read(id, first - 1)) {
        if (record.seq > last) break
        this.#changes.add(id, [record])
      }
    }
  }

  async #lookAround(): Promise<void> {
    const [clock] = await this.#read((db) => db.query<{ now: number }>('select clock_timestamp() as now', []))
    const since = this.#lookedAt
    this.#lookedAt = (clock?.now ?? 0) - OVERLAP_MS
    if (since === 0) return
    const changed = await this.#read((db) =>
      db.query<Touched>(
        `select c.id, c.head, case when c.changed_at > f.at then c.changed_at end as patched_at from maru.conversation c
         join maru.fact f on f.owner = maru.uid() and f.session = c.no and f.seq = c.head
         where c.owner = maru.uid() and c.id is not null
           and c.touched_at > to_timestamp($1::float8 / 1000) and c.touched_at < clock_timestamp() - interval '2 s'`,
        [since],
      ),
    )
    for (const { id, head, patched_at } of changed) {
      const told = this.#told.get(id) ?? head - 1
      if (told < head) await this.#tell(id, [[told + 1, head]])
      if (patched_at === null || patched_at <= (this.#patchedAt.get(id) ?? 0)) continue
      this.#patchedAt.set(id, patched_at)
      this.#changes.addPatched(id)
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new LogError('closed', 'this log was closed')
  }
}

// Rung when anything may have changed.
const ANY = '\0any'
// A transaction is seen only after its clock was read.
const OVERLAP_MS = 30_000

interface Touched {
  id: string
  head: number
  /** Where what is said about it was changed behind its last fact. */
  patched_at: number | null
}

async function readBehind(
  db: Queries,
  id: string,
  { after, no }: { after: number; no: number | undefined },
): Promise<{ no: number; page: Recorded[] } | undefined> {
  const session = await findSession(db, id)
  if (no !== undefined && session.no !== no) return undefined
  if (session.head <= after) return { no: session.no, page: [] }
  return { no: session.no, page: await readPage(db, await findSegments(db, session), after) }
}

function expectWriter(fact: Fact, by: 'door' | 'runner'): void {
  const rule = Object.hasOwn(FACTS, fact.type) ? FACTS[fact.type] : undefined
  if (rule && rule.by !== by) throw new LogError('rejected', `"${fact.type}" is not for a ${by} to write`)
}
