import { basename, dirname } from 'node:path'
import { openJsonlStore } from '@maru/store'
import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { hasMoved } from '../remote/has-moved.ts'
import { findLog } from '../replay/find-log.ts'
import { printable } from '../terminal/printable.ts'
import type { FoundSession } from './found-session.ts'
import { latestSession, sessionsDirectory } from './list-sessions.ts'

/**
 * The session that a person means: a file, an id or enough of one; without a name, the latest of this repository. What
 * lies in no file may be kept by the server that runs, or in the history.
 */
export async function findSession(invocation: Invocation, name?: string): Promise<FoundSession> {
  const found = name === undefined ? await latest(invocation) : await named(invocation, name)
  if ('log' in found) return found
  const onRepair = ({ cut }: { cut: number }) => void invocation.notice(invocation.t('session.repaired', { cut }))
  return { ...openJsonlStore({ directory: found.directory, now: Date.now, onRepair }), ...found }
}

type Found = FoundSession | { directory: string; id: string }

async function named(invocation: Invocation, name: string): Promise<Found> {
  const path = await findLog(name, invocation).catch((error: Error) => error)
  // What stayed behind in a file when the session moved is only looked at where nobody has the rest.
  if (typeof path === 'string' && !hasMoved(path)) return placeOf(path)
  const { findServed, findStored } = await import('../remote/find-served.ts')
  if (typeof path === 'string') return (await findServed(invocation, placeOf(path).id)) ?? placeOf(path)
  const stored = await findStored(invocation, name)
  if (stored) return stored
  throw path
}

function placeOf(path: string): { directory: string; id: string } {
  return { directory: dirname(path), id: basename(path, '.jsonl') }
}

async function latest(invocation: Invocation): Promise<Found> {
  const row = await latestSession(invocation)
  const { findServed } = await import('../remote/find-served.ts')
  const served = await findServed(invocation)
  if (served && served.changedAt > (row?.changedAt ?? 0)) return served
  await served?.log.close()
  if (row) return { directory: sessionsDirectory(invocation), id: row.id }
  throw usageError(invocation.t('sessions.none', { path: printable(invocation.repo()) }))
}
