import { type Fact, isByRunner, LogError, type Recorded } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { recordFact } from '../record-fact.ts'
import type { Queries } from './engine.ts'
import { toLogError } from './errors.ts'
import { findSession, type SessionRow } from './session-row.ts'
import { writeFacts } from './write-facts.ts'

/** The session as it will be once this transaction has stored its records. */
export interface Draft {
  session: SessionRow
  records: Recorded[]
}

/** Decides, with the session's row locked, what is to be stored; a `LogError` refuses. */
export type Decide<T> = (db: Queries, draft: Draft) => Promise<{ facts: Fact[]; result(records: Recorded[]): T }>

interface Write {
  decide: Decide<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

type Outcome = { value: unknown } | { error: LogError }

export interface WriteQueueOptions {
  now(): number
  mask: Mask | undefined
  as<T>(work: (db: Queries) => Promise<T>): Promise<T>
  onWritten(id: string, records: Recorded[]): void
}

/** What waits to be written, by session. Whoever has his turn first writes for all that wait, in one transaction. */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  readonly #waiting = new Map<string, Write[]>()

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** Waits for somebody's `flush`. */
  add<T>(id: string, decide: Decide<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const waiting = this.#waiting.get(id) ?? []
      waiting.push({ decide, resolve: resolve as Write['resolve'], reject })
      this.#waiting.set(id, waiting)
    })
  }

  async flush(id: string): Promise<void> {
    const writes = this.#waiting.get(id) ?? []
    this.#waiting.delete(id)
    if (writes.length === 0) return
    try {
      const { records, outcomes } = await this.#options.as((db) => this.#store(db, id, writes))
      this.#options.onWritten(id, records)
      for (const [n, { resolve, reject }] of writes.entries()) {
        const outcome = outcomes[n] as Outcome
        if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.value)
      }
    } catch (error) {
      for (const { reject } of writes) reject(toLogError(error))
    }
  }

  async #store(db: Queries, id: string, writes: Write[]): Promise<{ records: Recorded[]; outcomes: Outcome[] }> {
    const { now, mask } = this.#options
    const session = await findSession(db, id, { lock: true })
    const draft: Draft = { session: { ...session }, records: [] }
    const outcomes: Outcome[] = []
    for (const { decide } of writes) {
      try {
        const { facts, result } = await decide(db, draft)
        const at = now()
        const first = draft.session.head + 1
        const added = facts.map((fact, n) => recordFact(fact, { seq: first + n, at, mask }).record)
        for (const record of added) note(draft, record)
        outcomes.push({ value: result(added) })
      } catch (error) {
        // Refused by rule: the others go on. The database's own errors end the transaction for all.
        if (!(error instanceof LogError)) throw error
        outcomes.push({ error })
      }
    }
    await writeFacts(db, { session, id, records: draft.records })
    return { records: draft.records, outcomes }
  }
}

function note({ session, records }: Draft, record: Recorded): void {
  records.push(record)
  session.head = record.seq
  if (isByRunner(record)) session.runner = record.seq
  if (record.type === 'session-move') session.is_moved = true
}
