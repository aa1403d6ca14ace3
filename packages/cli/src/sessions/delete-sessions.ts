import { LogError, type SessionLog } from '@maru/protocol'
import { type JsonlStore, openJsonlStore } from '@maru/store'
import { sweepHome } from './sweep-home.ts'
import { trees } from './trees.ts'

/** A session that is to go. */
export interface Doomed {
  readonly directory: string
  readonly id: string
  /** Where it is no file. */
  readonly store?: Pick<JsonlStore, 'log' | 'glance'>
}

export interface Deleted {
  readonly deleted: string[]
  /** What is still there, and why. */
  readonly left: { id: string; code: string; reason: string }[]
  /** Contents of files that only they held; `isBusy`: somebody works there, and they go with the next deletion. */
  readonly snapshots: { removed: number; isBusy: boolean }
}

/** Erases sessions for good: logs, blobs, raw events, and the snapshots that no other session holds. */
export async function deleteSessions(home: string, doomed: readonly Doomed[]): Promise<Deleted> {
  const deleted: string[] = []
  const left: Deleted['left'] = []
  const gone = new Set<string>()
  for (const { directory, id, store: served } of doomed) {
    const store = served ?? openJsonlStore({ directory, now: Date.now })
    try {
      const { state } = await store.glance(id, trees)
      if (served) await eraseServed(served.log, id)
      else await store.log.erase(id)
      deleted.push(id)
      for (const tree of Object.keys(state.ids)) gone.add(tree)
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      left.push({ id, code: error.code, reason: error.message })
    } finally {
      await store.log.close()
    }
  }
  const snapshots = gone.size > 0 ? await sweepHome(home, gone) : { removed: 0, isBusy: false }
  return { deleted, left, snapshots }
}

// A server erases what anybody works on, if it is told to; a file does not.
async function eraseServed(log: SessionLog, id: string): Promise<void> {
  const lease = await log.lease(id)
  try {
    await log.erase(id)
  } finally {
    // Of what is gone there is nothing to give back.
    await lease.release().catch(() => undefined)
  }
}
