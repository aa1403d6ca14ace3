import { LogError } from '@maru/protocol'
import { COLUMNS, type Conversation, type ConversationRow, conversationOf, tagsOf } from './conversation-row.ts'
import { type Queries, toTime } from './engine.ts'
import { findMatching, holds, isAmong } from './matching.ts'
import { storableText } from './message-row.ts'
import { wordsOf } from './search.ts'

export interface ListOptions {
  /** Any, unless said. */
  status?: Conversation['status'] | 'any'
  project?: string
  service?: string
  tag?: string
  /** Words that all stand in the title, or in one message. */
  q?: string
  /** When the last message was said; `until` not included. */
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

/** How many of a page are wanted, whatever was asked for. */
export function boundLimit(limit: number | undefined): number {
  return Math.min(Math.max(1, Math.trunc(limit ?? LIMIT) || LIMIT), MOST)
}

/** A page of conversations, those with the newest message first unless said otherwise. */
export async function listConversations(
  db: Queries,
  options: ListOptions,
): Promise<{ items: Conversation[]; next?: string }> {
  const words = wordsOf(options.q ?? '')
  const { project, service, tag } = options
  const narrowed = {
    ...(project !== undefined && { project }),
    ...(service !== undefined && { service }),
    ...(tag !== undefined && { tag }),
  }
  const ids = words.length === 0 ? undefined : await findMatching(db, words, narrowed)
  const { sql, params, column, limit } = listQuery(options, { words, ...(ids && { ids }) })
  const found = await db.query<ConversationRow & { place: number }>(sql, params)
  const last = found.length > limit ? found[limit - 1] : undefined
  const items = found.slice(0, limit).map(({ place: _place, ...row }) => conversationOf(row))
  return { items, ...(last && { next: `${column}.${last.place}.${last.no}` }) }
}

/** Words that are wanted, and where the search has found them, if it has found few. */
interface Wanted {
  words: string[]
  ids?: string[]
}

const STATUSES = ['active', 'archived', 'summarized'] as const

/** The statement behind a page, so that its plan can be looked at. */
export function listQuery(
  options: ListOptions,
  { words, ids }: Wanted = { words: [] },
): { sql: string; params: unknown[]; column: string; limit: number } {
  const { status = 'any', sort = '-lastMessage' } = options
  const isDown = sort.startsWith('-')
  const name = sort.replace(/^-/, '')
  if (!Object.hasOwn(SORTS, name)) throw new LogError('rejected', `"${sort}" is not a way to sort conversations`)
  const column = SORTS[name as Name]
  const limit = boundLimit(options.limit)
  const params: unknown[] = []
  const add = (value: unknown) => `$${params.push(value)}`
  const conditions = [`c.owner = maru.uid()`, `c.id is not null`, ...narrowing(options, add)]
  if (words.length > 0) {
    const wanted = add(words)
    conditions.push(ids ? isAmong('c', { ids: add(ids), words: wanted }) : holds('c', wanted))
  }
  if (options.cursor !== undefined) {
    const { value, no } = parseCursor(options.cursor, column)
    const type = column === 'messages' ? 'bigint' : 'timestamptz'
    conditions.push(`(c.${column}, c.no) ${isDown ? '<' : '>'} (${add(value)}::${type}, ${add(no)}::bigint)`)
  }
  const direction = isDown ? 'desc' : 'asc'
  const order = (at: string, no: string) => `order by ${at} ${direction}, ${no} ${direction}`
  const page = (more: string[]) => `select ${COLUMNS}, c.${column} as place from maru.conversation c
    where ${[...conditions, ...more].join(' and ')} ${order(`c.${column}`, 'c.no')} limit ${limit + 1}`
  const found =
    status !== 'any'
      ? page([`c.status = ${add(status)}`])
      : column === 'last_at'
        ? // The index has them in order for each status: the first of each, merged, are the first of all.
          `${STATUSES.map((one) => `(${page([`c.status = '${one}'`])})`).join(' union all ')} ${order('place', 'no')} limit ${limit + 1}`
        : page([])
  const sql = `select p.*, ${tagsOf('p')} from (${found}) p ${order('p.place', 'p.no')}`
  return { sql, params, column, limit }
}

function narrowing({ project, service, since, until, tag }: ListOptions, add: (value: unknown) => string): string[] {
  const conditions: string[] = []
  if (project !== undefined) conditions.push(`c.project = ${add(storableText(project))}`)
  if (service !== undefined) conditions.push(`c.service = ${add(storableText(service))}`)
  if (since !== undefined) conditions.push(`c.last_at >= ${add(toTime(since))}`)
  if (until !== undefined) conditions.push(`c.last_at < ${add(toTime(until))}`)
  if (tag !== undefined) {
    const wanted = add(storableText(tag))
    conditions.push(
      `exists (select from maru.tag t where t.owner = maru.uid() and t.session = c.no and t.name = ${wanted})`,
    )
  }
  return conditions
}

function parseCursor(cursor: string, column: string): { value: unknown; no: number } {
  const [name, place, no] = cursor.split('.')
  if (name !== column || !/^-?\d{1,15}$/.test(place ?? '') || !/^\d{1,15}$/.test(no ?? '')) {
    throw new LogError('rejected', `"${cursor}" is not a place in this list`)
  }
  return { value: column === 'messages' ? Number(place) : toTime(Number(place)), no: Number(no) }
}
