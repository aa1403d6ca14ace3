import type { Lease, SessionLog } from '@maru/protocol'
import type { OwnHistory } from '@maru/store'

/** Parts that nobody has used for so long are closed; asked again, they open by themselves. */
const IDLE_MS = 10 * 60_000

interface Part {
  own: OwnHistory
  /** The log that is open now. */
  log: Promise<SessionLog> | undefined
  /** The same when it is there. */
  opened: SessionLog | undefined
  users: number
  usedAt: number
}

/** Everybody's part of the history, each opened once. Whoever holds one may hold it for ever. */
export function createOwnKeeper(open: (owner: string) => Promise<OwnHistory>, now: () => number) {
  const parts = new Map<string, Promise<Part>>()
  const timer = setInterval(() => void closeIdle(), IDLE_MS / 10)
  timer.unref()

  async function openPart(owner: string): Promise<Part> {
    const own = await open(owner)
    const part: Part = { own, log: Promise.resolve(own.log), opened: own.log, users: 0, usedAt: now() }
    const reopen = async () => {
      part.opened = (await open(owner)).log
      return part.opened
    }
    part.own = { ...own, log: guarded(part, reopen, now) }
    return part
  }

  async function closeIdle(): Promise<void> {
    for (const opening of parts.values()) {
      const part = await opening.catch(() => undefined)
      if (!part?.opened || part.users > 0 || now() - part.usedAt < IDLE_MS) continue
      const { opened } = part
      part.log = undefined
      part.opened = undefined
      await opened.close().catch(() => undefined)
    }
  }

  return {
    async ownOf(owner: string): Promise<OwnHistory> {
      const opening = parts.get(owner) ?? openPart(owner)
      parts.set(owner, opening)
      // What could not be opened is tried again by the next who asks.
      const part = await opening.catch((error: unknown) => {
        if (parts.get(owner) === opening) parts.delete(owner)
        throw error
      })
      part.usedAt = now()
      return part.own
    },
    async close(): Promise<void> {
      clearInterval(timer)
      const settled = await Promise.allSettled(parts.values())
      const open = settled.flatMap((one) => (one.status === 'fulfilled' && one.value.opened ? [one.value.opened] : []))
      await Promise.allSettled(open.map((log) => log.close()))
    },
  }
}

// A log that is open while anybody uses it: calls under way, follows, watches and leases count.
function guarded(part: Part, reopen: () => Promise<SessionLog>, now: () => number): SessionLog {
  const enter = () => {
    part.users++
    part.usedAt = now()
  }
  const leave = () => {
    part.users--
    part.usedAt = now()
  }
  const opened = () => {
    part.log ??= reopen().catch((error: unknown) => {
      part.log = undefined
      throw error
    })
    return part.log
  }
  async function use<T>(work: (log: SessionLog) => Promise<T>): Promise<T> {
    enter()
    try {
      return await work(await opened())
    } finally {
      leave()
    }
  }
  async function* each<T>(work: (log: SessionLog) => AsyncIterable<T>): AsyncGenerator<T, void> {
    enter()
    try {
      yield* work(await opened())
    } finally {
      leave()
    }
  }
  return {
    create: (id, start) => use((log) => log.create(id, start)),
    admit: (id, fact) => use((log) => log.admit(id, fact)),
    append: (id, holder, facts) => use((log) => log.append(id, holder, facts)),
    erase: (id, seq) => use((log) => log.erase(id, seq)),
    list: () => each((log) => log.list()),
    read: (id, after) => each((log) => log.read(id, after)),
    follow: (id, after, signal) => each((log) => log.follow(id, after, signal)),
    watch(cursor, signal) {
      // The place is taken now where that can be: not when the first change is asked for.
      const changes = part.opened?.watch(cursor, signal)
      return each((log) => changes ?? log.watch(cursor, signal))
    },
    lease: (id) =>
      use(async (log) => {
        const lease = await log.lease(id)
        enter()
        return { ...held(lease), release: once(() => lease.release().finally(leave)) }
      }),
    // Whoever has it from here does not own it: it is closed with the server.
    close: async () => undefined,
  }
}

function held(lease: Lease): Omit<Lease, 'release'> {
  return { epoch: lease.epoch, last: lease.last, renew: () => lease.renew() }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
