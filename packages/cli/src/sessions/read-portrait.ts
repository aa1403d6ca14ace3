import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileChange, Part, Recorded } from '@maru/protocol'
import { openWorkspaceUndo, type RunEffects, readRunEffects } from '@maru/tools'
import type { Invocation } from '../command.ts'
import type { OpenSession } from '../session/open-session.ts'
import { snapshotStore } from '../undo/snapshot-store.ts'
import { type FoundSession, placeOfSession } from './found-session.ts'
import { listSessions, rowOf, type SessionRow } from './list-sessions.ts'
import { overview } from './overview.ts'
import { priceSessions } from './price-sessions.ts'

/** Something that was said, and how far the facts about it go: where a fork would begin. */
export interface Said {
  readonly seq: number
  readonly until: number
  readonly at: number
  readonly words: string
}

/** What there is to know of a session at a glance. */
export interface Portrait {
  readonly row: SessionRow
  readonly file: string
  readonly facts: number
  /** Bytes on the disk, of everything it has. */
  readonly diskBytes: number
  /** As they were last. */
  readonly settings: { provider?: string; model?: string; mode?: string; effort?: string }
  /** How often each tool was called. */
  readonly tools: { readonly [tool: string]: number }
  readonly files: readonly FileChange[]
  readonly said: readonly Said[]
  readonly forks: readonly { id: string; seq: number; name: string }[]
}

/** Reads one session through for what its portrait needs. */
export async function readPortrait(invocation: Invocation, session: FoundSession): Promise<Portrait> {
  const { log, id, directory } = session
  const file = placeOfSession(session)
  const sketch = createSketch()
  const { state, seq, bytes, isDamaged } = await session.glance(id, overview)
  const runs = await readRunEffects(watch(log.read(id), sketch.take))
  const row = { ...rowOf(id, state, { bytes, isDamaged }), isRunning: await session.isHeld(id) }
  const [priced = row] = await priceSessions(invocation, [row])
  const forks = (await listSessions(invocation, { all: true })).flatMap(({ id: fork, forkOf, name }) =>
    forkOf?.id === id ? [{ id: fork, seq: forkOf.seq, name }] : [],
  )
  return {
    row: priced,
    file,
    facts: seq,
    diskBytes: bytes + (await bytesBelow(join(directory, id))),
    settings: sketch.settings,
    tools: Object.fromEntries(sketch.tools),
    files: await filesOf(invocation, { session, runs, cwd: row.cwd }),
    said: sketch.said,
    forks,
  }
}

async function* watch(records: AsyncIterable<Recorded>, take: (record: Recorded) => void): AsyncGenerator<Recorded> {
  for await (const record of records) {
    take(record)
    yield record
  }
}

function createSketch() {
  const settings: { provider?: string; model?: string; mode?: string; effort?: string } = {}
  const tools = new Map<string, number>()
  const said: { seq: number; until: number; at: number; words: string }[] = []
  const take = (record: Recorded): void => {
    const last = said.at(-1)
    if (record.type === 'input-admit' || (record.type === 'message-add' && record.role === 'user')) {
      said.push({ seq: record.seq, until: record.seq, at: record.at, words: wordsOf(record.parts) })
    } else if (last) last.until = record.seq
    if (record.type === 'turn-start' || record.type === 'settings-change') {
      const { provider, model } = record
      Object.assign(settings, provider !== undefined && { provider }, model !== undefined && { model })
    }
    if (record.type === 'settings-change') {
      const { mode, effort } = record
      Object.assign(settings, mode !== undefined && { mode }, effort !== undefined && { effort })
    }
    if (record.type !== 'turn-end') return
    for (const part of record.parts) if (part.type === 'call') tools.set(part.tool, (tools.get(part.tool) ?? 0) + 1)
  }
  return { settings, tools, said, take }
}

function wordsOf(parts: readonly Part[]): string {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text.slice(0, 400)] : [])).join(' ')
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, '')
}

async function filesOf(
  { home, signal }: Invocation,
  { session, runs, cwd }: { session: OpenSession; runs: readonly RunEffects[]; cwd: string | undefined },
): Promise<FileChange[]> {
  const changing = runs.filter(({ effects, isUndone }) => effects.length > 0 && !isUndone)
  if (changing.length === 0 || cwd === undefined || !existsSync(cwd)) return []
  const undo = openWorkspaceUndo({
    root: cwd,
    store: snapshotStore(home, cwd),
    content: (hash) => session.blobs.get(session.id, hash),
  })
  try {
    return await undo.files(changing, signal)
  } finally {
    await undo.close()
  }
}

async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  }
  return bytes
}
