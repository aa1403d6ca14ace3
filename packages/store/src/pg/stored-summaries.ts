import type { Queries } from './engine.ts'
import { findSegments, findSession } from './session-row.ts'

/** A summary that was stored in a conversation, and what it is of: from a fact to a fact, both included. */
export interface StoredSummary {
  seq: number
  at: number
  covers: { from: number; to: number }
  text: string
}

/** The statement behind them, so that its plan can be looked at. The message row has a long text as a whole. */
export const SUMMARIES = `
  with s as materialized (select * from unnest($1::bigint[], $2::int[], $3::int[]) s (session, low, high))
  select f.seq, f.at, f.body, m.content from s
  cross join lateral (select f.session, f.seq, f.at, f.body from maru.fact f
    where f.owner = maru.uid() and f.session = s.session and f.kind = 'summary-add' and f.seq > s.low and f.seq <= s.high) f
  left join maru.message m on m.owner = maru.uid() and m.session = f.session and m.seq = f.seq
  order by f.seq`

/** The summaries of a conversation, with those that it inherited, the newest last. */
export async function readSummaries(db: Queries, id: string): Promise<StoredSummary[]> {
  const segments = await findSegments(db, await findSession(db, id))
  const rows = await db.query<{
    seq: number
    at: number
    body: { covers: StoredSummary['covers']; text: string }
    content: string | null
  }>(SUMMARIES, [
    segments.map(({ session }) => session),
    segments.map(({ low }) => low),
    segments.map(({ high }) => high),
  ])
  return rows.map(({ seq, at, body: { covers, text }, content }) => ({ seq, at, covers, text: content ?? text }))
}
