import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { LogError, type Recorded } from '@maru/protocol'
import { type JsonlStore, newSessionId, openJsonlStore } from '@maru/store'
import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { hasMoved, movedAway } from '../remote/has-moved.ts'
import { findLog } from '../replay/find-log.ts'
import { printable } from '../terminal/printable.ts'

/** A session that is there, and where it is kept. */
export interface OpenSession extends JsonlStore {
  id: string
  directory: string
  /** The one fact of a session that was begun just now. */
  begun?: Recorded
}

interface Wish {
  session?: string | undefined
  resume?: string | true | undefined
  continue?: boolean
  mustExist?: boolean
}

/** Finds the session that the options mean, or begins one. */
export async function openSession(
  invocation: Invocation,
  wish: Wish,
  mask?: (text: string) => string,
): Promise<OpenSession> {
  const place = await choosePlace(invocation, wish)
  const { t } = invocation
  const path = join(place.directory, `${place.id}.jsonl`)
  if (wish.mustExist && !existsSync(path)) {
    throw usageError(t('replay.no-session', { name: printable(place.id), directory: printable(place.directory) }))
  }
  const store = openJsonlStore({
    directory: place.directory,
    now: Date.now,
    ...(mask && { mask }),
    onRepair: ({ cut }) => void invocation.notice(t('session.repaired', { cut })),
  })
  try {
    const start = { agent: { kind: 'maru' }, door: 'terminal', cwd: invocation.repo() } as const
    return { ...store, ...place, begun: await store.log.create(place.id, start) }
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'exists')) throw error
    if (hasMoved(path)) throw movedAway(place.id, invocation)
    return { ...store, ...place }
  }
}

async function choosePlace(invocation: Invocation, { session, resume, continue: latest }: Wish) {
  const { cwd, home } = invocation
  const directory = join(home, 'sessions')
  if (session?.endsWith('.jsonl') || session?.includes('/')) {
    const path = resolve(cwd, session)
    return { directory: dirname(path), id: basename(path, '.jsonl') }
  }
  if (session !== undefined) return { directory, id: session }
  if (typeof resume === 'string') {
    const path = await findLog(resume, invocation)
    return { directory: dirname(path), id: basename(path, '.jsonl') }
  }
  if (latest || resume) return { directory, id: await findLatest(invocation) }
  return { directory, id: newSessionId(Date.now()) }
}

async function findLatest(invocation: Invocation): Promise<string> {
  const { latestSession } = await import('../sessions/list-sessions.ts')
  const latest = await latestSession(invocation)
  if (latest) return latest.id
  throw usageError(invocation.t('session.no-latest', { path: printable(invocation.repo()) }))
}
