import {
  type BlobStore,
  type DoorFact,
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
import { Desk, leaseLost } from './desk.ts'
import { hashesIn, tombstone } from './erase.ts'
import type { Head } from './head.ts'
import type { Mask } from './mask.ts'
import type { Held, Medium, Tail } from './medium.ts'
import { watchOutside } from './outside-watch.ts'
import { Recent } from './recent.ts'
import { recordFact } from './record-fact.ts'

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

interface Opened {
  desk: Promise<Desk>
  users: number
}

class MediumSessionLog implements SessionLog {
  readonly #medium: Medium
  readonly #options: SessionLogOptions
  readonly #bell = new Bell()
  readonly #changes = new Changes()
  readonly #opened = new Map<string, Opened>()
  /** Desks on their way out: the next one must wait for the hold. */
  readonly #leaving = new Map<string, Promise<void>>()
  readonly #epochs = new Map<string, number>()
  readonly #told = new Map<string, number>()
  /** Of the sessions that are open here. */
  readonly #recent = new Map<string, Recent>()
  /** Sessions on their way to the disk: no fact of theirs may be acknowledged before them. */
  readonly #unsynced = new Map<string, Promise<void>>()
  /** The session that was begun last, and all of it: who begins one goes on with it, and need not read it back. */
  #begun: { id: string; record: Recorded } | undefined
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined
  #stopOutsideWatch: (() => void) | undefined

  constructor(medium: Medium, options: SessionLogOptions) {
    this.#medium = medium
    this.#options = options
  }

  async create(id: string, start: SessionStart): Promise<Recorded> {
    this.#checkOpen()
    const { now, mask, blobs } = this.#options
    const { forkOf } = start
    const seq = (forkOf?.seq ?? 0) + 1
    const { record, line } = recordFact({ type: 'session-start', ...start }, { seq, at: now(), mask })
    if (await this.#medium.exists(id)) throw new LogError('exists', `there is a session ${id} already`)
    const told = this.#told.get(id)
    // Ours, before the file appears: who watches the directory must not tell of it a second time.
    this.#told.set(id, seq)
    try {
      // Content first: a fork that is there is whole.
      if (forkOf) await blobs?.share(forkOf.id, id, await this.#hashesUpTo(forkOf))
      const { synced } = await this.#medium.create(id, this.#opening(forkOf, line), { isLong: forkOf !== undefined })
      this.#note(id, synced)
    } catch (error) {
      if (told === undefined) this.#told.delete(id)
      else this.#told.set(id, told)
      if (forkOf && !(error instanceof LogError && error.code === 'exists')) await blobs?.release(id)
      throw error
    }
    this.#begun = forkOf ? undefined : { id, record }
    this.#announce(id, [record])
    return record
  }

  async *list(): AsyncGenerator<SessionInfo, void> {
    for (const id of this.#medium.ids()) {
      const head = await this.#medium.head(id).catch(ignoreMissing)
      if (!head) continue
      const { start, title, startedAt, changedAt } = head
      yield { id, startedAt, changedAt, ...(start && { start }), ...(title !== undefined && { title }) }
    }
  }

  async lease(id: string): Promise<Lease> {
    const opened = this.#enter(id)
    try {
      return this.#grant(id, opened, await opened.desk)
    } catch (error) {
      await this.#leave(id, opened)
      throw error
    }
  }

  async admit(id: string, fact: DoorFact): Promise<Recorded> {
    const { records, existing } = await this.#at(id, (desk) => desk.admit(fact))
    const record = existing === undefined ? records[0] : await this.#one(id, existing)
    if (!record) throw new LogError('failed', `session ${id} lost the record that has this key`)
    return record
  }

  async append(id: string, ...[holder, facts]: Parameters<Desk['append']>): Promise<Recorded[]> {
    this.#checkOpen()
    // Only the holder of a lease has a desk here: opening one for somebody without would take the log away from others.
    const desk = await this.#opened.get(id)?.desk
    if (!desk) throw leaseLost(holder.epoch)
    return (await desk.append(holder, facts)).records
  }

  async *read(id: string, after = 0): AsyncGenerator<Recorded, void> {
    const recent = this.#recent.get(id)?.after(after)
    if (recent) return yield* recent
    const tail = await this.#medium.tail(id, after)
    try {
      for await (const batch of tail.drain()) yield* batch
    } finally {
      await tail.close()
    }
  }

  async *follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<Recorded, void> {
    const over = AbortSignal.any([signal, this.#closing.signal])
    // Waiting for a fact is work: the process stays for it.
    const alive = setInterval(() => undefined, 2 ** 30)
    let tail: Tail | undefined
    let stopWatching: (() => void) | undefined
    let last = after
    let isFollowing = false
    try {
      while (!over.aborted) {
        // Whoever is about to write it here tells of it: then nothing need be looked for outside.
        if (!this.#recent.has(id)) await this.#opened.get(id)?.desk.catch(() => undefined)
        const seen = this.#bell.count(id)
        // What this process writes alone it need not look for.
        if (!this.#recent.has(id)) stopWatching ??= this.#medium.onOutsideChange(id, () => this.#bell.ring(id))
        else if (stopWatching) {
          stopWatching()
          stopWatching = undefined
        }
        const recent = this.#recent.get(id)?.after(last)
        if (!recent && !tail) {
          tail = await this.#medium.tail(id, last).catch(isFollowing ? ignoreMissing : undefined)
          if (!tail) return
        }
        isFollowing = true
        for await (const batch of recent ? [recent] : (tail?.drain() ?? [])) {
          for (const record of batch) {
            if (over.aborted) return
            if (record.seq <= last) continue
            last = record.seq
            yield record
          }
        }
        if (tail?.gone) return
        await this.#bell.after(id, seen, over)
      }
    } finally {
      clearInterval(alive)
      stopWatching?.()
      await tail?.close()
    }
  }

  watch(cursor: string | undefined, signal: AbortSignal): ReturnType<SessionLog['watch']> {
    this.#stopOutsideWatch ??= watchOutside({
      medium: this.#medium,
      read: (id, after) => this.read(id, after),
      isOwn: (id) => this.#opened.has(id),
      told: this.#told,
      now: this.#options.now,
      onRecord: (id, record) => this.#changes.add(id, [record]),
    })
    // The position is taken now, not when the first change is asked for.
    return this.#changes.watch(this.#changes.position(cursor), AbortSignal.any([signal, this.#closing.signal]))
  }

  async erase(id: string, seq?: number): Promise<void> {
    this.#checkOpen()
    if (seq === undefined) await this.#eraseAll(id)
    else await this.#at(id, (desk) => desk.alone((held) => this.#eraseOne(id, seq, held)))
    this.#bell.ring(id)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    this.#stopOutsideWatch?.()
    const opened = [...this.#opened.values()]
    this.#opened.clear()
    const ended = await Promise.allSettled([
      ...opened.map(endDesk),
      ...this.#leaving.values(),
      ...this.#unsynced.values(),
    ])
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }

  #grant(id: string, opened: Opened, desk: Desk): Lease {
    const { unknown, moved } = desk.head
    if (desk.lease) throw new LogError('held', `session ${id} is already running here`)
    if (moved) throw new LogError('moved', `session ${id} goes on in the store: open it there`)
    if (unknown) {
      const message = `session ${id} holds "${unknown.kind}" at ${unknown.seq}, which this version can show but not run`
      throw new LogError('newer', message, { details: { ...unknown } })
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
        await this.#leave(id, opened)
      },
    }
  }

  async #eraseOne(id: string, seq: number, held: Held): Promise<void> {
    const { blobs } = this.#options
    const record = await this.#one(id, seq)
    if (!record) throw new LogError('missing', `session ${id} has no fact ${seq}`)
    if (record.type === 'erased') return
    const line = printRecord(tombstone(record))
    // Content first: should this stop half-way, the fact is still there to be erased again.
    if (blobs) for (const hash of await this.#unusedBy(id, record)) await blobs.release(id, hash)
    await held.replace(seq, line)
    this.#recent.get(id)?.forget()
    this.#changes.add(id, [tombstone(record)])
  }

  // Whoever holds a lease on it loses it: there is nothing left to run.
  async #eraseAll(id: string): Promise<void> {
    const opened = this.#opened.get(id)
    const desk = await opened?.desk.catch(() => undefined)
    if (opened && desk) {
      desk.lease = undefined
      await desk.alone((held) => held.remove())
      if (this.#opened.get(id) === opened) this.#opened.delete(id)
      await this.#depart(id, opened)
    } else {
      await this.#leaving.get(id)
      await this.#medium.remove(id)
    }
    await this.#options.blobs?.release(id)
    this.#told.delete(id)
    this.#changes.addGone(id)
  }

  async *#opening(forkOf: SessionStart['forkOf'], line: string): AsyncGenerator<string[], void> {
    if (forkOf) {
      let copied = 0
      for await (const fact of this.#upTo(forkOf)) {
        yield [printRecord(fact)]
        copied = fact.seq
      }
      if (copied !== forkOf.seq) {
        throw new LogError('rejected', `session ${forkOf.id} has ${copied} facts: it cannot be forked at ${forkOf.seq}`)
      }
    }
    yield [line]
  }

  async *#upTo({ id, seq }: { id: string; seq: number }): AsyncGenerator<Recorded, void> {
    for await (const fact of this.read(id)) {
      if (fact.seq > seq) return
      yield fact
    }
  }

  async #hashesUpTo(cut: { id: string; seq: number }): Promise<Set<string>> {
    const hashes = new Set<string>()
    for await (const fact of this.#upTo(cut)) for (const hash of hashesIn(fact)) hashes.add(hash)
    return hashes
  }

  async #unusedBy(id: string, record: Recorded): Promise<Set<string>> {
    const unused = hashesIn(record)
    if (unused.size === 0) return unused
    for await (const other of this.read(id)) {
      if (other.seq !== record.seq) for (const hash of hashesIn(other)) unused.delete(hash)
    }
    return unused
  }

  async #one(id: string, seq: number): Promise<Recorded | undefined> {
    for await (const record of this.read(id, seq - 1)) return record.seq === seq ? record : undefined
    return undefined
  }

  async #at<T>(id: string, work: (desk: Desk) => Promise<T>): Promise<T> {
    const opened = this.#enter(id)
    try {
      return await work(await opened.desk)
    } finally {
      await this.#leave(id, opened)
    }
  }

  #enter(id: string): Opened {
    this.#checkOpen()
    const opened = this.#opened.get(id) ?? { desk: this.#open(id), users: 0 }
    this.#opened.set(id, opened)
    opened.users++
    return opened
  }

  async #open(id: string): Promise<Desk> {
    const { now, mask, blobs } = this.#options
    await this.#leaving.get(id)
    const held = await this.#medium.hold(id)
    this.#recent.set(id, this.#recentOf(id, held.head))
    // What others wrote since we last told of it is told before our own.
    if (this.#stopOutsideWatch) {
      const told = this.#told.get(id) ?? 0
      for await (const record of this.read(id, told)) this.#changes.add(id, [record])
      this.#told.set(id, held.head.last)
    }
    const flushContent = async () => blobs?.flush(id)
    const begun = async () => this.#unsynced.get(id)
    return new Desk(held, { now, mask, flushContent, begun, onWritten: (records) => this.#announce(id, records) })
  }

  #recentOf(id: string, { last, startedAt }: Head): Recent {
    const record = this.#begun?.id === id ? this.#begun.record : undefined
    this.#begun = undefined
    if (record?.seq !== last || record.at !== startedAt) return new Recent(last)
    const recent = new Recent(last - 1)
    recent.add([record])
    return recent
  }

  async #leave(id: string, opened: Opened): Promise<void> {
    if (--opened.users > 0 || this.#opened.get(id) !== opened) return
    this.#opened.delete(id)
    await this.#depart(id, opened)
  }

  // Noted at once, so that whoever comes next waits for the hold.
  async #depart(id: string, opened: Opened): Promise<void> {
    this.#recent.delete(id)
    const leaving = endDesk(opened).finally(() => {
      // Whoever follows must watch from outside now, unless whoever let go of it has followed it as well, and stops.
      setImmediate(() => this.#bell.ring(id))
      if (this.#leaving.get(id) === leaving) this.#leaving.delete(id)
    })
    this.#leaving.set(id, leaving)
    await leaving
  }

  #announce(id: string, records: Recorded[]): void {
    this.#told.set(id, records.at(-1)?.seq ?? 0)
    this.#recent.get(id)?.add(records)
    this.#changes.add(id, records)
    this.#bell.ring(id)
  }

  #note(id: string, synced: Promise<void>): void {
    this.#unsynced.set(id, synced)
    synced.then(
      () => this.#unsynced.delete(id),
      // It stays, for whoever waits for it.
      () => undefined,
    )
  }

  #checkOpen(): void {
    if (this.#closed) throw new LogError('closed', 'this log was closed')
  }
}

async function endDesk({ desk }: Opened): Promise<void> {
  // One that never opened has nothing to let go of; its opener was told why.
  const opened = await desk.catch(() => undefined)
  if (!opened) return
  opened.lease = undefined
  await opened.release()
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof LogError && error.code === 'missing') return undefined
  throw error
}
