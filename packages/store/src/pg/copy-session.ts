import { LogError, type Recorded } from '@maru/protocol'
import { sha256 } from '../sha256.ts'
import { holdContent } from './blobs.ts'
import { beginSession, frameOf, printStart, type StartRecord } from './create-session.ts'
import { type Queries, toTime } from './engine.ts'
import { findSession } from './session-row.ts'
import { writeFacts } from './write-facts.ts'

/** What another log holds of a session: records in order, and the content they refer to. */
export interface CopyBatch {
  records: Recorded[]
  contents?: Uint8Array[]
  /** What else belongs into the same transaction, at its end. */
  beside?(db: Queries): Promise<void>
}

/**
 * Stores records of another log as they stand there, with their numbers and times. Those that are here already are left
 * alone; a session that is not here begins with the first of them. Gives back what was added.
 */
export async function copySession(db: Queries, id: string, { beside, ...batch }: CopyBatch): Promise<Recorded[]> {
  const added = batch.records.length > 0 ? await copyRecords(db, id, batch) : []
  await beside?.(db)
  return added
}

async function copyRecords(db: Queries, id: string, { records, contents = [] }: CopyBatch): Promise<Recorded[]> {
  const begun = await beginIfMissing(db, id, records[0] as Recorded)
  const session = await findSession(db, id, { lock: true })
  const added = records.filter(({ seq }) => seq > session.head)
  expectDense(id, session.head, added)
  if (contents.length > 0)
    await holdContent(
      db,
      id,
      contents.map((bytes) => ({ hash: sha256(bytes), bytes })),
    )
  await writeFacts(db, { session, id, records: added })
  const reframed = added.findLast(isStart)
  if (reframed) await reframe(db, session.no, reframed)
  return begun ? [begun, ...added] : added
}

async function beginIfMissing(db: Queries, id: string, first: Recorded): Promise<Recorded | undefined> {
  const [there] = await db.query('select from maru.conversation where owner = maru.uid() and id = $1', [id])
  if (there) return undefined
  if (!isStart(first)) throw new LogError('damaged', `session ${id} has no beginning`)
  await beginSession(db, id, first)
  return first
}

function isStart(record: Recorded): record is StartRecord {
  return record.type === 'session-start'
}

/** Records follow each other without a gap; `damaged` otherwise. */
export function expectDense(id: string, head: number, records: Recorded[]): void {
  for (const [n, { seq }] of records.entries()) {
    if (seq !== head + 1 + n) throw new LogError('damaged', `session ${id} has ${seq} where ${head + 1 + n} was due`)
  }
}

// A fork that holds what it was forked from itself: it began where it says so, not where its parent did.
async function reframe(db: Queries, no: number, record: StartRecord): Promise<void> {
  await db.query(
    `update maru.conversation set start = $2::json, project = $3, service = $4, created_at = $5
     where owner = maru.uid() and no = $1`,
    [no, printStart(record), ...frameOf(record), toTime(record.at)],
  )
}
