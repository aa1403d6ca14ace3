import type { Queries } from './engine.ts'
import { boundLimit } from './list-conversations.ts'
import { findSegments, findSession, type Segment } from './session-row.ts'

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

/** Which page of messages; without a place, the newest. */
export interface MessagePage {
  before?: number
  after?: number
  /** The page that has this fact in its middle, as far as there is enough on both sides. */
  around?: number
  limit?: number
}

/** A page of messages in order: the newest, or those right before, behind or around a fact. Hidden ones are left out. */
export async function readMessages(
  db: Queries,
  id: string,
  { before, after, around, limit: wished }: MessagePage = {},
): Promise<Message[]> {
  const limit = boundLimit(wished)
  const segments = await findSegments(db, await findSession(db, id))
  if (around !== undefined) return readAround(db, segments, { around, limit })
  if (after !== undefined) return readBehind(db, segments, { after, limit })
  return readBefore(db, segments, { before: before ?? LAST, limit })
}

const LAST = 2 ** 31 - 1

async function readAround(
  db: Queries,
  segments: Segment[],
  { around, limit }: { around: number; limit: number },
): Promise<Message[]> {
  const older = await readBefore(db, segments, { before: around, limit })
  const newer = await readBehind(db, segments, { after: around - 1, limit })
  const half = Math.min(older.length, Math.floor(limit / 2))
  const behind = newer.slice(0, limit - half)
  // Near the end there are more of the older ones, so that the page is full.
  const count = Math.min(older.length, limit - behind.length)
  return [...older.slice(older.length - count), ...behind]
}

async function readBefore(db: Queries, segments: Segment[], { before, limit }: { before: number; limit: number }) {
  return (await db.query<Message>(NEWEST, pageParams(segments, before, limit))).reverse()
}

function readBehind(db: Queries, segments: Segment[], { after, limit }: { after: number; limit: number }) {
  return db.query<Message>(BEHIND, pageParams(segments, after, limit))
}

function pageParams(segments: Segment[], place: number, limit: number): unknown[] {
  return [
    segments.map(({ session }) => session),
    segments.map(({ low }) => low),
    segments.map(({ high }) => high),
    Math.min(Math.max(0, Math.trunc(place) || 0), LAST),
    limit,
  ]
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
