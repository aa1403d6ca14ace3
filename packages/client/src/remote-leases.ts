import { isByRunner, type Lease, LogError, type Recorded, type RunnerFact } from '@maru/protocol'
import type { Connection } from './connect.ts'
import { wait } from './link.ts'
import { type CallLog, isInDoubt } from './log-calls.ts'
import { makeKey } from './make-key.ts'

/** A server lets go of a lease some seconds after its socket; the log of a server that died, after half a minute. */
const RENEW_MS = 10_000
const HELD_BY_US_MS = 45_000
const LOOK_AGAIN_MS = 50
const LOOK_LESS_OFTEN_MS = 2_000

interface Held {
  id: string
  /** What the runner knows it by. */
  epoch: number
  /** What the server knows it by now: another, after a server that forgot it. */
  wire: number
  /** The last of the runner's own facts. */
  last: number
  /** In which opening of the connection the server last agreed. */
  agreedIn: number
  /** It is being taken anew. */
  retaking?: Promise<boolean>
}

export interface RemoteLeases {
  take(id: string): Promise<Lease>
  append(id: string, holder: { epoch: number; expect: number }, facts: RunnerFact[]): Promise<Recorded[]>
  releaseAll(): Promise<void>
  close(): void
}

export interface LeaseCalls {
  call: CallLog
  readBehind(id: string, seq: number): AsyncIterable<Recorded>
}

/**
 * Leases that outlive cuts, and a server that was started anew: as long as no other runner has written in between, the
 * runner here does not notice.
 */
export function createRemoteLeases(connection: Connection, { call, readBehind }: LeaseCalls): RemoteLeases {
  const held = new Map<string, Held>()
  let timer: ReturnType<typeof setInterval> | undefined

  // A lease whose answer was lost is had again by its key. Where a server has forgotten that, or was still giving it when its
  // socket went, it cannot be seen whose lease stands in the way: one of ours runs out.
  const askLease = async (id: string, mayBeOurs: boolean) => {
    const until = Date.now() + HELD_BY_US_MS
    const key = makeKey()
    let isOurs = mayBeOurs
    for (let attempts = 0; ; attempts++) {
      try {
        return await call({ op: 'lease', id, key })
      } catch (error) {
        isOurs ||= isInDoubt(error, 'held')
        if (!isOurs || !isCode(error, 'held') || Date.now() > until) throw error
        await new Promise((resolve) => setTimeout(resolve, wait(attempts, LOOK_AGAIN_MS, LOOK_LESS_OFTEN_MS)))
      }
    }
  }
  const agree = (one: Held) => {
    one.agreedIn = connection.opened
  }
  const renew = async (one: Held) => {
    try {
      await call({ op: 'renew', id: one.id, epoch: one.wire })
      agree(one)
    } catch (error) {
      if (!isCode(error, 'conflict') || !isHeld(one) || !(await retake(one))) throw error
    }
  }
  const isHeld = (one: Held) => held.get(nameOf(one)) === one
  // Only a server that may have forgotten us is asked again: one that took the lease away has its reasons.
  const retake = async (one: Held): Promise<boolean> => {
    // One that began before the last answer may have judged by less than is known now.
    if (await one.retaking) return true
    if (one.agreedIn === connection.opened) return false
    one.retaking ??= takeAgain(one).finally(() => {
      delete one.retaking
    })
    return one.retaking
  }
  const takeAgain = async (one: Held): Promise<boolean> => {
    const { id } = one
    const next = await askLease(id, true).catch(() => undefined)
    if (!next) return false
    if (next.last !== one.last || !isHeld(one)) {
      await call({ op: 'release', id, epoch: next.epoch }).catch(() => undefined)
      return false
    }
    one.wire = next.epoch
    agree(one)
    return true
  }
  const release = async (one: Held) => {
    if (!isHeld(one)) return
    held.delete(nameOf(one))
    if (held.size === 0) clearInterval(timer)
    await call({ op: 'release', id: one.id, epoch: one.wire })
  }
  // What fails here shows when the runner writes.
  const renewAll = () => {
    for (const one of held.values()) void renew(one).catch(() => undefined)
  }
  const stopListening = connection.onState((state) => {
    if (state === 'open') renewAll()
  })

  return {
    async take(id) {
      const { epoch, last } = await askLease(id, false)
      const one: Held = { id, epoch, wire: epoch, last, agreedIn: connection.opened }
      held.set(nameOf(one), one)
      clearInterval(timer)
      timer = setInterval(renewAll, RENEW_MS)
      return { epoch, last, renew: () => renew(one), release: () => release(one) }
    },
    async append(id, { epoch, expect }, facts) {
      const one = held.get(nameOf({ id, epoch }))
      if (!one) return call({ op: 'append', id, holder: { epoch, expect }, facts })
      for (;;) {
        const { wire } = one
        try {
          const records = await call({ op: 'append', id, holder: { epoch: wire, expect }, facts })
          agree(one)
          return written(one, records)
        } catch (error) {
          // To whom is it said? Perhaps to ourselves: the answer was lost, or the server forgot our lease.
          const isForgotten = one.agreedIn !== connection.opened || one.wire !== wire
          if (!isCode(error, 'conflict') || !(isForgotten || isInDoubt(error, 'conflict'))) throw error
          const behind = await ownBehind(readBehind(id, expect), facts.length)
          if (areSame(behind, facts)) return written(one, behind)
          if (behind.length > 0 || (one.wire === wire && !(await retake(one)))) throw error
        }
      }
    },
    async releaseAll() {
      await Promise.allSettled([...held.values()].map(release))
    },
    close() {
      stopListening()
      clearInterval(timer)
      held.clear()
    },
  }

  function written(one: Held, records: Recorded[]): Recorded[] {
    one.last = records.at(-1)?.seq ?? one.last
    return records
  }
}

async function ownBehind(facts: AsyncIterable<Recorded>, wanted: number): Promise<Recorded[]> {
  const own: Recorded[] = []
  for await (const fact of facts) {
    if (isByRunner(fact)) own.push(fact)
    if (own.length > wanted) break
  }
  return own
}

// What stands in the log went through its mask, so only what is never masked can be compared.
function areSame(stored: Recorded[], facts: RunnerFact[]): boolean {
  return stored.length === facts.length && stored.every((record, at) => markOf(record) === markOf(facts[at]))
}

const NAMES = ['type', 'runId', 'turnId', 'callId', 'questionId', 'id'] as const

function markOf(fact: object | undefined): string {
  return JSON.stringify(NAMES.map((name) => (fact as { [name: string]: unknown } | undefined)?.[name]))
}

function isCode(error: unknown, code: LogError['code']): boolean {
  return error instanceof LogError && error.code === code
}

function nameOf({ id, epoch }: { id: string; epoch: number }): string {
  return `${epoch} ${id}`
}
