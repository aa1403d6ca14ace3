import { LogError, type SessionStart } from '@maru/protocol'
import type { Queries } from './engine.ts'
import { findSession, isStorable, withChain } from './session-row.ts'

export interface Conversation {
  id: string
  title: string | null
  description: string
  project: string | null
  service: string | null
  status: 'active' | 'archived' | 'summarized'
  tags: string[]
  messages: number
  tokens: number
  /** How it began. What it says to be a fork of may be gone by now. */
  start: SessionStart | null
  createdAt: number
  changedAt: number
  lastAt: number
  /** The number of its last fact. */
  head: number
  /** Another one with every change to anything above, or to what was said. */
  version: string
}

export interface ConversationRow extends Conversation {
  no: number
}

// A row that was written again has another xmin, whoever wrote it and why; a history that was restored has other times.
const VERSION = `c.xmin::text || '-' || (extract(epoch from c.touched_at) * 1000000)::bigint`

/** What is read of a conversation `c`, but for its tags. */
export const COLUMNS = `c.no, c.id, c.title, c.description, c.project, c.service, c.status, c.messages, c.tokens, c.head, c.start,
  c.created_at as "createdAt", c.changed_at as "changedAt", c.last_at as "lastAt", ${VERSION} as version`

/** Its tags. */
export const tagsOf = (c: string) =>
  `array(select t.name from maru.tag t where t.owner = maru.uid() and t.session = ${c}.no) as tags`

export function conversationOf({ no: _no, tags, ...row }: ConversationRow): Conversation {
  return { ...row, tags: tags.toSorted() }
}

/** The statement behind one conversation, so that its plan can be looked at. */
export const GET = `select ${COLUMNS}, ${tagsOf('c')} from maru.conversation c where c.owner = maru.uid() and c.id = $1`

/** One conversation; `missing` if there is none. */
export async function getConversation(db: Queries, id: string): Promise<Conversation> {
  const [row] = isStorable(id) ? await db.query<ConversationRow>(GET, [id]) : []
  if (!row) throw new LogError('missing', `there is no session ${id}`)
  return conversationOf(row)
}

const MOST_FORKS = 1_000

// A fork from inside an inherited stretch hangs on whoever holds that: of whom it is one, its beginning says.
const FORKS = withChain(`select ${COLUMNS}, ${tagsOf('c')} from maru.conversation c
  where c.owner = maru.uid() and c.parent = any(array(select session from chain)) and c.id is not null
    and strpos(c.start::text, $2) > 0 order by c.no limit ${MOST_FORKS}`)

/** The conversations that were begun as forks of one, the oldest first. */
export async function findForks(db: Queries, id: string): Promise<Conversation[]> {
  const { no } = await findSession(db, id)
  const rows = await db.query<ConversationRow>(FORKS, [no, JSON.stringify(id)])
  return rows.map(conversationOf).filter(({ start }) => start?.forkOf?.id === id)
}
