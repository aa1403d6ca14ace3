import { LogError } from '@maru/protocol'
import type { Engine, Queries } from './engine.ts'
import { toTime } from './engine.ts'
import { findSegments, findSession } from './session-row.ts'

export interface Conversation {
  id: string
  title: string | null
  description: string
  project: string | null
  service: string | null
  status: 'active' | 'archived' | 'summarized'
  messages: number
  tokens: number
  createdAt: number
  changedAt: number
  lastAt: number
}

export interface ListOptions {
  status?: Conversation['status']
  project?: string
  service?: string
  tag?: string
  since?: number
  until?: number
  sort?: Sort
  limit?: number
  cursor?: string
}

const SORTS = { created: 'created_at', updated: 'changed_at', lastMessage: 'last_at', count: 'messages' } as const
type Name = keyof typeof SORTS
/** With "-", the greatest first. */
export type Sort = Name | `-${Name}`

const LIMIT = 50
const MOST = 200

/** A page of conversations, those with the newest message first unless said otherwise. */
export async function listConversations(
  db: Queries,
  options: ListOptions,
): Promise<{ items: Conversation[]; next?: string }> {
  const { sql, params, column, limit } = listQuery(options)
  const rows = await db.query<Conversation & { no: number; place: number }>(sql, params)
  const items = rows.slice(0, limit).map(({ no: _no, place: _place, ...item }) => item)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { items, ...(last && { next: `${column}.${last.place}.${last.no}` }) }
}

/** The statement behind a page, so that its plan can be looked at. */
export function listQuery(options: ListOptions): { sql: string; params: unknown[]; column: string; limit: number } {
  const { status = 'active', sort = '-lastMessage' } = options
  const isDown = sort.startsWith('-')
  const name = sort.replace(/^-/, '')
  if (!Object.hasOwn(SORTS, name)) throw new LogError('rejected', `"${sort}" is not a way to sort conversations`)
  const column = SORTS[name as Name]
  const limit = Math.min(Math.max(1, options.limit ?? LIMIT), MOST)
  const params: unknown[] = [status]
  const add = (value: unknown) => `$${params.push(value)}`
  const conditions = [`owner = maru.uid()`, `id is not null`, `status = $1`]
  if (options.project !== undefined) conditions.push(`project = ${add(options.project)}`)
  if (options.service !== undefined) conditions.push(`service = ${add(options.service)}`)
  if (options.since !== undefined) conditions.push(`last_at >= ${add(toTime(options.since))}`)
  if (options.until !== undefined) conditions.push(`last_at < ${add(toTime(options.until))}`)
  if (options.tag !== undefined) {
    conditions.push(
      `exists (select from maru.tag t where t.owner = maru.uid() and t.session = no and t.name = ${add(options.tag)})`,
    )
  }
  if (options.cursor !== undefined) {
    const { value, no } = parseCursor(options.cursor, column)
    conditions.push(`(${column}, no) ${isDown ? '<' : '>'} (${add(value)}, ${add(no)})`)
  }
  const direction = isDown ? 'desc' : 'asc'
  const sql = `select id, title, description, project, service, status, messages, tokens, created_at as "createdAt",
      changed_at as "changedAt", last_at as "lastAt", no, ${column} as place
    from maru.conversation where ${conditions.join(' and ')} order by ${column} ${direction}, no ${direction} limit ${limit + 1}`
  return { sql, params, column, limit }
}

function parseCursor(cursor: string, column: string): { value: unknown; no: number } {
  const [name, place, no] = cursor.split('.')
  if (name !== column || !/^-?\d{1,15}$/.test(place ?? '') || !/^\d{1,15}$/.test(no ?? '')) {
    throw new LogError('rejected', `"${cursor}" is not a place in this list`)
  }
  return { value: column === 'messages' ? Number(place) : toTime(Number(place)), no: Number(no) }
}

export interface Message {
  seq: number
  role: 'user' | 'assistant' | 'system' | 'note'
  content: string
  model: string | null
  tokens: number | null
  finish: string | null
  metadata: unknown
  at: number
}

/** A page of messages in order: the newest, or those right before or behind a fact. Hidden ones are left out. */
export async function readMessages(
  db: Queries,
  id: string,
  { before, after, limit = LIMIT }: { before?: number; after?: number; limit?: number } = {},
): Promise<Message[]> {
  const segments = await findSegments(db, await findSession(db, id))
  const rows = await db.query<Message>(after === undefined ? NEWEST : BEHIND, [
    segments.map(({ session }) => session),
    segments.map(({ low }) => low),
    segments.map(({ high }) => high),
    after ?? before ?? 2 ** 31 - 1,
    Math.min(Math.max(1, limit), MOST),
  ])
  return after === undefined ? rows.reverse() : rows
}

const pageOf = (condition: string, order: 'asc' | 'desc') => `
  with s as materialized (select * from unnest($1::bigint[], $2::int[], $3::int[]) s (session, low, high))
  select m.* from s cross join lateral (
    select m.seq, m.role, m.content, m.model, m.tokens, m.finish, m.metadata, m.at from maru.message m
    where m.owner = maru.uid() and m.session = s.session and m.seq > s.low and m.seq <= s.high and m.seq ${condition} $4
      and m.role <> 'title'
      and not exists (select from s h join maru.hidden x on x.owner = maru.uid() and x.session = h.session
        and x.target = m.seq and x.seq <= h.high)
    order by m.seq ${order} limit $5) m
  order by m.seq ${order} limit $5`

/** The statements behind a page of messages, so that their plans can be looked at. */
export const NEWEST = pageOf('<', 'desc')
export const BEHIND = pageOf('>', 'asc')

/** What a person says about a conversation beside what happened in it. */
export interface ConversationPatch {
  description?: string
  project?: string | null
  status?: Conversation['status']
  tags?: string[]
}

export async function patchConversation(db: Queries, id: string, patch: ConversationPatch): Promise<void> {
  const { no } = await findSession(db, id, { lock: true })
  const has = (name: keyof ConversationPatch) => Object.hasOwn(patch, name)
  await db.query(
    `update maru.conversation set description = case when $2 then $3 else description end,
       project = case when $4 then $5 else project end, status = coalesce($6, status), touched_at = clock_timestamp()
     where owner = maru.uid() and no = $1`,
    [no, has('description'), patch.description ?? null, has('project'), patch.project ?? null, patch.status ?? null],
  )
  if (patch.tags === undefined) return
  await db.query('delete from maru.tag where owner = maru.uid() and session = $1', [no])
  await db.query('insert into maru.tag (session, name) select $1, unnest($2::text[]) on conflict do nothing', [
    no,
    patch.tags,
  ])
}

/** Everything a person may ask about conversations, as that person. */
export function createConversations(engine: Engine, owner: string) {
  const read = <T>(work: (db: Queries) => Promise<T>) => engine.read(owner, work)
  return {
    list: (options: ListOptions = {}) => read((db) => listConversations(db, options)),
    messages: (id: string, page?: Parameters<typeof readMessages>[2]) => read((db) => readMessages(db, id, page)),
    patch: (id: string, patch: ConversationPatch) => engine.as(owner, (db) => patchConversation(db, id, patch)),
  }
}
