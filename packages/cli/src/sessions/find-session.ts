import { basename, dirname } from 'node:path'
import { openJsonlStore } from '@maru/store'
import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { findLog } from '../replay/find-log.ts'
import type { OpenSession } from '../session/open-session.ts'
import { printable } from '../terminal/printable.ts'
import { latestSession, sessionsDirectory } from './list-sessions.ts'

/** The session that a person means: a file, an id or enough of one; without a name, the latest of this repository. */
export async function findSession(invocation: Invocation, name?: string): Promise<OpenSession> {
  const { directory, id } = name === undefined ? await latest(invocation) : placeOf(await findLog(name, invocation))
  return { ...openJsonlStore({ directory, now: Date.now }), directory, id }
}

function placeOf(path: string): { directory: string; id: string } {
  return { directory: dirname(path), id: basename(path, '.jsonl') }
}

async function latest(invocation: Invocation): Promise<{ directory: string; id: string }> {
  const row = await latestSession(invocation)
  if (row) return { directory: sessionsDirectory(invocation), id: row.id }
  throw usageError(invocation.t('sessions.none', { path: printable(invocation.repo()) }))
}
