import { type Lease, LogError, type SessionLog } from '@maru/protocol'
import { createLiveBudget, type LiveBudget } from './live-budget.ts'

/** A lease that a runner elsewhere holds through a socket. */
export interface HeldLease {
  readonly owner: string
  readonly id: string
  readonly lease: Lease
  readonly budget: LiveBudget
}

/** Leases of runners that work under this server's log. */
export interface HeldLeases<Holder> {
  /** With a key, also one that was taken with the same: whoever made it up did not hear of that. */
  take(holder: Holder, session: { owner: string; id: string; log: SessionLog; key?: string }): Promise<Lease>
  /** The lease, if it is this holder's; with its epoch, also one whose socket was cut: it is this holder's from now on. */
  find(holder: Holder, session: { owner: string; id: string; epoch?: number }): HeldLease | undefined
  release(held: HeldLease): Promise<void>
  /** The holder's socket is gone. */
  leave(holder: Holder): void
  /** Lets go of those that nobody came back for. */
  sweep(): void
  isHeld(owner: string, id: string): boolean
  /** A holder that had the lease at some time is still there, or may come back. */
  isHere(owner: string, id: string): boolean
  close(): Promise<void>
}

/**
 * The log renews what this process holds and the database lets go of it half a minute after the process has died; the
 * runner behind a socket is as alive as the socket. So a lease stays for a grace time when its socket closes, and whoever
 * comes back with its epoch (a number that no other lease ever had, known to its runner only) goes on with it, even if
 * the old socket has not been seen to be dead yet. Then it is released, and from there on the epoch writes nothing.
 */
export function createHeldLeases<Holder extends object>({
  now,
  graceMs,
  onReleased,
}: {
  now(): number
  graceMs: number
  onReleased(held: HeldLease): void
}): HeldLeases<Holder> {
  type Kept = HeldLease & { key: string | undefined; holder: Holder | undefined; leftAt: number }
  const all = new Map<string, Kept>()
  const known = new Map<Holder, Set<string>>()
  // What they asked for before they left is done all the same, but nothing is theirs any more.
  const gone = new WeakSet<Holder>()
  const nameOf = ({ owner, id }: { owner: string; id: string }) => `${owner}/${id}`
  const letGo = (held: HeldLease): Promise<void> => {
    if (all.get(nameOf(held))?.lease === held.lease) all.delete(nameOf(held))
    onReleased(held)
    return held.lease.release()
  }
  const give = (held: Kept, holder: Holder) => {
    held.holder = holder
    known.set(holder, (known.get(holder) ?? new Set()).add(nameOf(held)))
  }
  return {
    async take(holder, { owner, id, log, key }) {
      const kept = all.get(nameOf({ owner, id }))
      if (kept && key !== undefined && kept.key === key) {
        // First: what has a holder is not swept away meanwhile.
        if (!gone.has(holder)) give(kept, holder)
        if (await isRenewed(kept.lease)) return kept.lease
      }
      const lease = await log.lease(id)
      if (gone.has(holder)) {
        // Nobody else knows its number: it would be held for as long as this process lives.
        await lease.release()
        throw new LogError('closed', 'the client has left')
      }
      const held: Kept = { owner, id, lease, budget: createLiveBudget(), key, holder, leftAt: 0 }
      all.set(nameOf(held), held)
      give(held, holder)
      return lease
    },
    find(holder, { owner, id, epoch }) {
      const held = all.get(nameOf({ owner, id }))
      if (!held || (epoch !== undefined && held.lease.epoch !== epoch)) return undefined
      if (gone.has(holder)) return epoch === undefined ? undefined : held
      if (epoch !== undefined && held.holder !== holder) give(held, holder)
      return held.holder === holder ? held : undefined
    },
    release: letGo,
    leave(holder) {
      gone.add(holder)
      known.delete(holder)
      for (const held of all.values()) {
        if (held.holder !== holder) continue
        held.holder = undefined
        held.leftAt = now()
      }
    },
    sweep() {
      for (const held of all.values()) {
        // A database that is away lets go by itself.
        if (!held.holder && now() - held.leftAt >= graceMs) void letGo(held).catch(() => undefined)
      }
    },
    isHeld: (owner, id) => all.has(nameOf({ owner, id })),
    isHere: (owner, id) => [...known.values()].some((names) => names.has(nameOf({ owner, id }))),
    async close() {
      await Promise.allSettled([...all.values()].map(letGo))
    },
  }
}

async function isRenewed(lease: Lease): Promise<boolean> {
  try {
    await lease.renew()
    return true
  } catch (error) {
    if (error instanceof LogError && error.code === 'conflict') return false
    throw error
  }
}
