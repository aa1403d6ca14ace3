import { join } from 'node:path'
import { LogError, type SessionLog } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { sessionOver } from '../remote/session-over.ts'
import type { OpenSession } from '../session/open-session.ts'
import { servedDirectory } from '../undo/served-trees.ts'
import { hasHistory } from './has-history.ts'
import { type OpenedHistory, openHistoryFor, placeOf, showUrl } from './open-history-for.ts'

/** A conversation that only the history has. Closing its log lets go of the history. */
export interface KeptSession extends OpenSession {
  /** Where such a one can be found, as others would say it. */
  addressOf(id: string): string
}

/** What was brought in from elsewhere, or said at another door, by its whole id; no server may hold the history. */
export async function findKept(invocation: Invocation, id: string): Promise<KeptSession | undefined> {
  if (!hasHistory(invocation)) return undefined
  const { own, close } = await share(invocation)
  if (!(await isThere(own.log, id))) {
    await close()
    return undefined
  }
  const log = closedBy(own.log, close)
  const { databaseUrl, home } = placeOf(invocation)
  const place = databaseUrl === undefined ? join(home, 'db') : showUrl(databaseUrl)
  return {
    ...sessionOver({ log, blobs: own.blobs }, { id, directory: servedDirectory(home) }),
    addressOf: (one) => `${place}#${one}`,
  }
}

/** Whether a log has anything of this id. */
export async function isThere(log: Pick<SessionLog, 'read'>, id: string): Promise<boolean> {
  try {
    for await (const _ of log.read(id)) return true
    return false
  } catch (error) {
    if (error instanceof LogError && (error.code === 'missing' || error.code === 'rejected')) return false
    throw error
  }
}

const shared = new Map<string, { opened: Promise<OpenedHistory>; users: number }>()

// An embedded history is open once in a process; who names several conversations has them all at the same time.
async function share(invocation: Invocation): Promise<Pick<OpenedHistory, 'own' | 'close'>> {
  const { databaseUrl, home } = placeOf(invocation)
  const key = databaseUrl ?? home
  const one = shared.get(key) ?? { opened: openHistoryFor(invocation, { hasMirror: false }), users: 0 }
  shared.set(key, one)
  one.users++
  const leave = async () => {
    if (--one.users > 0) return
    shared.delete(key)
    await (await one.opened).close()
  }
  try {
    return { own: (await one.opened).own, close: once(leave) }
  } catch (error) {
    shared.delete(key)
    throw error
  }
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= act())
}

function closedBy(log: SessionLog, close: () => Promise<void>): SessionLog {
  return {
    create: (...given) => log.create(...given),
    list: () => log.list(),
    lease: (id) => log.lease(id),
    admit: (...given) => log.admit(...given),
    append: (...given) => log.append(...given),
    read: (...given) => log.read(...given),
    follow: (...given) => log.follow(...given),
    watch: (...given) => log.watch(...given),
    erase: (...given) => log.erase(...given),
    close,
  }
}
