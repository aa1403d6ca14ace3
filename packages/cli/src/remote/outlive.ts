import { setTimeout as pause } from 'node:timers/promises'
import { type BlobStore, type Lease, type LiveBus, LogError, type Recorded, type SessionLog } from '@maru/protocol'
import { createLiveBus, type JsonlStore } from '@maru/store'
import { type ForkPlace, forkHere } from './fork-here.ts'
import { createPatience, GAVE_UP } from './give-up.ts'
import { createCopy } from './keep-copy.ts'
import type { ServerLink } from './link.ts'

export interface OutliveOptions extends ForkPlace {
  /** The session at the server. */
  readonly id: string
  readonly graceMs: number
  /** The server does not answer; it is waited for. */
  onCut(): void
  onBack(): void
  /**
   * It was given up: from now on the session is this one, in a file. Nothing that waits to be sent may be sent any more,
   * should the server come back.
   */
  onForked(id: string): void
}

/** A session under a server's log that goes on under a log of this machine when the server goes away. */
export interface Outliving {
  /** The one it is now. */
  readonly id: string
  readonly log: SessionLog
  readonly blobs: BlobStore
  readonly live: LiveBus
}

/** The right to write, kept for as long as the session is open here, so that nobody else begins to work on it. */
interface Hold {
  readonly lease: Lease
  /** The runner's last fact. */
  own: number
}

interface Here extends Hold {
  readonly id: string
  readonly store: JsonlStore
}

/**
 * Whoever works under this log does not notice: a fact that the server did not take any more is taken here, and what was
 * followed there is followed here from the next fact on. Its old id keeps meaning it. `held` when somebody else works on it.
 */
export async function outlive(link: ServerLink, options: OutliveOptions): Promise<Outliving> {
  const { id: there, onForked } = options
  const copy = createCopy((hash) => link.blobs.get(there, hash))
  const bus = createLiveBus()
  const hold = holdOf(await link.log.lease(there))
  const patience = createPatience(link.connection, options)
  let here: Promise<Here> | undefined
  let hereId: string | undefined
  let running = 0
  let epochs = 0
  const goOnHere = (): Promise<Here> => {
    here ??= (async () => {
      const { id, store } = await forkHere({ id: there, facts: copy.facts(), content: copy.content }, options)
      const place = { id, store, ...holdOf(await store.log.lease(id)) }
      hereId = id
      patience.close()
      onForked(id)
      return place
    })()
    return here
  }
  const isOurs = (id: string) => id === there || id === hereId
  // While the server is away its calls wait; they are given up with it.
  const reach = async <T>(remotely: () => Promise<T>, locally: (place: Here) => Promise<T>): Promise<T> => {
    if (!here && !patience.over.aborted) {
      const got = await patience.until(remotely())
      if (got !== GAVE_UP) return got
    }
    return locally(await goOnHere())
  }
  // Content goes by requests of its own, which fail while nobody answers.
  const reachContent = <T>(remotely: () => Promise<T>, locally: (place: Here) => Promise<T>): Promise<T> => {
    const again = async (): Promise<T> => {
      for (;;) {
        try {
          return await remotely()
        } catch (error) {
          if (error instanceof LogError || link.connection.isUp || patience.over.aborted) throw error
          await pause(AGAIN_MS)
        }
      }
    }
    return reach(again, locally)
  }
  const take = (record: Recorded) => {
    copy.take(record)
    return record
  }
  const log: SessionLog = {
    create: (id, start) =>
      reach(
        () => link.log.create(id, start),
        (place) => place.store.log.create(id, start),
      ),
    async *list() {
      yield* here ? (await here).store.log.list() : link.log.list()
    },
    async lease(id) {
      if (!isOurs(id)) return link.log.lease(id)
      if (running > 0) throw new LogError('held', `session ${there} is running`)
      const epoch = ++epochs
      running = epoch
      const expectRunning = () => {
        if (running !== epoch) throw new LogError('conflict', `lease ${epoch} on session ${there} is over`)
      }
      return {
        epoch,
        last: ((await here) ?? hold).own,
        renew: async () => expectRunning(),
        async release() {
          if (running === epoch) running = 0
        },
      }
    },
    admit: (id, fact) =>
      isOurs(id)
        ? reach(
            () => link.log.admit(there, fact),
            (place) => place.store.log.admit(place.id, fact),
          )
        : link.log.admit(id, fact),
    async append(id, holder, facts) {
      if (!isOurs(id)) return link.log.append(id, holder, facts)
      if (holder.epoch !== running) throw new LogError('conflict', `lease ${holder.epoch} on session ${id} is over`)
      const store = async (log: SessionLog, name: string, held: Hold) => {
        // Of what the runner knows, only the beginning of a fork is not its own.
        const stored = await log.append(name, { epoch: held.lease.epoch, expect: held.own }, facts)
        held.own = stored.at(-1)?.seq ?? held.own
        return stored
      }
      return reach(
        async () => (await store(link.log, there, hold)).map(take),
        (place) => store(place.store.log, place.id, place),
      )
    },
    async *read(id, after = 0) {
      if (!isOurs(id)) return yield* here ? (await here).store.log.read(id, after) : link.log.read(id, after)
      let last = after
      if (!here) {
        const pages = link.log.read(there, last)[Symbol.asyncIterator]()
        for (;;) {
          const next = await patience.until(pages.next())
          if (next === GAVE_UP) break
          if (next.done) return
          last = next.value.seq
          yield take(next.value)
        }
      }
      const place = await goOnHere()
      yield* place.store.log.read(place.id, last)
    },
    async *follow(id, after, signal) {
      if (!isOurs(id)) return yield* link.log.follow(id, after, signal)
      let last = after
      const over = AbortSignal.any([signal, patience.over])
      if (!here && !over.aborted) {
        try {
          for await (const record of link.log.follow(there, last, over)) {
            last = record.seq
            yield take(record)
          }
        } catch (error) {
          // A key that is refused ends it as a server that went away does.
          if (!over.aborted) throw error
        }
      }
      // Without either, it was erased.
      if (signal.aborted || !(here || patience.over.aborted)) return
      const place = await goOnHere()
      yield* place.store.log.follow(place.id, last, signal)
    },
    async *watch(cursor, signal) {
      yield* here ? (await here).store.log.watch(cursor, signal) : link.log.watch(cursor, signal)
    },
    erase: (id, seq) =>
      reach(
        () => link.log.erase(id, seq),
        (place) => place.store.log.erase(isOurs(id) ? place.id : id, seq),
      ),
    async close() {
      const place = await here
      if (place) await place.store.log.close()
      // Where nobody listens it runs out by itself.
      else if (link.connection.isUp) await patience.until(hold.lease.release())
      patience.close()
    },
  }
  return {
    get id() {
      return hereId ?? there
    },
    log,
    blobs: copy.keeping(blobsOf()),
    live: {
      publish(_id, live) {
        bus.publish(there, live)
        if (!here) link.live.publish(there, live)
      },
      subscribe: (_id, listener) => bus.subscribe(there, listener),
      settle(_id, done) {
        bus.settle(there, done)
        if (!here) link.live.settle(there, done)
      },
    },
  }

  function blobsOf(): BlobStore {
    const at = (holder: string, place: Here) => (isOurs(holder) ? place.id : holder)
    const from = (holder: string) => (isOurs(holder) ? there : holder)
    return {
      put: (holder, content) =>
        reachContent(
          () => link.blobs.put(from(holder), content),
          (place) => place.store.blobs.put(at(holder, place), content),
        ),
      get: (holder, hash, range) =>
        reachContent(
          () => link.blobs.get(from(holder), hash, range),
          (place) => place.store.blobs.get(at(holder, place), hash, range),
        ),
      share: (one, other, hashes) =>
        reachContent(
          () => link.blobs.share(from(one), from(other), hashes),
          (place) => place.store.blobs.share(at(one, place), at(other, place), hashes),
        ),
      release: (holder, hash) =>
        reachContent(
          () => link.blobs.release(from(holder), hash),
          (place) => place.store.blobs.release(at(holder, place), hash),
        ),
      flush: (holder) =>
        reachContent(
          () => link.blobs.flush(from(holder)),
          (place) => place.store.blobs.flush(at(holder, place)),
        ),
    }
  }
}

const AGAIN_MS = 200

function holdOf(lease: Lease): Hold {
  return { lease, own: lease.last }
}
