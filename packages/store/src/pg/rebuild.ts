import type { Recorded } from '@maru/protocol'
import { findTitleRow } from './create-session.ts'
import { type Queries, toTime } from './engine.ts'
import { parseRecord } from './erase-session.ts'
import { type MessageRow, messageRow } from './message-row.ts'
import { recount } from './recount.ts'
import { findSession } from './session-row.ts'
import { isRunners, keysOf, storeMessages } from './write-facts.ts'

const PAGE = 500

/**
 * Makes everything anew that is read from a session's facts: message rows, keys, title, statistics. Others may read
 * meanwhile and see what was; who wants to write waits. What is said about it may have changed behind its last fact.
 */
export async function rebuildSession(db: Queries, id: string): Promise<void> {
  const { no } = await findSession(db, id, { lock: true })
  for (const table of ['message', 'admission']) {
    await db.query(`delete from maru.${table} where owner = maru.uid() and session = $1`, [no])
  }
  const end = { runner: 0, isMoved: false, changedAt: 0, turnId: '', model: '' }
  for (let after = 0; ; ) {
    const page = await db.query<{ seq: number; body: unknown; runner: number }>(
      `select seq, body, runner from maru.fact where owner = maru.uid() and session = $1 and seq > $2 order by seq limit ${PAGE}`,
      [no, after],
    )
    const records = page.map(({ body }) => parseRecord(body))
    await storeMessages(db, no, rowsOf(records, end))
    await storeKeys(db, no, records)
    after = page.at(-1)?.seq ?? after
    if (page.length < PAGE) break
  }
  const title = await findTitleRow(db, no, Number.MAX_SAFE_INTEGER % 2 ** 31)
  await db.query(
    `update maru.conversation set title = $2, title_seq = $3, is_moved = $4 or exists (select from maru.mirror m
         where m.owner = maru.uid() and m.id = maru.conversation.id and not m.is_moved), turn_id = $5, turn_model = $6,
       changed_at = greatest(changed_at, $7),
       runner = greatest($8, coalesce((select f.runner from maru.fact f
         where f.owner = maru.uid() and f.session = maru.conversation.parent and f.seq = maru.conversation.fork_seq), 0))
     where owner = maru.uid() and no = $1`,
    [
      no,
      title?.title ?? null,
      title?.session === no ? title.seq : null,
      end.isMoved,
      end.turnId || null,
      end.model || null,
      toTime(end.changedAt),
      end.runner,
    ],
  )
  await recount(db, no)
}

function rowsOf(
  records: Recorded[],
  end: { runner: number; isMoved: boolean; changedAt: number; turnId: string; model: string },
): MessageRow[] {
  const rows: MessageRow[] = []
  for (const record of records) {
    if (record.type === 'turn-start') [end.turnId, end.model] = [record.turnId, record.model ?? '']
    const row = messageRow(record, end.turnId && end.model ? { [end.turnId]: end.model } : {})
    if (row) rows.push(row)
    if (isRunners(record)) end.runner = record.seq
    if (record.type === 'session-move') end.isMoved = true
    end.changedAt = record.at
  }
  return rows
}

async function storeKeys(db: Queries, session: number, records: Recorded[]): Promise<void> {
  const keys = records.flatMap((record) => keysOf(record).map((key) => ({ key, seq: record.seq })))
  await db.query(
    `insert into maru.admission (session, key, seq)
     select $1, k.key, k.seq from unnest($2::text[], $3::int[]) k (key, seq) on conflict do nothing`,
    [session, keys.map(({ key }) => key), keys.map(({ seq }) => seq)],
  )
}
