import type { Engine } from './engine.ts'
import type { History } from './history.ts'
import { rebuildSession } from './rebuild.ts'

/** What is in a history, all owners together. */
export interface HistoryCounts {
  accounts: number
  conversations: number
  messages: number
  facts: number
  blobs: number
  blobBytes: number
}

export interface HistoryStatus extends HistoryCounts {
  engine: Engine['kind']
  /** PostgreSQL's own. */
  version: string
  schema: number
  latest: number
  bytes: number
}

export async function inspectHistory(history: History): Promise<HistoryStatus> {
  const [{ version: schema, latest }, row] = await Promise.all([
    history.schema(),
    history.engine.asOwner(async (db) => {
      const rows = await db.query<HistoryCounts & { version: string; bytes: number }>(STATUS)
      return rows[0]
    }),
  ])
  if (!row) throw new Error('the database said nothing about itself')
  return { engine: history.kind, schema, latest, ...row }
}

const STATUS = `
  select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
    (select count(*) from maru.account) as accounts,
    (select count(*) from maru.conversation where id is not null) as conversations,
    (select count(*) from maru.message where role in ('user', 'assistant')) as messages,
    (select count(*) from maru.fact) as facts,
    (select count(*) from maru.blob) as blobs,
    (select coalesce(sum(length(content)), 0) from maru.blob) as "blobBytes"`

/** A session as somebody else's copy of it must be as well. */
interface Outline {
  owner: string
  id: string
  head: number
  messages: number
  tokens: number
  blobs: number
}

/**
 * Sessions of one history that are not in another as long and with the same statistics and content, as `owner/id`: after
 * a move there are none.
 */
export async function findDifferences(from: Engine, to: Engine): Promise<string[]> {
  const there = new Map((await outline(to)).map((row) => [`${row.owner}/${row.id}`, row]))
  const missing: string[] = []
  for (const row of await outline(from)) {
    const name = `${row.owner}/${row.id}`
    const other = there.get(name)
    const isSame =
      other !== undefined &&
      other.head >= row.head &&
      (other.head > row.head || (other.messages === row.messages && other.tokens === row.tokens)) &&
      other.blobs >= row.blobs
    if (!isSame) missing.push(name)
  }
  return missing
}

function outline(engine: Engine): Promise<Outline[]> {
  return engine.asOwner((db) =>
    db.query<Outline>(
      `select a.name as owner, c.id, c.head, c.messages, c.tokens,
         (select count(*) from maru.holding h where h.owner = c.owner and h.holder = c.id) as blobs
       from maru.conversation c join maru.account a on a.id = c.owner where c.id is not null order by c.no`,
    ),
  )
}

/** Something in a history that does not hold. `sessions` can be mended by making their rows anew. */
export interface Fault {
  kind: 'facts' | 'counts' | 'index' | 'content'
  count: number
  sessions: { owner: string; id: string }[]
}

/** Looks for what cannot be if everything went well: gaps, wrong sums, an index that lost rows, content that changed. */
export async function findFaults(engine: Engine): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const [kind, sql] of [
    ['facts', GAPS],
    ['counts', WRONG_COUNTS],
  ] as const) {
    const sessions = await engine.asOwner((db) => db.query<{ owner: string; id: string }>(sql))
    if (sessions.length > 0) faults.push({ kind, count: sessions.length, sessions })
  }
  const lost = await countLost(engine)
  if (lost > 0) faults.push({ kind: 'index', count: lost, sessions: [] })
  const [changed] = await engine.asOwner((db) =>
    db.query<{ count: number }>(`select count(*) from maru.blob where encode(sha256(content), 'hex') <> hash`),
  )
  if (changed && changed.count > 0) faults.push({ kind: 'content', count: changed.count, sessions: [] })
  return faults
}

const GAPS = `
  select c.owner, coalesce(c.id, '#' || c.no) as id from maru.conversation c
  left join (select owner, session, count(*) as facts, max(seq) as last from maru.fact group by owner, session) f
    on f.owner = c.owner and f.session = c.no
  where coalesce(f.facts, 0) <> c.head - c.fork_seq or coalesce(f.last, c.fork_seq) <> c.head order by c.no`

const WRONG_COUNTS = `
  select c.owner, c.id from maru.conversation c
  join maru.fact f on f.owner = c.owner and f.session = c.no and f.seq = c.head
  where c.id is not null and (f.messages <> c.messages or f.tokens <> c.tokens) order by c.no`

// Two processes on one directory, or a disk that lied, leave an index that knows other rows than its table.
async function countLost(engine: Engine): Promise<number> {
  let lost = 0
  for (const table of ['fact', 'message']) {
    const count = (ways: string) =>
      engine.asOwner(async (db) => {
        await db.query(ways)
        const [row] = await db.query<{ count: number }>(`select count(*) from maru.${table} where seq >= 0`)
        return row?.count ?? 0
      })
    const whole = await count(
      'set local enable_indexscan = off; set local enable_indexonlyscan = off; set local enable_bitmapscan = off',
    )
    const indexed = await count('set local enable_seqscan = off; set local enable_bitmapscan = off')
    lost += Math.abs(whole - indexed)
  }
  return lost
}

/** Mends what can be made anew from facts and tables: sums, and indexes. Gives back what is left. */
export async function repairFaults(engine: Engine, faults: Fault[]): Promise<Fault[]> {
  for (const { kind, sessions } of faults) {
    if (kind === 'index') {
      for (const table of ['fact', 'message']) await engine.asOwner((db) => db.query(`reindex table maru.${table}`))
    }
    if (kind !== 'counts') continue
    for (const { owner, id } of sessions) await engine.as(owner, (db) => rebuildSession(db, id))
  }
  return findFaults(engine)
}
