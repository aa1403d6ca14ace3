import type { Recorded } from '@maru/protocol'
import { uniqueHex } from '../unique.ts'
import type { Engine } from './engine.ts'

/** Who wants to know what happens to an owner's sessions. */
export interface HubListener {
  /** Stored here, in this process, in this order. */
  onWritten(id: string, records: Recorded[]): void
  onErased(id: string, mark: Recorded): void
  onGone(id: string): void
  /** What is said about it beside its facts was changed, here or by another node; `at` is when it then says it was. */
  onPatched(id: string, at: number): void
  /** Another node wrote or erased these. */
  onOutside(id: string, ranges: Range[]): void
  /** Announcements may have been lost. */
  onGap(): void
}

/** From a fact to a fact, both included. */
export type Range = [first: number, last: number]

const GATHER_MS = 20
// A notice holds less than 8,000 bytes.
const NOTICE_BYTES = 7_000
// A node can die between its commit and its announcement.
const LOOK_MS = 5_000
// More than these are announced as one, with what others wrote in between.
const MOST_RANGES = 100

/**
 * Spreads the word of what was written: at once inside this process; to other nodes gathered, and never in the writing
 * transaction, where an announcement would make every commit wait for every other.
 */
export class Hub {
  readonly node = uniqueHex(16)
  readonly #engine: Engine
  readonly #listeners = new Map<string, Set<HubListener>>()
  readonly #queues = new Map<string, Promise<unknown>>()
  readonly #unsaid = new Map<string, Unsaid>()
  #saying: Promise<void> | undefined
  #ear: Promise<{ close(): Promise<void> } | undefined> | undefined
  #look: NodeJS.Timeout | undefined

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async subscribe(owner: string, listener: HubListener): Promise<() => void> {
    const listeners = this.#listeners.get(owner) ?? new Set()
    this.#listeners.set(owner, listeners.add(listener))
    await this.#listen()
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(owner) === listeners) this.#listeners.delete(owner)
    }
  }

  /** One after the other for a session, so that what is told stands in the order of what was stored. */
  async inTurn<T>(owner: string, id: string, work: () => Promise<T>): Promise<T> {
    const key = `${owner}/${id}`
    const before = this.#queues.get(key) ?? Promise.resolve()
    const turn = before.then(work, work)
    const settled = turn.catch(() => undefined)
    this.#queues.set(key, settled)
    try {
      return await turn
    } finally {
      if (this.#queues.get(key) === settled) this.#queues.delete(key)
    }
  }

  written(owner: string, id: string, records: Recorded[]): void {
    const [first, last] = [records[0]?.seq, records.at(-1)?.seq]
    if (first === undefined || last === undefined) return
    for (const listener of this.#listeners.get(owner) ?? []) listener.onWritten(id, records)
    this.#say(owner, id, [first, last])
  }

  erased(owner: string, id: string, mark: Recorded): void {
    for (const listener of this.#listeners.get(owner) ?? []) listener.onErased(id, mark)
    this.#say(owner, id, [mark.seq, mark.seq])
  }

  gone(owner: string, id: string): void {
    for (const listener of this.#listeners.get(owner) ?? []) listener.onGone(id)
    this.#say(owner, id, undefined)
  }

  patched(owner: string, id: string, at: number): void {
    for (const listener of this.#listeners.get(owner) ?? []) listener.onPatched(id, at)
    // Beside what is said of its facts: no session is called so.
    this.#keepUnsaid(`${owner}/${id}\0patched`, { owner, id, news: at })
  }

  async close(): Promise<void> {
    clearInterval(this.#look)
    await (await this.#ear)?.close()
    await this.#saying
  }

  #listen(): Promise<unknown> {
    const { nodes } = this.#engine
    if (!nodes) return Promise.resolve()
    if (!this.#ear) {
      const onGap = () => {
        for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.onGap()
      }
      this.#ear = nodes.listen({ onNotice: (payload) => this.#hear(payload), onGap })
      this.#look = setInterval(onGap, LOOK_MS)
      this.#look.unref()
    }
    return this.#ear
  }

  #hear(payload: string): void {
    const { node, news } = parseNotice(payload)
    if (node === this.node) return
    for (const [owner, id, said] of news) {
      for (const listener of this.#listeners.get(owner) ?? []) {
        if (typeof said === 'number') listener.onPatched(id, said)
        else if (said.length === 0) listener.onGone(id)
        else listener.onOutside(id, said)
      }
    }
  }

  /** Without a range: it is gone. */
  #say(owner: string, id: string, range: Range | undefined): void {
    const key = `${owner}/${id}`
    const before = this.#unsaid.get(key)?.news
    const news = range ? joined(Array.isArray(before) ? before : [], range) : []
    this.#keepUnsaid(key, { owner, id, news })
  }

  #keepUnsaid(key: string, unsaid: Unsaid): void {
    if (!this.#engine.nodes) return
    this.#unsaid.set(key, unsaid)
    this.#saying ??= this.#sayAll().finally(() => {
      this.#saying = undefined
    })
  }

  async #sayAll(): Promise<void> {
    while (this.#unsaid.size > 0) {
      const news = [...this.#unsaid.values()]
      this.#unsaid.clear()
      for (const payload of printNotices(this.node, news)) {
        // Whoever misses it looks for himself before long.
        await this.#engine.nodes?.announce(payload).catch(() => undefined)
      }
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
    }
  }
}

interface Unsaid {
  owner: string
  id: string
  news: News[2]
}

function joined(ranges: Range[], [first, last]: Range): Range[] {
  const end = ranges.at(-1)
  if (end && first === end[1] + 1) return [...ranges.slice(0, -1), [end[0], last]]
  if (ranges.length < MOST_RANGES) return [...ranges, [first, last]]
  return [[Math.min(first, ...ranges.map(([low]) => low)), Math.max(last, ...ranges.map(([, high]) => high))]]
}

/** Which facts were written, none if it is gone; or when what is said about it was changed. */
type News = [owner: string, id: string, said: Range[] | number]

function* printNotices(node: string, all: Unsaid[]): Generator<string> {
  let news: string[] = []
  let bytes = 0
  for (const { owner, id, news: said } of all) {
    const item = JSON.stringify([owner, id, said] satisfies News)
    if (bytes + Buffer.byteLength(item) > NOTICE_BYTES && news.length > 0) {
      yield `["${node}",[${news.join()}]]`
      news = []
      bytes = 0
    }
    news.push(item)
    bytes += Buffer.byteLength(item) + 1
  }
  if (news.length > 0) yield `["${node}",[${news.join()}]]`
}

// Others may use the channel's name for something else.
function parseNotice(payload: string): { node: string; news: News[] } {
  try {
    const [node, news] = JSON.parse(payload) as [string, News[]]
    const isSaid = (said: unknown) => Array.isArray(said) || typeof said === 'number'
    const isNews = (item: unknown): item is News =>
      Array.isArray(item) && typeof item[0] === 'string' && typeof item[1] === 'string' && isSaid(item[2])
    return { node, news: news.filter(isNews) }
  } catch {
    return { node: '', news: [] }
  }
}
