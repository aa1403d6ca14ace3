import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LogError } from '@maru/protocol'
import { type JsonlStore, openJsonlStore } from '@maru/store'
import { sweepSnapshots } from '@maru/tools'
import { readServer, serverFile } from '../remote/find-server.ts'
import { isAlive } from '../serve/is-alive.ts'
import { servedTrees } from '../undo/served-trees.ts'
import { claimedElsewhere, snapshotStore } from '../undo/snapshot-store.ts'
import { overview } from './overview.ts'
import { trees } from './trees.ts'

/** Takes away what was kept of work trees for sessions that are gone, as far as no other session holds it. */
export async function sweepHome(
  home: string,
  gone: ReadonlySet<string>,
): Promise<{ removed: number; isBusy: boolean }> {
  const total = { removed: 0, isBusy: false }
  const places = await readdir(join(home, 'snapshots')).catch(() => [])
  const stores = places.map((name) => join(home, 'snapshots', name))
  const sessions = openJsonlStore({ directory: join(home, 'sessions'), now: Date.now })
  const keep = await heldTrees(sessions, stores.flatMap(claimedElsewhere)).catch(ignoreUnreadable)
  // What a session that cannot be read holds, nobody knows.
  if (!keep || isServing(home)) return { ...total, isBusy: true }
  for (const tree of servedTrees(home)) keep.add(tree)
  for (const store of stores) {
    const swept = await sweepSnapshots({ store, keep, gone, isFree: () => isFree({ home, store, sessions }) })
    if (swept.kind === 'busy') total.isBusy = true
    else total.removed += swept.removed
  }
  return total
}

// Whose agents may work in any of these trees just now, and whose logs are no files.
function isServing(home: string): boolean {
  const server = readServer(serverFile(home))
  return server !== undefined && isAlive(server.pid)
}

async function heldTrees(sessions: JsonlStore, elsewhere: string[]): Promise<Set<string>> {
  const keep = new Set<string>()
  for (const id of sessions.ids()) await addTrees(keep, sessions, id)
  for (const path of elsewhere) {
    await addTrees(keep, openJsonlStore({ directory: dirname(path), now: Date.now }), basename(path, '.jsonl'))
  }
  return keep
}

async function addTrees(keep: Set<string>, store: JsonlStore, id: string): Promise<void> {
  const seen = await store.glance(id, trees).catch(ignoreMissing)
  for (const tree of Object.keys(seen?.state.ids ?? {})) keep.add(tree)
}

// Whoever runs a session in that directory may be about to build on what is there.
async function isFree({ home, store, sessions }: { home: string; store: string; sessions: JsonlStore }) {
  const elsewhere = claimedElsewhere(store).map((path) => {
    return { store: openJsonlStore({ directory: dirname(path), now: Date.now }), id: basename(path, '.jsonl') }
  })
  const all = [...sessions.ids().map((id) => ({ store: sessions, id })), ...elsewhere]
  for (const session of all) {
    if (!(await session.store.isHeld(session.id))) continue
    const seen = await session.store.glance(session.id, overview).catch(ignoreMissing)
    const cwd = seen?.state.start?.cwd
    if (cwd === undefined || snapshotStore(home, cwd) === store) return false
    const held = await session.store.glance(session.id, trees).catch(ignoreMissing)
    if (Object.keys(held?.state.ids ?? {}).length > 0) return false
  }
  return true
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof LogError && error.code === 'missing') return undefined
  throw error
}

function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof LogError) return undefined
  throw error
}
