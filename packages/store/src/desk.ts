import {
  admissionKeys,
  type DoorFact,
  FACTS,
  type Fact,
  isByRunner,
  LogError,
  type Recorded,
  type RunnerFact,
  type Sync,
  syncOf,
} from '@maru/protocol'
import { joinGroup } from './group.ts'
import { type Head, head as headProjection } from './head.ts'
import type { Mask } from './mask.ts'
import type { Held } from './medium.ts'
import { recordFact } from './record-fact.ts'

/** What came of an operation: the records as they stand, or the seq of one that stood there before. */
export interface Settled {
  records: Recorded[]
  existing?: number
}

interface Write {
  decide(draft: Draft): Settled
  resolve(settled: Settled): void
  reject(error: unknown): void
}

interface Alone {
  run(): Promise<void>
}

export interface DeskOptions {
  now(): number
  mask: Mask | undefined
  onWritten(records: Recorded[]): void
  /** Brings the content that facts refer to onto the disk, so that no synced fact is ahead of it. */
  flushContent(): Promise<void>
  /** Waits until the log itself is on the disk, if it is new. */
  begun(): Promise<void>
}

/**
 * The one place where facts of a session are judged, numbered and written, in order. What arrives while the disk is
 * busy is written together in one go.
 */
export class Desk {
  readonly #held: Held
  readonly #options: DeskOptions
  #queue: (Write | Alone)[] = []
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
      expectWriter(fact, 'door')
      draft.expectNotMoved()
      for (const key of admissionKeys(fact)) {
        const existing = draft.taken(key)
        if (existing !== undefined) return { records: [], existing }
      }
      return { records: draft.add([fact]) }
    })
  }

  append(holder: { epoch: number; expect: number }, facts: RunnerFact[]): Promise<Settled> {
    return this.#submit((draft) => {
      for (const fact of facts) expectWriter(fact, 'runner')
      if (this.lease?.epoch !== holder.epoch) throw leaseLost(holder.epoch)
      draft.expectNotMoved()
      if (draft.lastByRunner !== holder.expect) {
        const message = `a runner wrote up to ${draft.lastByRunner}, this one knows only ${holder.expect}`
        throw new LogError('conflict', message, { details: { last: draft.lastByRunner } })
      }
      return { records: draft.add(facts) }
    })
  }

  /** Runs alone, in its turn between writes. */
  alone<T>(work: (held: Held) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ run: () => work(this.#held).then(resolve, reject) })
      this.#start()
    })
  }

  /** Lets go of the log, behind everything that was asked for before. */
  release(): Promise<void> {
    return this.alone((held) => held.release())
  }

  #submit(decide: Write['decide']): Promise<Settled> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ decide, resolve, reject })
      this.#start()
    })
  }

  #start(): void {
    if (this.#working || this.#queue.length === 0) return
    this.#working = this.#work().finally(() => {
      this.#working = undefined
      this.#start()
    })
  }

  async #work(): Promise<void> {
    const [next] = this.#queue
    if (next && 'run' in next) {
      this.#queue.shift()
      await next.run()
      return
    }
    await this.#write()
  }

  async #write(): Promise<void> {
    const draft = new Draft(this.head, this.#options)
    const decided: { write: Write; settled: Settled }[] = []
    // As many as fit into one go; whoever wants to be alone is not overtaken.
    for (let next = this.#queue[0]; next && 'decide' in next && !draft.isFull; next = this.#queue[0]) {
      this.#queue.shift()
      try {
        decided.push({ write: next, settled: next.decide(draft) })
      } catch (error) {
        next.reject(error)
      }
    }
    try {
      if (draft.sync !== 'no') await this.#options.flushContent()
      if (draft.lines.length > 0) await this.#held.write(draft.lines)
    } catch (error) {
      for (const { write } of decided) write.reject(error)
      return
    }
    for (const record of draft.records) headProjection.apply(this.head, record)
    if (draft.records.length > 0) this.#options.onWritten(draft.records)
    const synced = draft.sync === 'no' ? undefined : this.#options.begun().then(() => this.#held.sync())
    // A failure nobody waits for shows at the next write.
    synced?.catch(() => undefined)
    for (const { write, settled } of decided) {
      const mustWait =
        synced && settled.records.some((record) => record.type !== 'unknown' && syncOf(record) === 'before')
      if (mustWait) synced.then(() => write.resolve(settled), write.reject)
      else write.resolve(settled)
    }
  }
}

/** Why a runner without the lease may not write. */
export function leaseLost(epoch: number): LogError {
  return new LogError('conflict', `this runner no longer holds the session (lease ${epoch})`)
}

// In UTF-16 units.
const FULL_UNITS = 1024 * 1024

/** What the log will be once the batch is written: the head, and what the batch adds to it. */
class Draft {
  readonly records: Recorded[] = []
  readonly lines: string[] = []
  sync: Sync = 'no'
  readonly #head: Head
  readonly #options: DeskOptions
  readonly #taken = new Map<string, number>()
  #lastByRunner: number
  #isMoved: boolean
  #units = 0

  constructor(head: Head, options: DeskOptions) {
    this.#head = head
    this.#options = options
    this.#lastByRunner = head.lastByRunner
    this.#isMoved = head.moved
  }

  get lastByRunner(): number {
    return this.#lastByRunner
  }

  /** Enough for one write: the rest of the queue goes into the next. */
  get isFull(): boolean {
    return this.#units >= FULL_UNITS
  }

  taken(key: string): number | undefined {
    return this.#head.taken[key] ?? this.#taken.get(key)
  }

  expectNotMoved(): void {
    if (this.#isMoved) throw new LogError('moved', 'this session goes on in the store: open it there')
  }

  /** Adds the facts of one append, all or none. */
  add(facts: Fact[]): Recorded[] {
    const { now, mask } = this.#options
    const at = now()
    const first = this.#head.last + this.records.length + 1
    const added = facts.map((fact, index) => recordFact(fact, { seq: first + index, at, mask }))
    if (facts.slice(0, -1).some(({ type }) => type === 'session-move')) {
      throw new LogError('rejected', 'nothing may follow "session-move"')
    }
    for (const { record, line } of added) this.#note(record, line)
    this.lines.push(...joinGroup(added.map(({ line }) => line)))
    return added.map(({ record }) => record)
  }

  #note(record: Recorded, line: string): void {
    if (record.type === 'unknown') return
    this.records.push(record)
    this.#units += line.length
    const sync = syncOf(record)
    if (sync !== 'no' && this.sync !== 'before') this.sync = sync
    if (isByRunner(record)) this.#lastByRunner = record.seq
    if (record.type === 'session-move') this.#isMoved = true
    if (FACTS[record.type].by === 'door') {
      for (const key of admissionKeys(record as DoorFact)) this.#taken.set(key, record.seq)
    }
  }
}

function expectWriter(fact: Fact, by: 'door' | 'runner'): void {
  const rule = Object.hasOwn(FACTS, fact.type) ? FACTS[fact.type] : undefined
  if (rule && rule.by !== by) throw new LogError('rejected', `"${fact.type}" is not for a ${by} to write`)
}
