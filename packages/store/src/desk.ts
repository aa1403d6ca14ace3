import {
  admissionKeys,
  type DoorFact,
  FACT_VERSION,
  FACTS,
  type Fact,
  factProblem,
  LogError,
  MAX_RECORD_BYTES,
  type Recorded,
  type RunnerFact,
} from '@maru/protocol'
import { type Head, head as headProjection } from './head.ts'
import { type Mask, maskFact } from './mask.ts'
import type { Held } from './medium.ts'

/** What came of an operation: the records as they stand, and whether they were there before. */
export interface Settled {
  records: Recorded[]
  existing?: number
}

interface Operation {
  decide(draft: Draft): Settled
  resolve(settled: Settled): void
  reject(error: unknown): void
}

export interface DeskOptions {
  now(): number
  mask: Mask | undefined
  onWritten(records: Recorded[]): void
}

/**
 * The one place where facts of a session are judged, numbered and written, in order. What arrives while the disk is
 * busy is written together in one go.
 */
export class Desk {
  readonly #held: Held
  readonly #options: DeskOptions
  #queue: Operation[] = []
  #working: Promise<void> | undefined
  lease: { epoch: number } | undefined

  constructor(held: Held, options: DeskOptions) {
    this.#held = held
    this.#options = options
  }

  get head(): Head {
    return this.#held.head
  }

  admit(fact: DoorFact): Promise<Settled> {
    return this.#submit((draft) => {
      expectWritten(fact, 'door')
      if (this.head.moved) throw movedError()
      for (const key of admissionKeys(fact)) {
        const existing = draft.taken(key)
        if (existing !== undefined) return { records: [], existing }
      }
      return { records: [draft.add(fact)] }
    })
  }

  append(holder: { epoch: number; expect: number }, facts: RunnerFact[]): Promise<Settled> {
    return this.#submit((draft) => {
      for (const fact of facts) expectWritten(fact, 'runner')
      if (this.lease?.epoch !== holder.epoch) {
        throw new LogError('conflict', `this runner no longer holds the session (lease ${holder.epoch})`)
      }
      if (this.head.moved) throw movedError()
      if (draft.lastByRunner !== holder.expect) {
        const message = `a runner wrote up to ${draft.lastByRunner}, this one knows only ${holder.expect}`
        throw new LogError('conflict', message, { details: { last: draft.lastByRunner } })
      }
      return { records: facts.map((fact) => draft.add(fact)) }
    })
  }

  /** Runs alone, between writes. */
  async alone<T>(work: (held: Held) => Promise<T>): Promise<T> {
    while (this.#working) await this.#working
    const running = work(this.#held)
    this.#working = running.then(noop, noop)
    try {
      return await running
    } finally {
      this.#working = undefined
      this.#start()
    }
  }

  async release(): Promise<void> {
    while (this.#working) await this.#working
    await this.#held.release()
  }

  #submit(decide: Operation['decide']): Promise<Settled> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ decide, resolve, reject })
      this.#start()
    })
  }

  #start(): void {
    if (this.#working || this.#queue.length === 0) return
    this.#working = this.#flush().finally(() => {
      this.#working = undefined
      this.#start()
    })
  }

  async #flush(): Promise<void> {
    const draft = new Draft(this.head, this.#options)
    const decided: { operation: Operation; settled: Settled }[] = []
    for (let operation = this.#queue.shift(); operation; operation = draft.isFull ? undefined : this.#queue.shift()) {
      const before = draft.mark()
      try {
        decided.push({ operation, settled: operation.decide(draft) })
      } catch (error) {
        draft.reset(before)
        operation.reject(error)
      }
    }
    try {
      if (draft.lines.length > 0) await this.#held.write(draft.lines, { sync: draft.sync })
    } catch (error) {
      for (const { operation } of decided) operation.reject(error)
      return
    }
    for (const record of draft.records) headProjection.apply(this.head, record)
    if (draft.records.length > 0) this.#options.onWritten(draft.records)
    for (const { operation, settled } of decided) operation.resolve(settled)
  }
}

// In UTF-16 units, so that a batch stays well below what a medium writes in one go, with one last append of its own.
const FULL_UNITS = 1024 * 1024

/** What the log will be once the batch is written: the head, and what the batch adds to it. */
class Draft {
  readonly records: Recorded[] = []
  readonly lines: string[] = []
  sync = false
  lastByRunner: number
  readonly #head: Head
  readonly #options: DeskOptions
  readonly #taken = new Map<string, number>()
  #units = 0

  constructor(head: Head, options: DeskOptions) {
    this.#head = head
    this.#options = options
    this.lastByRunner = head.lastByRunner
  }

  taken(key: string): number | undefined {
    return this.#head.taken[key] ?? this.#taken.get(key)
  }

  add(fact: Fact): Recorded {
    const { now, mask } = this.#options
    const seq = this.#head.last + this.records.length + 1
    const masked = mask ? maskFact(fact, mask) : fact
    const record: Recorded = { seq, at: now(), v: FACT_VERSION, ...masked }
    const line = JSON.stringify(record)
    checkSize(line, fact)
    this.records.push(record)
    this.lines.push(line)
    this.#units += line.length
    const { by, sync } = FACTS[fact.type]
    if (by === 'runner') this.lastByRunner = seq
    if (by === 'door') for (const key of admissionKeys(fact as DoorFact)) this.#taken.set(key, seq)
    this.sync ||= sync
    return record
  }

  /** Enough for one write: the rest of the queue goes into the next. */
  get isFull(): boolean {
    return this.#units >= FULL_UNITS
  }

  mark(): number {
    return this.records.length
  }

  // An append is all or none: what it had added before it failed goes again.
  reset(mark: number): void {
    this.records.length = mark
    this.lines.length = mark
    const runners = this.records.filter((record) => record.type !== 'unknown' && FACTS[record.type].by === 'runner')
    this.lastByRunner = runners.at(-1)?.seq ?? this.#head.lastByRunner
  }
}

function expectWritten(fact: Fact, by: 'door' | 'runner'): void {
  const problem = factProblem(fact)
  if (problem !== undefined) throw new LogError('rejected', `this fact cannot be stored: ${problem}`)
  if (FACTS[fact.type].by !== by) {
    throw new LogError('rejected', `"${fact.type}" is not for a ${by} to write`)
  }
}

function checkSize(line: string, fact: Fact): void {
  // A UTF-16 unit is at most three bytes, so most lines need no counting.
  if (line.length * 3 <= MAX_RECORD_BYTES) return
  const bytes = new TextEncoder().encode(line).length
  if (bytes <= MAX_RECORD_BYTES) return
  throw new LogError(
    'rejected',
    `"${fact.type}" of ${bytes} bytes is over ${MAX_RECORD_BYTES}: put its content into blobs`,
  )
}

function movedError(): LogError {
  return new LogError('moved', 'this session goes on in the store: open it there')
}

function noop(): void {}
