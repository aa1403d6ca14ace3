import type { Recorded } from '@maru/protocol'
import type { Queries } from './engine.ts'
import { parseRecord } from './erase-session.ts'
import { findSession, withChain } from './session-row.ts'

const MOST = 20

const NAMING = withChain(`select f.body from chain c join maru.fact f on f.owner = maru.uid() and f.session = c.session
    and f.kind = $2 and f.seq > c.low and f.seq <= c.high and strpos(f.body::text, $3) > 0
  order by f.seq desc limit ${MOST}`)

/** The last facts of a kind with this name somewhere in them, the newest first. */
export async function findNaming(
  db: Queries,
  id: string,
  { kind, name }: { kind: Recorded['type']; name: string },
): Promise<Recorded[]> {
  const { no } = await findSession(db, id)
  const rows = await db.query<{ body: unknown }>(NAMING, [no, kind, JSON.stringify(name)])
  return rows.map(({ body }) => parseRecord(body))
}
