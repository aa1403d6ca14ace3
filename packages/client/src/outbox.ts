import type { DoorIntent, Problem, Recorded } from '@maru/protocol'
import type { Connection } from './connect.ts'
import { makeKey } from './make-key.ts'
import { ApiError } from './problem-error.ts'
import { readFact } from './read-fact.ts'

type Keyless<F> = F extends DoorIntent ? Omit<F, 'key'> & { key?: string } : never
/** What a door wants to say. Its key is made here, unless it has one. */
export type Intent = Keyless<DoorIntent>

/** Something that was said and has not been recorded yet, as far as we know. */
export interface Unsent {
  session: string
  fact: DoorIntent
  since: number
}

/** Where unsent things survive a page that is loaded anew. */
export interface OutboxStore {
  load(): Unsent[] | Promise<Unsent[]>
  save(unsent: Unsent[]): void | Promise<void>
}

export interface OutboxOptions {
  store?: OutboxStore
  /** Beyond this nothing more is taken. */
  limit?: number
  now?(): number
  onChange?(unsent: readonly Unsent[]): void
  /** A loaded thing was refused, or the store failed: nobody else waits to be told. */
  onProblem?(error: unknown, unsent?: Unsent): void
}

export interface Outbox {
  /** Resolves with the fact as it stands in the log: the first answer wins, so it may be somebody else's. */
  admit(session: string, intent: Intent): Promise<Recorded>
  /** In the order in which they were said. */
  readonly unsent: readonly Unsent[]
  /** What was stored is known and on its way. */
  readonly loaded: Promise<void>
  close(): void
}

/** Keeps what is said, in order for each session, until the server has recorded it. */
export function createOutbox(connection: Connection, options: OutboxOptions = {}): Outbox {
  const { store, limit = 1_000, now = Date.now, onChange, onProblem = () => undefined } = options
  const waiters = new Map<Unsent, { resolve(record: Recorded): void; reject(error: unknown): void }>()
  const busy = new Set<string>()
  const closing = new AbortController()
  let unsent: Unsent[] = []

  const changed = () => {
    onChange?.(unsent)
    if (!store) return
    saving = saving.then(() => store.save([...unsent])).catch(onProblem)
  }
  const settle = (one: Unsent) => {
    unsent = unsent.filter((other) => other !== one)
    changed()
    const waiter = waiters.get(one)
    waiters.delete(one)
    return waiter
  }
  // One at a time for each session: what was said first stands first.
  const work = async (session: string): Promise<void> => {
    if (busy.has(session)) return
    busy.add(session)
    try {
      for (let one = next(session); one && !closing.signal.aborted; one = next(session)) {
        if (!(await sendOne(one))) return
      }
    } finally {
      busy.delete(session)
    }
  }
  const next = (session: string) => unsent.find((one) => one.session === session)
  const sendOne = async (one: Unsent): Promise<boolean> => {
    try {
      const { value } = await connection.ask({ type: 'admit', session: one.session, fact: one.fact }, closing.signal)
      settle(one)?.resolve(readFact(value as Recorded))
    } catch (error) {
      if (closing.signal.aborted || (error instanceof ApiError && isOfConnection(error.problem))) return false
      const waiter = settle(one)
      if (waiter) waiter.reject(error)
      else onProblem(error, one)
    }
    return true
  }
  const workAll = () => {
    for (const session of new Set(unsent.map((one) => one.session))) void work(session)
  }
  const stopListening = connection.onState((state) => {
    if (state === 'open') workAll()
    if (state === 'closed') close()
  })
  const load = async () => {
    if (!store) return
    const stored = await store.load()
    const known = new Set(unsent.map(({ fact }) => fact.key))
    // What was said before comes first.
    unsent = [...stored.filter(({ fact }) => !known.has(fact.key)), ...unsent]
    onChange?.(unsent)
  }
  const loaded = load().then(workAll, onProblem)
  // Nothing is stored before what was there is known: it would be overwritten.
  let saving = loaded
  const close = () => {
    if (closing.signal.aborted) return
    stopListening()
    const error = new ApiError(OVER)
    closing.abort(error)
    for (const { reject } of waiters.values()) reject(error)
    waiters.clear()
  }

  return {
    async admit(session, intent) {
      if (closing.signal.aborted) throw closing.signal.reason
      if (unsent.length >= limit) throw new ApiError(FULL)
      const one: Unsent = { session, fact: { ...intent, key: intent.key ?? makeKey() } as DoorIntent, since: now() }
      unsent = [...unsent, one]
      const recorded = new Promise<Recorded>((resolve, reject) => waiters.set(one, { resolve, reject }))
      changed()
      // Not before what was stored: it was said earlier.
      void loaded.then(() => work(session))
      return await recorded
    },
    get unsent() {
      return unsent
    },
    loaded,
    close,
  }
}

// Not about what was said: it may be sent when the connection is back.
function isOfConnection({ code, status }: Problem): boolean {
  return status === 401 || code === 'closed'
}

const FULL: Problem = { code: 'outbox-full', status: 400, title: 'Too much waits to be sent.' }
const OVER: Problem = { code: 'closed', status: 400, title: 'What waits to be sent was laid aside.' }
