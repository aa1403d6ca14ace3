import type { DoorFact, Lease, Recorded, RunnerFact, SessionLog, StateCache } from '@maru/protocol'
import { type ContextState, context } from './context/context.ts'
import { type GaugeState, gauge } from './tokens/gauge.ts'
import { type WorkState, work } from './work.ts'

/**
 * A runner's view of its session: every fact, its own and those that doors admit, in the order of the log. Its own
 * come back from `append`; the others by following. Held by the one lease.
 */
export class Ledger {
  readonly work: WorkState
  readonly context: ContextState
  readonly gauge: GaugeState
  readonly #log: SessionLog
  readonly #id: string
  readonly #lease: Lease
  readonly #states: StateCache | undefined
  readonly #stop = new AbortController()
  readonly #early = new Map<number, Recorded>()
  readonly #waiting = new Set<() => void>()
  /** Keys of facts that are on their way into the log. */
  readonly #admitting = new Set<string>()
  #last = 0
  #own: number
  #following: Promise<void> = Promise.resolve()
  #appending: Promise<unknown> = Promise.resolve()
  #failure: { error: unknown } | undefined

  /** `states`, where there are some: then not all of the log has to be read. */
  static async open(log: SessionLog, id: string, states?: StateCache): Promise<Ledger> {
    const lease = await log.lease(id)
    // One that has only begun has left nothing yet.
    const begun = lease.last > 1 ? await loadStates(id, states) : undefined
    const ledger = new Ledger(log, id, { lease, states, begun })
    try {
      for await (const record of log.read(id, ledger.last)) ledger.#take(record)
    } catch (error) {
      await lease.release()
      throw error
    }
    ledger.#following = ledger.#follow()
    return ledger
  }

  private constructor(
    log: SessionLog,
    id: string,
    { lease, states, begun }: { lease: Lease; states: StateCache | undefined; begun: Begun | undefined },
  ) {
    this.#log = log
    this.#id = id
    this.#lease = lease
    this.#own = lease.last
    this.#states = states
    this.#last = begun?.seq ?? 0
    this.work = begun?.work ?? work.create()
    this.context = begun?.context ?? context.create()
    this.gauge = begun?.gauge ?? gauge.create()
  }

  /** The last seq that the view includes. */
  get last(): number {
    return this.#last
  }

  /** Stores the runner's facts; when it resolves, the view includes them and everything before them. */
  append(...facts: RunnerFact[]): Promise<Recorded[]> {
    // Calls run side by side, but `expect` allows one append at a time.
    const appended = this.#appending.then(() => this.#append(facts))
    this.#appending = appended.catch(() => undefined)
    return appended
  }

  /**
   * Admits a fact for a door; when it resolves, the view includes it. The disk is not waited for: whatever has an effect
   * waits for all that was written before it. Should it fail, whoever waits or writes next is told.
   */
  async admit(fact: DoorFact): Promise<void> {
    let seq = Number.POSITIVE_INFINITY
    this.#admitting.add(fact.key)
    // A log elsewhere may confirm it before whoever follows hears of it; one on a disk the other way round.
    const admitted = this.#log.admit(this.#id, fact).then((record) => {
      seq = record.seq
      this.#take(record)
    })
    admitted.catch((error: unknown) => this.#fail(error))
    await this.until(() => (this.#last >= seq || !this.#admitting.has(fact.key) ? true : undefined))
    this.#admitting.delete(fact.key)
  }

  /** Waits until the view gives something; nothing, if the signal aborts first. */
  async until<T>(find: () => T | undefined, signal?: AbortSignal): Promise<T | undefined> {
    for (;;) {
      if (this.#failure) throw this.#failure.error
      const found = find()
      if (found !== undefined || signal?.aborted) return found
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        this.#waiting.add(wake)
        signal?.addEventListener('abort', wake)
      })
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#following
    const seq = this.#last
    this.#states?.keep(this.#id, work, { state: this.work, seq })
    this.#states?.keep(this.#id, context, { state: this.context, seq })
    this.#states?.keep(this.#id, gauge, { state: this.gauge, seq })
    await this.#lease.release()
  }

  async #append(facts: RunnerFact[]): Promise<Recorded[]> {
    if (this.#failure) throw this.#failure.error
    const written = await this.#log.append(this.#id, { epoch: this.#lease.epoch, expect: this.#own }, facts)
    const last = written.at(-1)?.seq ?? this.#own
    this.#own = last
    for (const record of written) this.#take(record)
    await this.until(() => (this.#last >= last ? true : undefined))
    return written
  }

  async #follow(): Promise<void> {
    try {
      for await (const record of this.#log.follow(this.#id, this.#last, this.#stop.signal)) this.#take(record)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#wake()
  }

  #take(record: Recorded): void {
    if (record.seq > this.#last) this.#early.set(record.seq, record)
    for (let next = this.#early.get(this.#last + 1); next; next = this.#early.get(this.#last + 1)) {
      this.#early.delete(next.seq)
      this.#last = next.seq
      work.apply(this.work, next)
      context.apply(this.context, next)
      gauge.apply(this.gauge, next)
      if ('key' in next) this.#admitting.delete(next.key)
    }
    this.#wake()
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}

interface Begun {
  seq: number
  work: WorkState
  context: ContextState
  gauge: GaugeState
}

// All of them, and as far as each other, or none.
async function loadStates(id: string, states: StateCache | undefined): Promise<Begun | undefined> {
  const worked = await states?.load(id, work)
  if (!worked) return undefined
  const [seen, counted] = [await states?.load(id, context), await states?.load(id, gauge)]
  if (seen?.seq !== worked.seq || counted?.seq !== worked.seq) return undefined
  return { seq: worked.seq, work: worked.state, context: seen.state, gauge: counted.state }
}
