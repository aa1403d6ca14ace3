import { admissionKeys, type DoorFact, FACTS, LogError, type Recorded } from '@maru/protocol'
import { hashesIn } from '../erase.ts'
import { sha256 } from '../sha256.ts'
import { type Queries, toTime } from './engine.ts'
import { isCounted, type MessageRow, messageRow, storableText } from './message-row.ts'
import { type SessionRow, withChain } from './session-row.ts'

/** Facts to be stored behind those of a session, whose row the transaction holds. */
export interface Writing {
  session: SessionRow
  id: string
  records: Recorded[]
}

/**
 * Stores facts with all that is read from them, in the transaction that holds the session's row: their keys, their message
 * rows, the conversation's statistics, who needs which content.
 */
export function writeFacts(db: Queries, writing: Writing): Promise<void> {
  return writeAllFacts(db, [writing])
}

/** The same for several sessions, in as many statements as for one: most of what a small statement takes is not its rows. */
export async function writeAllFacts(db: Queries, writings: Writing[]): Promise<void> {
  const drafts: Draft[] = []
  for (const { session, id, records } of writings) {
    if (records.length > 0) drafts.push(await draftRows(db, { session, id, records }))
  }
  if (drafts.length === 0) return
  const facts = drafts.flatMap((draft) => draft.facts.map((fact) => ({ no: draft.no, ...fact })))
  const keys = drafts.flatMap((draft) => draft.keys.map((key) => ({ no: draft.no, ...key })))
  await db.query(STORE, [
    facts.map(({ no }) => no),
    facts.map(({ seq }) => seq),
    facts.map(({ kind }) => kind),
    facts.map(({ body }) => body),
    facts.map(({ at }) => toTime(at)),
    facts.map(({ runner }) => runner),
    facts.map(({ messages }) => messages),
    facts.map(({ tokens }) => tokens),
    keys.map(({ no }) => no),
    keys.map(({ key }) => key),
    keys.map(({ seq }) => seq),
    JSON.stringify(drafts.map(({ no, end }) => ({ no, ...end }))),
  ])
  await insertMessages(
    db,
    drafts.flatMap(({ no, rows }) => rows.map((row) => ({ no, row }))),
  )
  for (const { no, id, hidden, hashes } of drafts) {
    await storeHidden(db, no, hidden)
    await noteContent(db, id, hashes)
  }
}

const STORE = `
  with facts as (
    insert into maru.fact (session, seq, kind, body, at, runner, messages, tokens)
    select f.* from unnest($1::bigint[], $2::int[], $3::text[], $4::json[], $5::timestamptz[], $6::int[], $7::int[], $8::bigint[]) f
  ), keys as (
    insert into maru.admission (session, key, seq)
    select k.* from unnest($9::bigint[], $10::text[], $11::int[]) k on conflict do nothing
  )
  update maru.conversation c set
    head = e.head, runner = e.runner, messages = e.messages, tokens = e.tokens, is_moved = e.is_moved,
    turn_id = e.turn_id, turn_model = e.turn_model, changed_at = e.changed_at, touched_at = clock_timestamp(),
    last_at = greatest(c.last_at, e.last_at),
    title = case when e.title_seq is null then c.title else e.title end, title_seq = coalesce(e.title_seq, c.title_seq)
  from json_to_recordset($12::json) e (no bigint, head int, runner int, messages int, tokens bigint, is_moved boolean,
    turn_id text, turn_model text, changed_at timestamptz, last_at timestamptz, title text, title_seq int)
  where c.owner = maru.uid() and c.no = e.no`

interface Draft {
  no: number
  id: string
  facts: { seq: number; kind: string; body: string; at: number; runner: number; messages: number; tokens: number }[]
  keys: { key: string; seq: number }[]
  rows: MessageRow[]
  hidden: { target: number; seq: number }[]
  hashes: Map<string, number>
  end: { [column: string]: unknown }
}

async function draftRows(db: Queries, { session, id, records }: Writing): Promise<Draft> {
  const draft: Draft = { no: session.no, id, facts: [], keys: [], rows: [], hidden: [], hashes: new Map(), end: {} }
  let { runner, messages, tokens, is_moved } = session
  let [turn_id, turn_model] = [session.turn_id, session.turn_model]
  let title: { title: string; title_seq: number } | undefined
  for (const record of records) {
    const { seq, at } = record
    if (record.type === 'turn-start') [turn_id, turn_model] = [record.turnId, record.model ?? null]
    const row = messageRow(record, turn_id !== null && turn_model !== null ? { [turn_id]: turn_model } : {})
    if (row) draft.rows.push(row)
    if (row && isCounted(row.role)) messages++
    tokens += row?.tokens ?? 0
    if (record.type === 'title-set') title = { title: storableText(record.title), title_seq: seq }
    if (record.type === 'session-move') is_moved = true
    if (record.type === 'message-hide' && (await canHide(db, session, draft, record.target))) {
      draft.hidden.push({ target: record.target, seq })
      messages--
    }
    if (isRunners(record)) runner = seq
    for (const key of keysOf(record)) draft.keys.push({ key, seq })
    for (const hash of hashesIn(record)) if (!draft.hashes.has(hash)) draft.hashes.set(hash, seq)
    const kind = record.type === 'unknown' ? record.kind : record.type
    const body = JSON.stringify(record.type === 'unknown' ? record.body : record)
    draft.facts.push({ seq, kind, body, at, runner, messages, tokens })
  }
  const last = records.at(-1) as Recorded
  const spoken = draft.rows.filter(({ role }) => role !== 'title' && role !== 'note').map(({ at }) => at)
  const last_at = spoken.length > 0 ? toTime(Math.max(...spoken)) : null
  draft.end = { head: last.seq, runner, messages, tokens, is_moved, turn_id, turn_model, last_at, ...title }
  draft.end['changed_at'] = toTime(last.at)
  return draft
}

/** Whether a runner wrote it, also if it was erased since. */
export function isRunners(record: Recorded): boolean {
  if (record.type === 'erased') return record.by === 'runner'
  return record.type !== 'unknown' && FACTS[record.type].by === 'runner'
}

/** The names that a fact takes, short enough for an index. */
export function keysOf(record: Recorded | DoorFact): string[] {
  if (record.type === 'erased') return (record.keys ?? []).map(shortKey)
  const isDoor = record.type !== 'unknown' && FACTS[record.type]?.by === 'door'
  return isDoor ? admissionKeys(record as DoorFact).map(shortKey) : []
}

function shortKey(key: string): string {
  return key.length <= 300 && !/\p{Surrogate}|\0/u.test(key) ? key : `sha256:${sha256(key)}`
}

/** Which fact has taken one of these names, in the session or in what it was forked from. */
export async function findTaken(db: Queries, session: SessionRow, keys: string[]): Promise<number | undefined> {
  const sql =
    session.parent === null
      ? `select seq from maru.admission where owner = maru.uid() and session = $1 and key = any($2) order by seq limit 1`
      : withChain(`select a.seq from chain c join maru.admission a on a.owner = maru.uid() and a.session = c.session
          and a.key = any($2) and a.seq <= c.high order by a.seq limit 1`)
  const [row] = await db.query<{ seq: number }>(sql, [session.no, keys])
  return row?.seq
}

// Only what counts, and only once.
async function canHide(db: Queries, session: SessionRow, draft: Draft, target: number): Promise<boolean> {
  if (draft.hidden.some((hidden) => hidden.target === target)) return false
  const here = draft.rows.find(({ seq }) => seq === target)
  if (here) return isCounted(here.role)
  const [row] = await db.query<{ role: string }>(
    withChain(`select m.role from chain c
      join maru.message m on m.owner = maru.uid() and m.session = c.session and m.seq = $2 and m.seq > c.low and m.seq <= c.high
      where not exists (select from chain h join maru.hidden x on x.owner = maru.uid() and x.session = h.session
        and x.target = $2 and x.seq <= h.high)`),
    [session.no, target],
  )
  return row !== undefined && isCounted(row.role)
}

export function storeMessages(db: Queries, session: number, rows: MessageRow[]): Promise<void> {
  return insertMessages(
    db,
    rows.map((row) => ({ no: session, row })),
  )
}

async function insertMessages(db: Queries, said: { no: number; row: MessageRow }[]): Promise<void> {
  if (said.length === 0) return
  const rows = said.map(({ row }) => row)
  const contents = await Promise.all(rows.map(({ texts }) => contentOf(db, texts)))
  await db.query(
    `insert into maru.message (session, seq, role, content, model, tokens, finish, metadata, at)
     select m.* from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::json[], $9::timestamptz[]) m`,
    [
      said.map(({ no }) => no),
      rows.map(({ seq }) => seq),
      rows.map(({ role }) => role),
      contents,
      rows.map(({ model }) => (model === undefined ? null : storableText(model))),
      rows.map(({ tokens }) => tokens ?? null),
      rows.map(({ finish }) => (finish === undefined ? null : storableText(finish))),
      rows.map(({ metadata }, n) => printMetadata(metadata, contents[n] ?? '')),
      rows.map(({ at }) => toTime(at)),
    ],
  )
}

// How whoever masks says what stood there: what it was, and a name for it.
const MASKED = /\[secret:([a-z0-9-]{1,40}):[0-9a-f]{8,12}\]/g

/** What is known of a message beside its text; with what kinds of secrets were found in it, for whoever shows it. */
function printMetadata(metadata: unknown, content: string): string | null {
  const sensitive = [...new Set([...content.matchAll(MASKED)].map(([, kind]) => kind))]
  if (sensitive.length === 0) return metadata === undefined ? null : JSON.stringify(metadata)
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
  return JSON.stringify({ ...(isObject ? metadata : metadata === undefined ? {} : { value: metadata }), sensitive })
}

// A text that was too long for its fact is found to its end all the same.
async function contentOf(db: Queries, texts: MessageRow['texts']): Promise<string> {
  const whole: string[] = []
  for (const { text, hash } of texts) {
    const [blob] = hash === undefined ? [] : await db.query<{ content: Uint8Array }>(BLOB, [hash])
    whole.push(blob ? new TextDecoder().decode(blob.content) : text)
  }
  return storableText(whole.join('\n\n'))
}

const BLOB = 'select content from maru.blob where owner = maru.uid() and hash = $1'

async function storeHidden(db: Queries, session: number, hidden: Draft['hidden']): Promise<void> {
  for (const { target, seq } of hidden) {
    await db.query('insert into maru.hidden (session, target, seq) values ($1, $2, $3)', [session, target, seq])
  }
}

async function noteContent(db: Queries, holder: string, hashes: Map<string, number>): Promise<void> {
  if (hashes.size === 0) return
  await db.query(
    `update maru.holding h set seq = least(h.seq, u.seq) from unnest($2::text[], $3::int[]) u (hash, seq)
     where h.owner = maru.uid() and h.holder = $1 and h.hash = u.hash`,
    [holder, [...hashes.keys()], [...hashes.values()]],
  )
}

/** Refused as other logs refuse it: what comes behind a move is nobody's. */
export function expectNotMoved(session: SessionRow): void {
  if (session.is_moved) throw new LogError('moved', 'this session goes on elsewhere: open it there')
}
