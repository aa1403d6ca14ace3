import { LogError, printRecord, type Recorded, readRecord } from '@maru/protocol'
import { hashesIn, tombstone } from '../erase.ts'
import { releaseContent } from './blobs.ts'
import { findTitleRow, holderOf } from './create-session.ts'
import type { Queries } from './engine.ts'
import { messageRow } from './message-row.ts'
import { recount } from './recount.ts'
import { findSegments, findSession } from './session-row.ts'
import { storeMessages } from './write-facts.ts'

/**
 * Erases one fact, wherever it is read: a prefix that forks share is one fact, and gone for all of them. Gives back what
 * stands there now, and nothing if it stood there before.
 */
export async function eraseFact(db: Queries, id: string, seq: number): Promise<Recorded | undefined> {
  const session = await findSession(db, id, { lock: true })
  const holder = holderOf(await findSegments(db, session), seq)
  if (!holder) throw new LogError('missing', `session ${id} has no fact ${seq}`)
  const { session: no } = holder
  await db.query('select from maru.conversation where owner = maru.uid() and no = $1 for update', [no])
  const [found] = await db.query<Kept>(
    `select body, runner, messages, tokens from maru.fact where owner = maru.uid() and session = $1 and seq = $2`,
    [no, seq],
  )
  if (!found) throw new LogError('missing', `session ${id} has no fact ${seq}`)
  const record = parseRecord(found.body)
  if (record.type === 'erased') return undefined
  const mark = tombstone(record)
  await releaseUnused(db, no, record)
  await db.query('delete from maru.fact where owner = maru.uid() and session = $1 and seq = $2', [no, seq])
  await db.query(
    `insert into maru.fact (session, seq, kind, body, at, runner, messages, tokens)
     values ($1, $2, 'erased', $3::json, to_timestamp($4::float8 / 1000), $5, $6, $7)`,
    [no, seq, printRecord(mark), mark.at, found.runner, found.messages, found.tokens],
  )
  const [row] = await db.query<{ role: string }>(
    'delete from maru.message where owner = maru.uid() and session = $1 and seq = $2 returning role',
    [no, seq],
  )
  if (row?.role === 'title') await retitle(db, no, seq)
  if (row || record.type === 'message-hide') await recount(db, no, seq)
  if (record.type === 'turn-start') await forgetModel(db, no, record.turnId)
  return mark
}

interface Kept {
  body: unknown
  runner: number
  messages: number
  tokens: number
}

// Its turn's row has the model from it. A row is never changed: another takes its place.
async function forgetModel(db: Queries, session: number, turnId: string): Promise<void> {
  await db.query(
    `update maru.conversation set turn_id = null, turn_model = null where owner = maru.uid() and no = $1 and turn_id = $2`,
    [session, turnId],
  )
  const ends = await db.query<{ body: unknown }>(
    `select body from maru.fact where owner = maru.uid() and session = $1 and kind in ('turn-end', 'turn-fail')
       and strpos(body::text, $2) > 0`,
    // Not by an operator on its JSON: that refuses one that holds U+0000 anywhere.
    [session, JSON.stringify(turnId)],
  )
  for (const { body } of ends) {
    const record = parseRecord(body)
    if (!('turnId' in record) || record.turnId !== turnId) continue
    const row = messageRow(record, {})
    await db.query('delete from maru.message where owner = maru.uid() and session = $1 and seq = $2', [
      session,
      row?.seq,
    ])
    if (row) await storeMessages(db, session, [row])
  }
}

// The title before it holds again, here and in the forks that had taken it over.
async function retitle(db: Queries, session: number, seq: number): Promise<void> {
  const heirs = await db.query<{ no: number; title_seq: number | null; head: number }>(
    `with recursive heir (no) as (
       select $1::bigint
       union all
       select f.no from heir h join maru.conversation f on f.owner = maru.uid() and f.parent = h.no where f.fork_seq >= $2
     )
     select c.no, c.title_seq, c.head from heir h join maru.conversation c on c.owner = maru.uid() and c.no = h.no`,
    [session, seq],
  )
  for (const { no, title_seq, head } of heirs) {
    // Those with a title of their own keep it.
    if (title_seq !== null && (no !== session || title_seq !== seq)) continue
    const title = await findTitleRow(db, no, head)
    await db.query('update maru.conversation set title = $2, title_seq = $3 where owner = maru.uid() and no = $1', [
      no,
      title?.title ?? null,
      title?.session === no ? title.seq : null,
    ])
  }
}

async function releaseUnused(db: Queries, session: number, record: Recorded): Promise<void> {
  const hashes = [...hashesIn(record)]
  if (hashes.length === 0) return
  const holder = await holderName(db, session)
  for (const hash of hashes) {
    const [other] = await db.query<{ seq: number | null }>(
      `select min(seq) as seq from maru.fact where owner = maru.uid() and session = $1 and seq <> $2
         and strpos(body::text, $3) > 0`,
      [session, record.seq, `"${hash}"`],
    )
    if (other?.seq == null) await releaseContent(db, holder, [hash])
    else {
      const sql = 'update maru.holding set seq = $3 where owner = maru.uid() and holder = $1 and hash = $2'
      await db.query(sql, [holder, hash, other.seq])
    }
  }
}

async function holderName(db: Queries, session: number): Promise<string> {
  const [row] = await db.query<{ name: string }>(
    `select coalesce(id, '#' || no) as name from maru.conversation where owner = maru.uid() and no = $1`,
    [session],
  )
  return row?.name ?? ''
}

/** Erases a session. What forks still read of it stays as theirs, under no name of its own. */
export async function eraseSession(db: Queries, id: string): Promise<void> {
  const { no, parent } = await findSession(db, id, { lock: true })
  await shrink(db, no, id)
  // What only this one still read of others goes with it.
  for (let above = parent; above !== null; ) above = await settle(db, above)
}

async function settle(db: Queries, no: number): Promise<number | null> {
  const [row] = await db.query<{ id: string | null; parent: number | null }>(
    'select id, parent from maru.conversation where owner = maru.uid() and no = $1 for update',
    [no],
  )
  if (!row || row.id !== null) return null
  await shrink(db, no, `#${no}`)
  return row.parent
}

async function shrink(db: Queries, no: number, holder: string): Promise<void> {
  const [forks] = await db.query<{ cut: number | null }>(
    'select max(fork_seq) as cut from maru.conversation where owner = maru.uid() and parent = $1',
    [no],
  )
  const cut = forks?.cut ?? null
  if (cut === null) {
    await db.query('delete from maru.conversation where owner = maru.uid() and no = $1', [no])
    await releaseContent(db, holder)
    return
  }
  for (const table of ['fact', 'message', 'admission', 'hidden']) {
    await db.query(`delete from maru.${table} where owner = maru.uid() and session = $1 and seq > $2`, [no, cut])
  }
  for (const table of ['lease', 'tag']) {
    await db.query(`delete from maru.${table} where owner = maru.uid() and session = $1`, [no])
  }
  const title = await findTitleRow(db, no, cut)
  await db.query(
    `update maru.conversation set id = null, start = null, title = $3, title_seq = $4, description = '', project = null,
       service = null, head = $2, turn_id = null, turn_model = null where owner = maru.uid() and no = $1`,
    [no, cut, title?.title ?? null, title?.session === no ? title.seq : null],
  )
  const beyond = await db.query<{ hash: string }>(
    'select hash from maru.holding where owner = maru.uid() and holder = $1 and (seq is null or seq > $2)',
    [holder, cut],
  )
  await releaseContent(
    db,
    holder,
    beyond.map(({ hash }) => hash),
  )
  await db.query(`update maru.holding set holder = '#' || $2::bigint where owner = maru.uid() and holder = $1`, [
    holder,
    no,
  ])
}

/** A record as it stands in the database; `damaged` if it cannot be read. */
export function parseRecord(body: unknown): Recorded {
  const read = readRecord(body)
  if ('problem' in read) throw new LogError('damaged', read.problem)
  return read.record
}
