import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LogError, type SessionStart, type Usage } from '@maru/protocol'
import { type JsonlStore, openJsonlStore } from '@maru/store'
import type { Invocation } from '../command.ts'
import { nameOf, type Overview, overview, totalUsage } from './overview.ts'

/** A session as it stands in a list. */
export interface SessionRow {
  readonly id: string
  /** Its title, else what was said first; empty where nothing was said. */
  readonly name: string
  readonly title?: string
  readonly startedAt: number
  readonly changedAt: number
  readonly cwd?: string
  readonly door?: SessionStart['door']
  readonly forkOf?: { readonly id: string; readonly seq: number }
  readonly inputs: number
  readonly turns: number
  readonly usage: Usage
  /** The same by model; one that is not known is ''. */
  readonly spent: { readonly [model: string]: Usage }
  /** Dollars, where the prices of all its models are known and somebody asked. */
  readonly cost?: number
  /** A run is open: it is being worked on, or waits to be gone on with. */
  readonly isOpen: boolean
  /** Some process is writing it right now. */
  readonly isRunning?: boolean
  readonly isMoved: boolean
  readonly isDamaged: boolean
  readonly bytes: number
}

export interface ListWish {
  /** Those of every directory, not of this repository alone. */
  readonly all?: boolean
  /** Words that all have to be in the name, in what was said early on, or in the id. */
  readonly search?: string | undefined
  readonly limit?: number | undefined
}

type Place = Pick<Invocation, 'home' | 'repo'>

/** Where sessions are kept. */
export function sessionsDirectory({ home }: Pick<Invocation, 'home'>): string {
  return join(home, 'sessions')
}

/** The sessions of this repository, or all: the one that changed last comes first. */
export async function listSessions(place: Place, { all = false, search, limit }: ListWish = {}): Promise<SessionRow[]> {
  const directory = sessionsDirectory(place)
  const store = openJsonlStore({ directory, now: Date.now })
  const isWanted = matcher(search)
  const root = all ? undefined : place.repo()
  const most = limit ?? Number.POSITIVE_INFINITY
  const rows: SessionRow[] = []
  for (const { id, writtenAt } of byTime(directory, store.ids())) {
    // A fact is not younger than its file: what comes now cannot be among the newest any more.
    if (rows.length >= most && writtenAt < (rows[most - 1]?.changedAt ?? 0)) break
    const seen = await glance(store, id)
    if (!seen || (root !== undefined && seen.row.cwd !== root) || !isWanted(seen)) continue
    rows.push(seen.row)
    if (limit !== undefined) rows.sort(newestFirst)
  }
  return rows.sort(newestFirst).slice(0, most)
}

// Copied or put back, a file may be younger than what it holds; clocks may differ a little.
const SLACK_MS = 2_000

function byTime(directory: string, ids: readonly string[]): { id: string; writtenAt: number }[] {
  const files = ids.map((id) => {
    const found = statSync(join(directory, `${id}.jsonl`), { throwIfNoEntry: false })
    return { id, writtenAt: (found?.mtimeMs ?? 0) + SLACK_MS }
  })
  return files.sort((one, other) => other.writtenAt - one.writtenAt)
}

function newestFirst(one: SessionRow, other: SessionRow): number {
  return other.changedAt - one.changedAt || (one.id < other.id ? 1 : -1)
}

/** The session of this repository that changed last. */
export async function latestSession(place: Place): Promise<SessionRow | undefined> {
  return (await listSessions(place, { limit: 1 }))[0]
}

/** The same rows, and which of them somebody is writing: worth asking for what is shown. */
export function markRunning(place: Pick<Invocation, 'home'>, rows: readonly SessionRow[]): Promise<SessionRow[]> {
  const store = openJsonlStore({ directory: sessionsDirectory(place), now: Date.now })
  return Promise.all(rows.map(async (row) => ({ ...row, isRunning: row.isRunning ?? (await store.isHeld(row.id)) })))
}

async function glance(store: JsonlStore, id: string): Promise<{ row: SessionRow; state: Overview } | undefined> {
  try {
    const { state, bytes, isDamaged } = await store.glance(id, overview)
    return { row: rowOf(id, state, { bytes, isDamaged }), state }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    // Erased since its name was read.
    if (error.code === 'missing') return undefined
    // One that cannot be read is listed all the same.
    const state = overview.create()
    return { row: rowOf(id, state, { bytes: 0, isDamaged: true }), state }
  }
}

/** A row from what was read of a session. */
export function rowOf(id: string, state: Overview, file: Pick<SessionRow, 'bytes' | 'isDamaged'>): SessionRow {
  const { start, title, startedAt, changedAt, inputs, turns, isOpen, isMoved } = state
  return {
    id,
    name: nameOf(state),
    ...(title !== undefined && { title }),
    startedAt,
    changedAt,
    ...(start?.cwd !== undefined && { cwd: start.cwd }),
    ...(start && { door: start.door }),
    ...(start?.forkOf && { forkOf: start.forkOf }),
    inputs,
    turns,
    usage: totalUsage(state),
    spent: state.usage,
    isOpen,
    isMoved,
    ...file,
  }
}

// Korean may be stored in another form than it was typed in.
const plain = (text: string) => text.normalize('NFC').toLowerCase()

/** Whether a session is one that is looked for. */
export function matcher(search = ''): (seen: { row: SessionRow; state: Overview }) => boolean {
  const words = plain(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return ({ row, state }) => {
    const { title = '', inherited = '', said, own = '' } = state
    const text = plain([row.id, title, inherited, own, ...said].join('\n'))
    return words.every((word) => text.includes(word))
  }
}
