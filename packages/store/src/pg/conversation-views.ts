import { LogError, type Recorded, type SessionStart } from '@maru/protocol'
import { type Conversation, type ConversationRow, conversationOf, getConversationRow } from './conversation-row.ts'
import type { Engine, Queries } from './engine.ts'
import { parseRecord } from './erase-session.ts'
import { listRows } from './list-conversations.ts'
import { type ConversationPatch, patchConversation } from './patch-conversation.ts'
import { findSession, withChain } from './session-row.ts'
import { readSummaries, type StoredSummary } from './stored-summaries.ts'
import { countUsage, type StoredUsage } from './usage.ts'

/** A conversation with how it began. */
export interface ConversationView extends Conversation {
  start: SessionStart | null
}

export interface ViewListOptions {
  status?: Conversation['status']
  project?: string
  service?: string
  tag?: string
  since?: number
  until?: number
  /** Words that all stand in the title, or in one message. */
  words?: string
  sort: { by: 'created' | 'updated' | 'lastMessage' | 'count'; isDown: boolean }
  limit: number
  cursor?: string
}

export type ViewPatch = ConversationPatch

/** What the doors of a server ask of one person's part, beside what `OwnHistory` answers. */
export interface ConversationViews {
  list(options: ViewListOptions): Promise<{ items: ConversationView[]; next?: string }>
  /** `missing` if there is none. */
  find(id: string): Promise<ConversationView>
  /** With `version`, only if it still is of that version: false where it is not. */
  patch(id: string, patch: ViewPatch, version?: string): Promise<boolean>
  /** The newest first. */
  summaries(id: string): Promise<StoredSummary[]>
  /** The last of a kind that names something: a call that waits for an approval, a question. */
  findNaming(id: string, kind: Recorded['type'], name: string): Promise<Recorded[]>
  usage(): Promise<StoredUsage>
  /** Content that any session of theirs holds. */
  content(hash: string): Promise<Uint8Array | undefined>
  /** Lets go of what holders whose names begin so, and sort before, still hold. */
  releaseBefore(prefix: string, holder: string): Promise<void>
}

export function createConversationViews(engine: Engine, owner: string): ConversationViews {
  const read = <T>(work: (db: Queries) => Promise<T>) => engine.read(owner, work)
  return {
    async list({ words, sort: { by, isDown }, ...options }) {
      const sort = isDown ? (`-${by}` as const) : by
      const wanted = { ...options, sort, ...(words !== undefined && { q: words }) }
      const { rows, ...rest } = await read((db) => listRows(db, wanted))
      return { items: rows.map(viewOf), ...rest }
    },
    find: async (id) => viewOf(await read((db) => getConversationRow(db, id))),
    async patch(id, patch, version) {
      try {
        const wanted = { patch, ...(version !== undefined && { version }) }
        await engine.as(owner, (db) => patchConversation(db, id, wanted))
        return true
      } catch (error) {
        if (error instanceof LogError && error.code === 'conflict') return false
        throw error
      }
    },
    summaries: async (id) => (await read((db) => readSummaries(db, id))).reverse(),
    findNaming: (id, kind, name) => read((db) => findNaming(db, id, { kind, name })),
    usage: () => read(countUsage),
    async content(hash) {
      const sql = 'select content from maru.blob where owner = maru.uid() and hash = $1'
      const [row] = await read((db) => db.query<{ content: Uint8Array }>(sql, [hash]))
      return row?.content
    },
    async releaseBefore(prefix, holder) {
      await engine.as(owner, (db) => db.query(RELEASE, [prefix, holder]))
    },
  }
}

function viewOf(row: ConversationRow): ConversationView {
  return { ...conversationOf(row), start: row.start }
}

async function findNaming(
  db: Queries,
  id: string,
  { kind, name }: { kind: Recorded['type']; name: string },
): Promise<Recorded[]> {
  const { no } = await findSession(db, id)
  const rows = await db.query<{ body: unknown }>(
    withChain(`select f.body from chain c join maru.fact f on f.owner = maru.uid() and f.session = c.session
        and f.kind = $2 and f.seq > c.low and f.seq <= c.high and strpos(f.body::text, $3) > 0
      order by f.seq desc limit 20`),
    [no, kind, JSON.stringify(name)],
  )
  return rows.map(({ body }) => parseRecord(body))
}

const RELEASE = `
  with released as (
    delete from maru.holding where owner = maru.uid() and starts_with(holder, $1) and holder < $2 returning hash
  )
  delete from maru.blob b where b.owner = maru.uid() and b.hash in (select hash from released)
    and not exists (select from maru.holding h where h.owner = b.owner and h.hash = b.hash
      and not (starts_with(h.holder, $1) and h.holder < $2))`
