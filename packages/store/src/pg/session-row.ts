import { LogError } from '@maru/protocol'
import type { Queries } from './engine.ts'

/** What a conversation's own row knows. */
export interface SessionRow {
  no: number
  head: number
  runner: number
  is_moved: boolean
  parent: number | null
  fork_seq: number
  turn_id: string | null
  turn_model: string | null
  messages: number
  tokens: number
}

const COLUMNS = 'no, head, runner, is_moved, parent, fork_seq, turn_id, turn_model, messages, tokens'

/** Whether the database takes such a name at all: no session has one with U+0000 in it. */
export function isStorable(id: string): boolean {
  return !id.includes('\0')
}

/** The row of a session; `missing` if there is none. With `lock`, nobody else writes it until the transaction ends. */
export async function findSession(db: Queries, id: string, { lock = false } = {}): Promise<SessionRow> {
  const sql = `select ${COLUMNS} from maru.conversation where owner = maru.uid() and id = $1 ${lock ? 'for update' : ''}`
  const [row] = isStorable(id) ? await db.query<SessionRow>(sql, [id]) : []
  if (!row) throw new LogError('missing', `there is no session ${id}`)
  return row
}

/** The same by its number, locked: a session that only forks still read has no name. */
export async function lockSession(db: Queries, no: number): Promise<SessionRow> {
  const [row] = await db.query<SessionRow>(
    `select ${COLUMNS} from maru.conversation where owner = maru.uid() and no = $1 for update`,
    [no],
  )
  if (!row) throw new LogError('missing', `there is no session of number ${no}`)
  return row
}

/** A stretch of facts: those of `session` behind `low`, up to `high`. */
export interface Segment {
  session: number
  low: number
  high: number
}

// A fork's facts are its own, before them those of its parent up to the cut, and so on.
const CHAIN = `
  with recursive chain (session, parent, low, high) as (
    select no, parent, fork_seq, head from maru.conversation where owner = maru.uid() and no = $1
    union all
    select p.no, p.parent, p.fork_seq, c.low
    from chain c join maru.conversation p on p.owner = maru.uid() and p.no = c.parent
  )`

/** Where the facts of a session lie, the newest stretch first. */
export async function findSegments(db: Queries, { no, head, parent, fork_seq }: SessionRow): Promise<Segment[]> {
  if (parent === null) return [{ session: no, low: 0, high: head }]
  const own = { session: no, low: fork_seq, high: head }
  const inherited = await db.query<Segment>(`${CHAIN} select session, low, high from chain where session <> $1`, [no])
  return [own, ...inherited]
}

/** A query that begins with the chain of the session whose number is its first parameter. */
export function withChain(select: string): string {
  return `${CHAIN} ${select}`
}
