import { LogError, printRecord, type Recorded, type RecordedOf, type SessionStart } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { recordFact } from '../record-fact.ts'
import { type Queries, toTime } from './engine.ts'
import { storableText } from './message-row.ts'
import { findSegments, findSession, type Segment, withChain } from './session-row.ts'

interface Beginning {
  parent: number | null
  cut: number
  runner: number
  messages: number
  tokens: number
  isMoved: boolean
  title: string | null
}

const NOTHING: Beginning = { parent: null, cut: 0, runner: 0, messages: 0, tokens: 0, isMoved: false, title: null }

/** Begins a session. A fork takes as long whatever the length of what it is a fork of: it is read through, not copied. */
export async function createSession(
  db: Queries,
  id: string,
  { start, at, mask }: { start: SessionStart; at: number; mask: Mask | undefined },
): Promise<Recorded> {
  const [there] = await db.query('select from maru.conversation where owner = maru.uid() and id = $1', [id])
  if (there) throw exists(id)
  const from = start.forkOf ? await findCut(db, start.forkOf) : NOTHING
  const { record } = recordFact({ type: 'session-start', ...start }, { seq: from.cut + 1, at, mask })
  await insertSession(db, id, { record: record as StartRecord, from })
  return record
}

/** Begins a session with the record that stands at its beginning elsewhere, under its own number and time. */
export async function beginSession(db: Queries, id: string, record: StartRecord): Promise<void> {
  const { forkOf, seq } = record
  const isShared = forkOf !== undefined && seq === forkOf.seq + 1
  if (!isShared && seq !== 1) throw new LogError('rejected', `session ${id} cannot begin at ${seq}`)
  await insertSession(db, id, { record, from: isShared ? await findCut(db, forkOf) : NOTHING })
}

/**
 * The same where the parent is known by its number: it may have no name any more, nor need this one. Gives back its own
 * number.
 */
export async function beginRestored(
  db: Queries,
  id: string | null,
  { record, parent }: { record: StartRecord; parent: number | null },
): Promise<number> {
  if (parent === null) return insertSession(db, id, { record, from: NOTHING })
  const from = await cutAt(db, parent, { cut: record.seq - 1, isMoved: false })
  return insertSession(db, id, { record, from })
}

export type StartRecord = RecordedOf<'session-start'>

async function insertSession(
  db: Queries,
  id: string | null,
  { record, from }: { record: StartRecord; from: Beginning },
): Promise<number> {
  const [made] = await db.query<{ no: number }>(
    `insert into maru.conversation (id, start, title, project, service, parent, fork_seq, head, runner, is_moved, messages,
       tokens, created_at, changed_at, last_at)
     values ($1, $2::json, $3, $4, $5, $6, $7, $7::int + 1, $8, $9, $10, $11, $12, $12, $12)
     on conflict (owner, id) do nothing returning no`,
    [
      id,
      printStart(record),
      from.title,
      ...frameOf(record),
      from.parent,
      from.cut,
      from.runner,
      from.isMoved,
      from.messages,
      from.tokens,
      toTime(record.at),
    ],
  )
  if (!made) throw exists(id ?? '')
  await db.query(
    `insert into maru.fact (session, seq, kind, body, at, runner, messages, tokens)
     values ($1, $2, 'session-start', $3::json, $4, $5, $6, $7)`,
    [made.no, record.seq, printRecord(record), toTime(record.at), from.runner, from.messages, from.tokens],
  )
  return made.no
}

/** Begins sessions that are no forks, all at once; gives back their numbers, by their names. */
export async function insertSessions(
  db: Queries,
  begun: { id: string; record: StartRecord }[],
): Promise<Map<string, number>> {
  const frames = begun.map(({ record }) => frameOf(record))
  const times = begun.map(({ record }) => toTime(record.at))
  const made = await db.query<{ id: string; no: number }>(
    `insert into maru.conversation (id, start, project, service, head, created_at, changed_at, last_at)
     select b.id, b.start, b.project, b.service, 1, b.at, b.at, b.at
     from unnest($1::text[], $2::json[], $3::text[], $4::text[], $5::timestamptz[]) b (id, start, project, service, at)
     on conflict (owner, id) do nothing returning id, no`,
    [
      begun.map(({ id }) => id),
      begun.map(({ record }) => printStart(record)),
      frames.map(([project]) => project),
      frames.map(([, service]) => service),
      times,
    ],
  )
  const numbers = new Map(made.map(({ id, no }) => [id, no]))
  const missing = begun.find(({ id }) => !numbers.has(id))
  if (missing) throw exists(missing.id)
  await db.query(
    `insert into maru.fact (session, seq, kind, body, at, runner, messages, tokens)
     select f.no, 1, 'session-start', f.body, f.at, 0, 0, 0
     from unnest($1::bigint[], $2::json[], $3::timestamptz[]) f (no, body, at)`,
    [begun.map(({ id }) => numbers.get(id)), begun.map(({ record }) => printRecord(record)), times],
  )
  return numbers
}

/** What a conversation is filed under: its project and its service. */
export function frameOf({ cwd, agent }: StartRecord): [project: string | null, service: string] {
  return [cwd === undefined ? null : storableText(cwd), storableText(agent.program ?? agent.kind)]
}

function exists(id: string): LogError {
  return new LogError('exists', `there is a session ${id} already`)
}

/** How a session began, as its row keeps it. */
export function printStart(record: StartRecord): string {
  const { type: _type, v: _v, seq: _seq, at: _at, ...start } = record
  return JSON.stringify(start)
}

async function findCut(db: Queries, { id, seq }: { id: string; seq: number }): Promise<Beginning> {
  const session = await findSession(db, id)
  const holder = holderOf(await findSegments(db, session), seq)
  if (!holder) {
    throw new LogError('rejected', `session ${id} has ${session.head} facts: it cannot be forked at ${seq}`)
  }
  return cutAt(db, holder.session, { cut: seq, isMoved: session.is_moved && seq === session.head })
}

async function cutAt(
  db: Queries,
  parent: number,
  { cut, isMoved }: { cut: number; isMoved: boolean },
): Promise<Beginning> {
  // So that nobody takes away what the fork is about to stand on.
  await db.query('select from maru.conversation where owner = maru.uid() and no = $1 for update', [parent])
  const [counts] = await db.query<{ runner: number; messages: number; tokens: number }>(
    'select runner, messages, tokens from maru.fact where owner = maru.uid() and session = $1 and seq = $2',
    [parent, cut],
  )
  if (!counts) throw new LogError('missing', 'what this is a fork of is not there any more')
  return { parent, cut, ...counts, isMoved, title: await findTitle(db, parent, cut) }
}

/** The stretch in which a fact lies. */
export function holderOf(segments: Segment[], seq: number): Segment | undefined {
  return segments.find(({ low, high }) => seq > low && seq <= high)
}

async function findTitle(db: Queries, session: number, upTo: number): Promise<string | null> {
  return (await findTitleRow(db, session, upTo))?.title ?? null
}

/** The last title that was set in a session, or in what it is a fork of, up to a fact. */
export async function findTitleRow(
  db: Queries,
  session: number,
  upTo: number,
): Promise<{ title: string; session: number; seq: number } | undefined> {
  const [row] = await db.query<{ title: string; session: number; seq: number }>(
    withChain(`select t.content as title, t.session, t.seq from chain c cross join lateral (
        select m.content, m.session, m.seq from maru.message m where m.owner = maru.uid() and m.session = c.session
          and m.role = 'title' and m.seq <= least(c.high, $2) order by m.seq desc limit 1) t
      order by t.seq desc limit 1`),
    [session, upTo],
  )
  return row
}
