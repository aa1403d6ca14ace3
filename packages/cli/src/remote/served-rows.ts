import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { alteredLog, LogError } from '@maru/protocol'
import { openJsonlStore } from '@maru/store'
import type { Invocation } from '../command.ts'
import { hasHistory } from '../history/has-history.ts'
import type { FoundSession } from '../sessions/found-session.ts'
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
import { hasMoved } from './has-moved.ts'
import type { ServerLink } from './link.ts'
import { addressAt, isAtWork } from './remote-sessions.ts'
import { sessionOver } from './session-over.ts'

/** Every session that can be reached from here, for whoever works with several of them. */
export interface Everywhere {
  /** The one that changed last comes first. */
  readonly rows: SessionRow[]
  /** False where there is a history that only a running server could look into. */
  readonly isWhole: boolean
  /** One of them. Closing its log ends nothing for the others. */
  open(row: SessionRow): FoundSession
  close(): Promise<void>
}

/** The sessions in files and, where a server runs, those that it keeps. */
export async function openEverywhere(invocation: Invocation, wish: ListWish = {}): Promise<Everywhere> {
  const files = await listSessions(invocation, wish)
  const directory = sessionsDirectory(invocation)
  const inFile = ({ id }: SessionRow) => ({ ...openJsonlStore({ directory, now: Date.now }), directory, id })
  const server = await findServer(invocation, PATIENT_MS)
  if (!server) return { rows: files, isWhole: !hasHistory(invocation), open: inFile, close: async () => undefined }
  const { openLink } = await import('./open-link.ts')
  const link = await openLink(server, { invocation })
  try {
    const served = await servedRows(invocation, link, wish)
    const ids = new Set(served.map(({ id }) => id))
    // Of one that has moved, the file has only the beginning.
    const rows = [...files.filter(({ id }) => !ids.has(id)), ...served]
    rows.sort((one, other) => other.changedAt - one.changedAt || (one.id < other.id ? 1 : -1))
    const log = alteredLog(link.log, { close: async () => undefined })
    const inHistory = ({ id }: SessionRow) => ({
      ...sessionOver({ log, blobs: link.blobs }, { id, directory: servedDirectory(invocation.home) }),
      addressOf: addressAt(link),
    })
    return {
      rows: rows.slice(0, wish.limit ?? rows.length),
      isWhole: true,
      open: (row) => (ids.has(row.id) ? inHistory(row) : inFile(row)),
      close: () => link.close(),
    }
  } catch (error) {
    await link.close()
    throw error
  }
}

/** The same, only to look at them. */
export async function listEverywhere(invocation: Invocation, wish: ListWish = {}): Promise<SessionRow[]> {
  const { rows, close } = await openEverywhere(invocation, wish)
  await close()
  return rows
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
  const path = join(sessionsDirectory(invocation), `${id}.jsonl`)
  return existsSync(path) && !hasMoved(path)
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof LogError && error.code === 'missing')) throw error
}
