import type { Engine } from './engine.ts'

/** How many things there are in a history, as a dump says at its end. */
export interface DumpCounts {
  accounts: number
  sessions: number
  facts: number
  blobs: number
}

/** The version of the form in which dumps are written. */
export const DUMP_VERSION = 1

const PAGE = 500

/**
 * The whole history as lines of JSON, for all owners: each session with the content it holds, its facts and what its owner
 * said about it. Parents stand before their forks. What can be made from these (message rows, statistics, the index of
 * the search) is not among them; nor are leases, jobs and which files were mirrored. Of who may come in, only people and
 * the hashes of their passwords are: a key that stood in a file would be one that nobody revokes.
 */
export async function* dumpHistory(engine: Engine, at: number): AsyncGenerator<string, void> {
  const counts: DumpCounts = { accounts: 0, sessions: 0, facts: 0, blobs: 0 }
  yield JSON.stringify({ type: 'maru-dump', v: DUMP_VERSION, at })
  const accounts = await query<{ id: string; name: string; password: string | null }>(
    engine,
    `select a.id, a.name, p.hash as password from maru.account a left join maru.password p on p.owner = a.id
     order by a.created_at, a.name`,
  )
  for (const { id: owner, name, password } of accounts) {
    counts.accounts++
    yield JSON.stringify({ type: 'account', name, ...(password !== null && { password }) })
    const projects = await query(engine, 'select name, description from maru.project where owner = $1', [owner])
    for (const project of projects) yield JSON.stringify({ type: 'project', ...project })
    for await (const session of sessionsOf(engine, owner)) {
      counts.sessions++
      yield JSON.stringify({ type: 'session', ...session })
      const facts = factsOf(engine, owner, session)
      // Its beginning first: then there is something that can hold the content.
      const { value: start, done } = await facts.next()
      if (done === true) continue
      counts.facts++
      yield start
      for await (const line of contentOf(engine, owner, session)) {
        counts.blobs++
        yield line
      }
      for await (const line of facts) {
        counts.facts++
        yield line
      }
    }
  }
  yield JSON.stringify({ type: 'end', ...counts })
}

/** A session as it stands in a dump; `no` and `parent` are numbers inside the dump alone. */
export interface DumpedSession {
  no: number
  id: string | null
  parent: number | null
  head: number
  description: string
  project: string | null
  service: string | null
  status: string
  tags: string[]
  /** When anything of it was last changed, also what is said about it. Older dumps do not say. */
  changedAt?: number
}

async function* sessionsOf(engine: Engine, owner: string): AsyncGenerator<DumpedSession, void> {
  for (let after = 0; ; ) {
    const page = await query<DumpedSession>(
      engine,
      `select c.no, c.id, c.parent, c.head, c.description, c.project, c.service, c.status, c.changed_at as "changedAt",
         array(select t.name from maru.tag t where t.owner = c.owner and t.session = c.no order by t.name) as tags
       from maru.conversation c where c.owner = $1 and c.no > $2 order by c.no limit ${PAGE}`,
      [owner, after],
    )
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.no ?? after
  }
}

// One at a time: each may be megabytes.
async function* contentOf(engine: Engine, owner: string, { no, id }: DumpedSession): AsyncGenerator<string, void> {
  for (let after = ''; ; ) {
    const [row] = await query<{ hash: string; content: Uint8Array }>(
      engine,
      `select b.hash, b.content from maru.holding h join maru.blob b on b.owner = h.owner and b.hash = h.hash
       where h.owner = $1 and h.holder = $2 and h.hash > $3 order by h.hash limit 1`,
      [owner, id ?? `#${no}`, after],
    )
    if (!row) return
    const content = Buffer.from(row.content).toString('base64')
    yield JSON.stringify({ type: 'blob', session: no, hash: row.hash, content })
    after = row.hash
  }
}

async function* factsOf(engine: Engine, owner: string, { no, head }: DumpedSession): AsyncGenerator<string, void> {
  for (let after = 0; ; ) {
    const page = await query<{ seq: number; body: string }>(
      engine,
      `select seq, body::text as body from maru.fact
       where owner = $1 and session = $2 and seq > $3 and seq <= $4 order by seq limit ${PAGE}`,
      [owner, no, after, head],
    )
    for (const { body } of page) yield `{"type":"fact","session":${no},"record":${body}}`
    if (page.length < PAGE) return
    after = page.at(-1)?.seq ?? after
  }
}

function query<Row extends object>(engine: Engine, sql: string, params: unknown[] = []): Promise<Row[]> {
  return engine.asOwner((db) => db.query<Row>(sql, params))
}
