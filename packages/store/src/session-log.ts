import {
  admissionKeys,
  type BlobStore,
  type DoorFact,
  FACT_VERSION,
  FACTS,
  factProblem,
  type Lease,
  LogError,
  printRecord,
  type Recorded,
  type SessionInfo,
  type SessionLog,
  type SessionStart,
} from '@maru/protocol'
import { Bell } from './bell.ts'
import { Changes } from './changes.ts'
import { Desk } from './desk.ts'
import { type Mask, maskFact } from './mask.ts'
import type { Medium } from './medium.ts'

export interface SessionLogOptions {
  now(): number
  /** Applied to every text before it is stored or given back. */
  mask?: Mask
  /** Where content lives, so that forks share it and erasure reaches it. */
  blobs?: BlobStore
}

/** A session log over a medium: the same rules whether the lines are kept in memory or in files. */
export function createSessionLog(medium: Medium, options: SessionLogOptions): SessionLog {
  return new MediumSessionLog(medium, options)
}

class MediumSessionLog implements SessionLog {
  readonly #medium: Medium
  readonly #options: SessionLogOptions
  readonly #bell = new Bell()
  readonly #changes = new Changes()
  readonly #desks = new Map<string, { desk: Promise<Desk>; users: number }>()
  /** Desks on their way out: the next one must wait for the hold. */
  readonly #leaving = new Map<string, Promise<void>>()
  readonly #epochs = new Map<string, number>()
  /** Up to where each session's changes have been told. */
  readonly #told = new Map<string, number>()
  #stopOutsideWatch: (() => void) | undefined
  #closed = false

  constructor(medium: Medium, options: SessionLogOptions) {
    this.#medium = medium
    this.#options = options
  }

  async create(id: string, start: SessionStart): Promise<Recorded> {
    this.#checkOpen()
    const { now, mask, blobs } = this.#options
    const fact = { type: 'session-start', ...start } as const
    const problem = factProblem(fact)
    if (problem !== undefined) throw new LogError('rejected', `this session cannot be started: ${problem}`)
    const { forkOf } = start
    const seq = (forkOf?.seq ?? 0) + 1
    const record: Recorded = { seq, at: now(), v: FACT_VERSION, ...(mask ? maskFact(fact, mask) : fact) }
    if (forkOf) await blobs?.share(forkOf.id, id)
    const told = this.#told.get(id)
    // Ours, before the file appears: who watches the directory must not tell of it a second time.
    this.#told.set(id, seq)
    try {
      await this.#medium.create(id, this.#opening(forkOf, record))
    } catch (error) {
      if (told === undefined) this.#told.delete(id)
      else this.#told.set(id, told)
      throw error
    }
    this.#announce(id, [record])
    return record
  }

  async *list(): AsyncGenerator<SessionInfo, void> {
    for await (const id of this.#medium.ids()) {
      const { start, title, startedAt, changedAt } = await this.#medium.head(id)
      if (start) yield { id, startedAt, changedAt, start, ...(title !== undefined && { title }) }
    }
  }

  async lease(id: string): Promise<Lease> {
    const desk = await this.#enter(id)
    try {
      const { unknown, moved } = desk.head
      if (desk.lease) throw new LogError('held', `session ${id} is already running here`)
      if (moved) throw new LogError('moved', `session ${id} goes on in the store: open it there`)
      if (unknown) {
        const message = `session ${id} holds "${unknown.kind}" at ${unknown.seq}, which this version can show but not run`
        throw new LogError('newer', message, { details: { ...unknown } })
      }
    } catch (error) {
      await this.#leave(id)
      throw error
    }
    const epoch = (this.#epochs.get(id) ?? 0) + 1
    this.#epochs.set(id, epoch)
    desk.lease = { epoch }
    return {
      epoch,
      last: desk.head.lastByRunner,
      renew: async () => {
        if (desk.lease?.epoch !== epoch) throw new LogError('conflict', `lease ${epoch} on session ${id} is over`)
      },
      release: async () => {
        if (desk.lease?.epoch !== epoch) return
        desk.lease = undefined
        await this.#leave(id)
      },
    }
  }

  async admit(id: string, fact: DoorFact): Promise<Recorded> {
    const { records, existing } = await this.#at(id, (desk) => desk.admit(fact))
    const record = existing === undefined ? records[0] : await this.#one(id, existing)
    if (!record) throw new LogError('failed', `session ${id} lost the record that has this key`)
    return record
  }

  async append(id: string, ...[holder, facts]: Parameters<Desk['append']>): Promise<Recorded[]> {
    // Only the holder of a lease has a desk here: opening one for somebody without would take the log away from others.
    const desk = await this.#desks.get(id)?.desk
    if (!desk) throw new LogError('conflict', `this runner no longer holds the session (lease ${holder.epoch})`)
    return (await desk.append(holder, facts)).records
  }

  async *read(id: string, after = 0): AsyncGenerator<Recorded, void> {
    const tail = await this.#medium.tail(id, after)
    try {
      for await (const batch of tail.drain()) yield* batch
    } finally {
      await tail.close()
    }
  }

  async *follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<Recorded, void> {
    const tail = await this.#medium.tail(id, after)
    const stop = this.#medium.onOutsideChange(id, () => this.#bell.ring(id))
    try {
      while (!signal.aborted) {
        const seen = this.#bell.count(id)
        for await (const batch of tail.drain()) {
          for (const record of batch) {
            if (signal.aborted) return
            yield record
          }
        }
        if (tail.gone) return
        await this.#bell.after(id, seen, signal)
      }
    } finally {
      stop()
      await tail.close()
    }
  }

  watch(cursor: string | undefined, signal: AbortSignal): ReturnType<SessionLog['watch']> {
    this.#stopOutsideWatch ??= this.#watchOutside()
    // The position is taken now, not when the first change is asked for.
    return this.#changes.watch(this.#changes.position(cursor), signal)
  }

  async erase(id: string, seq?: number): Promise<void> {
    const { blobs } = this.#options
    await this.#at(id, (desk) =>
      desk.alone(async (held) => {
        if (seq === undefined) {
          await held.remove()
          await blobs?.release(id)
          return
        }
        const record = await this.#one(id, seq)
        if (!record) throw new LogError('missing', `session ${id} has no fact ${seq}`)
        if (record.type === 'erased') return
        await held.replace(seq, printRecord(tombstone(record)))
        if (blobs) await this.#releaseUnused(id, record, blobs)
      }),
    )
    this.#bell.ring(id)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stopOutsideWatch?.()
    this.#stopOutsideWatch = undefined
    const desks = [...this.#desks.values()]
    this.#desks.clear()
    for (const { desk } of desks) {
      // A desk that never opened has nothing to let go of; its opener was told why.
      const opened = await desk.catch(() => undefined)
      if (opened) opened.lease = undefined
      await opened?.release()
    }
  }

  async *#opening(forkOf: SessionStart['forkOf'], record: Recorded): AsyncGenerator<string[], void> {
    let copied = 0
    if (forkOf) {
      for await (const fact of this.read(forkOf.id)) {
        if (copied === forkOf.seq) break
        yield [printRecord(fact)]
        copied = fact.seq
      }
      if (copied !== forkOf.seq) {
        throw new LogError('rejected', `session ${forkOf.id} has ${copied} facts: it cannot be forked at ${forkOf.seq}`)
      }
    }
    yield [printRecord(record)]
  }

  async #one(id: string, seq: number): Promise<Recorded | undefined> {
    for await (const record of this.read(id, seq - 1)) return record.seq === seq ? record : undefined
    return undefined
  }

  async #releaseUnused(id: string, record: Recorded, blobs: BlobStore): Promise<void> {
    const unused = hashesIn(record)
    if (unused.size === 0) return
    for await (const other of this.read(id)) for (const hash of hashesIn(other)) unused.delete(hash)
    for (const hash of unused) await blobs.release(id, hash)
  }

  async #at<T>(id: string, work: (desk: Desk) => Promise<T>): Promise<T> {
    const desk = await this.#enter(id)
    try {
      return await work(desk)
    } finally {
      await this.#leave(id)
    }
  }

  async #enter(id: string): Promise<Desk> {
    this.#checkOpen()
    const entry = this.#desks.get(id) ?? { desk: this.#open(id), users: 0 }
    this.#desks.set(id, entry)
    entry.users++
    try {
      return await entry.desk
    } catch (error) {
      if (this.#desks.get(id) === entry) this.#desks.delete(id)
      throw error
    }
  }

  async #open(id: string): Promise<Desk> {
    const { now, mask } = this.#options
    await this.#leaving.get(id)
    const held = await this.#medium.hold(id)
    return new Desk(held, { now, mask, onWritten: (records) => this.#announce(id, records) })
  }

  async #leave(id: string): Promise<void> {
    const entry = this.#desks.get(id)
    if (!entry || --entry.users > 0) return
    this.#desks.delete(id)
    const leaving = (await entry.desk).release().finally(() => this.#leaving.delete(id))
    this.#leaving.set(id, leaving)
    await leaving
  }

  #announce(id: string, records: Recorded[]): void {
    this.#told.set(id, records.at(-1)?.seq ?? 0)
    this.#changes.add(id, records)
    this.#bell.ring(id)
  }

  #watchOutside(): () => void {
    const pending = new Set<string>()
    let running = Promise.resolve()
    const catchUp = async (id: string) => {
      pending.delete(id)
      if (this.#closed || this.#desks.has(id)) return
      const told = this.#told.get(id) ?? (await this.#medium.head(id)).last - 1
      for await (const record of this.read(id, told)) {
        this.#told.set(id, record.seq)
        this.#changes.add(id, [record])
      }
    }
    return this.#medium.onOutsideChange(undefined, (id) => {
      if (pending.has(id)) return
      pending.add(id)
      // A log that cannot be read now has no changes to tell; opening it says why.
      running = running.then(() => catchUp(id)).catch(() => undefined)
    })
  }

  #checkOpen(): void {
    if (this.#closed) throw new LogError('closed', 'this log was closed')
  }
}

function tombstone(record: Recorded): Recorded {
  if (record.type === 'unknown' || record.type === 'erased' || FACTS[record.type].by === 'log') {
    throw new LogError('rejected', `"${record.type}" at ${record.seq} cannot be erased alone: erase the session`)
  }
  const isDoor = FACTS[record.type].by === 'door'
  return {
    seq: record.seq,
    at: record.at,
    v: FACT_VERSION,
    type: 'erased',
    was: record.type,
    by: isDoor ? 'door' : 'runner',
    ...(isDoor && { keys: admissionKeys(record as DoorFact) }),
  }
}

function hashesIn(record: Recorded): Set<string> {
  return new Set([...JSON.stringify(record).matchAll(/"hash":"([0-9a-f]{64})"/g)].map(([, hash]) => hash as string))
}
