import { join } from 'node:path'
import { alteredLog } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { sessionOver } from '../remote/session-over.ts'
import type { FoundSession } from '../sessions/found-session.ts'
import { servedDirectory } from '../undo/served-trees.ts'
import { hasHistory } from './has-history.ts'
import { isThere } from './is-there.ts'
import { type OpenedHistory, openHistoryFor, placeOf, showUrl } from './open-history-for.ts'

/**
 * What was brought in from elsewhere, or said at another door, by its whole id; no server may hold the history. Closing its log
 * lets go of the history.
 */
export async function findKept(invocation: Invocation, id: string): Promise<FoundSession | undefined> {
  if (!hasHistory(invocation)) return undefined
  const { own, close } = await share(invocation)
  if (!(await isThere(own.log, id))) {
    await close()
    return undefined
  }
  const log = alteredLog(own.log, { close })
  const { databaseUrl, home } = placeOf(invocation)
  const place = databaseUrl === undefined ? join(home, 'db') : showUrl(databaseUrl)
  return {
    ...sessionOver({ log, blobs: own.blobs }, { id, directory: servedDirectory(home) }),
    addressOf: (one) => `${place}#${one}`,
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
