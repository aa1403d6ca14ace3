import type { Recorded } from '@maru/protocol'
import type { Engine, Queries } from './engine.ts'
import { parseRecord } from './erase-session.ts'
import { findSegments, findSession, type Segment } from './session-row.ts'

const PAGE = 500

/** The facts behind `after` that were there when it was asked for, a page at a time. */
export async function* readFacts(
  engine: Engine,
  { owner, id, after }: { owner: string; id: string; after: number },
): AsyncGenerator<Recorded[], void> {
  let segments: Segment[] | undefined
  for (let last = after; ; ) {
    const { page, found } = await engine.read(owner, async (db) => {
      const found = segments ?? (await findSegments(db, await findSession(db, id)))
      return { found, page: await readPage(db, found, last) }
    })
    segments = found
    if (page.length > 0) yield page
    last = page.at(-1)?.seq ?? last
    if (page.length < PAGE) return
  }
}

/** One page of facts behind `after`. */
export async function readPage(db: Queries, segments: Segment[], after: number, limit = PAGE): Promise<Recorded[]> {
  const wanted = segments.filter(({ high }) => high > after).reverse()
  const rows = await db.query<{ body: unknown }>(
    wanted.length === 1 ? FACTS_PAGE : MANY,
    wanted.length === 1
      ? [wanted[0]?.session, Math.max(after, wanted[0]?.low ?? 0), wanted[0]?.high, limit]
      : [
          wanted.map(({ session }) => session),
          wanted.map(({ low }) => Math.max(low, after)),
          wanted.map(({ high }) => high),
          limit,
        ],
  )
  return rows.map(({ body }) => parseRecord(body))
}

/** The statement behind a page, so that its plan can be looked at. */
export const FACTS_PAGE = `
  select body from maru.fact where owner = maru.uid() and session = $1 and seq > $2 and seq <= $3 order by seq limit $4`

const MANY = `
  select f.body from unnest($1::bigint[], $2::int[], $3::int[]) s (session, low, high)
  cross join lateral (
    select body, seq from maru.fact where owner = maru.uid() and session = s.session and seq > s.low and seq <= s.high
    order by seq limit $4) f
  order by f.seq limit $4`
