import type { Change, Recorded } from '@maru/protocol'
import { Bell } from './bell.ts'
import { uniqueHex } from './unique.ts'

const KEPT = 10_000

type Kept =
  | { id: string; seq: number; kind: Extract<Change, { kind: unknown }>['kind'] }
  | { id: string; gone: true }
  | { id: string; patched: true }

/**
 * The latest changes to any session, numbered. A cursor that has fallen out, or comes from another process, is
 * answered with `reset`: reading the lists anew is always right, so nothing needs to be kept for ever.
 */
export class Changes {
  readonly #bell = new Bell()
  readonly #run = uniqueHex(32)
  #kept: Kept[] = []
  #dropped = 0

  add(id: string, records: Recorded[]): void {
    this.#keep(records.map(({ seq, type }) => ({ id, seq, kind: type })))
  }

  /** A session was erased. */
  addGone(id: string): void {
    this.#keep([{ id, gone: true }])
  }

  /** What is said about a session, beside its facts, is another. */
  addPatched(id: string): void {
    this.#keep([{ id, patched: true }])
  }

  #keep(kept: Kept[]): void {
    this.#kept.push(...kept)
    if (this.#kept.length > 2 * KEPT) {
      this.#dropped += this.#kept.length - KEPT
      this.#kept = this.#kept.slice(-KEPT)
    }
    this.#bell.ring('')
  }

  /** Where a watcher that starts now stands. */
  position(cursor: string | undefined): { next: number; reset: boolean } {
    const end = this.#dropped + this.#kept.length
    if (cursor === undefined) return { next: end, reset: false }
    const [run, count] = cursor.split('/')
    const next = Number(count)
    const honoured = run === this.#run && Number.isInteger(next) && next >= this.#dropped && next <= end
    return honoured ? { next, reset: false } : { next: end, reset: true }
  }

  async *watch(start: { next: number; reset: boolean }, signal: AbortSignal): AsyncGenerator<Change, void> {
    let { next, reset } = start
    while (!signal.aborted) {
      const seen = this.#bell.count('')
      if (next < this.#dropped) {
        next = this.#dropped + this.#kept.length
        reset = true
      }
      if (reset) yield { cursor: this.#cursor(next), reset: true }
      reset = false
      for (let kept = this.#at(next); kept && !signal.aborted; kept = this.#at(next)) {
        next++
        yield { cursor: this.#cursor(next), ...kept }
      }
      if (next >= this.#dropped) await this.#bell.after('', seen, signal)
    }
  }

  #at(position: number): Kept | undefined {
    return position < this.#dropped ? undefined : this.#kept[position - this.#dropped]
  }

  #cursor(next: number): string {
    return `${this.#run}/${next}`
  }
}
