import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LogError } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import {
  type ListWish,
  listSessions,
  matcher,
  rowOf,
  type SessionRow,
  sessionsDirectory,
} from '../sessions/list-sessions.ts'
import { overview } from '../sessions/overview.ts'
import { servedDirectory } from '../undo/served-trees.ts'
import { findServer, PATIENT_MS } from './find-server.ts'
import type { ServerLink } from './link.ts'
import { isAtWork } from './remote-sessions.ts'
import { sessionOver } from './session-over.ts'

/** The sessions in files and, where a server runs, those that it keeps: the one that changed last comes first. */
export async function listEverywhere(invocation: Invocation, wish: ListWish = {}): Promise<SessionRow[]> {
  const files = await listSessions(invocation, wish)
  const server = await findServer(invocation, PATIENT_MS)
  if (!server) return files
  const { openLink } = await import('./open-link.ts')
  const link = await openLink(server, { invocation })
  try {
    const rows = [...files, ...(await servedRows(invocation, link, wish))]
    rows.sort((one, other) => other.changedAt - one.changedAt || (one.id < other.id ? 1 : -1))
    return rows.slice(0, wish.limit ?? rows.length)
  } finally {
    await link.close()
  }
}

// What lies in a file is read there: the server's copy of it may be some seconds behind.
async function servedRows(
  invocation: Invocation,
  link: ServerLink,
  { all = false, search, limit = Number.POSITIVE_INFINITY }: ListWish,
): Promise<SessionRow[]> {
  const isWanted = matcher(search)
  const root = all ? undefined : invocation.repo()
  const session = sessionOver(link, { id: '', directory: servedDirectory(invocation.home) })
  const rows: SessionRow[] = []
  const newest = (await link.sessions()).toSorted((one, other) => other.changedAt - one.changedAt)
  for (const served of newest) {
    const { id, repo } = served
    if (rows.length >= limit) break
    if ((root !== undefined && repo !== root) || isInFile(invocation, id)) continue
    const seen = await session.glance(id, overview).catch(unlessGone)
    if (!seen) continue
    const row = { ...rowOf(id, seen.state, seen), isRunning: isAtWork(served) }
    if (isWanted({ row, state: seen.state })) rows.push(row)
  }
  return rows
}

function isInFile(invocation: Invocation, id: string): boolean {
  return existsSync(join(sessionsDirectory(invocation), `${id}.jsonl`))
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof LogError && error.code === 'missing')) throw error
}
