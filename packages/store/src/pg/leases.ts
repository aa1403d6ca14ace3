import { FACT_VERSION, FACTS, type Lease, LogError } from '@maru/protocol'
import type { Engine, Queries } from './engine.ts'
import { findSegments, findSession, type SessionRow } from './session-row.ts'

const SECONDS = 30
const RENEW_MS = 10_000

/**
 * Leases of one log. Each is fenced by a number that no other ever gets, and runs out by itself when its node dies; while
 * the node lives it is renewed here.
 */
export class Leases {
  readonly #engine: Engine
  readonly #owner: string
  readonly #node: string
  readonly #held = new Set<number>()
  #renewal: NodeJS.Timeout | undefined

  constructor(engine: Engine, { owner, node }: { owner: string; node: string }) {
    this.#engine = engine
    this.#owner = owner
    this.#node = node
  }

  async take(id: string): Promise<Lease> {
    const { epoch, last } = await this.#engine.as(this.#owner, (db) => grant(db, id, this.#node))
    this.#held.add(epoch)
    this.#renewal ??= setInterval(() => void this.#renewAll().catch(() => undefined), RENEW_MS)
    this.#renewal.unref()
    return {
      epoch,
      last,
      renew: async () => {
        const renewed = this.#held.has(epoch) ? await this.#renew([epoch]) : []
        if (renewed.length === 0) throw new LogError('conflict', `lease ${epoch} on session ${id} is over`)
      },
      release: () => this.#release([epoch]),
    }
  }

  async releaseAll(): Promise<void> {
    clearInterval(this.#renewal)
    await this.#release([...this.#held])
  }

  async #renewAll(): Promise<void> {
    if (this.#held.size > 0) await this.#renew([...this.#held])
  }

  #renew(epochs: number[]): Promise<object[]> {
    return this.#engine.as(this.#owner, (db) =>
      db.query(
        `update maru.lease set lease_until = clock_timestamp() + interval '${SECONDS} s'
         where owner = maru.uid() and epoch = any($1) returning epoch`,
        [epochs],
      ),
    )
  }

  async #release(epochs: number[]): Promise<void> {
    const held = epochs.filter((epoch) => this.#held.delete(epoch))
    if (held.length === 0) return
    await this.#engine.as(this.#owner, (db) =>
      db.query('delete from maru.lease where owner = maru.uid() and epoch = any($1)', [held]),
    )
  }
}

async function grant(db: Queries, id: string, node: string): Promise<{ epoch: number; last: number }> {
  const session = await findSession(db, id, { lock: true })
  if (session.is_moved) throw new LogError('moved', `session ${id} goes on elsewhere: open it there`)
  await expectKnown(db, id, session)
  const [row] = await db.query<{ epoch: number }>(
    `insert into maru.lease as l (session, epoch, node, lease_until)
     values ($1, nextval('maru.epoch'), $2, clock_timestamp() + interval '${SECONDS} s')
     on conflict (owner, session) do update set epoch = excluded.epoch, node = excluded.node, lease_until = excluded.lease_until
     where l.lease_until < clock_timestamp() returning epoch`,
    [session.no, node],
  )
  if (!row) throw new LogError('held', `session ${id} is already running`)
  return { epoch: row.epoch, last: session.runner }
}

/** Whether a lease still stands; with the session's row locked, it stands until the transaction ends. */
export async function isHeld(db: Queries, session: number, epoch: number): Promise<boolean> {
  const sql = 'select from maru.lease where owner = maru.uid() and session = $1 and epoch = $2'
  return (await db.query(sql, [session, epoch])).length > 0
}

// What a newer Maru wrote may be viewed, not run. The version is read from the text of a fact: an operator on its JSON
// would refuse one that holds U+0000 anywhere. Where it does not stand in its usual place, the fact itself is looked at.
async function expectKnown(db: Queries, id: string, session: SessionRow): Promise<void> {
  for (const { session: no, low, high } of await findSegments(db, session)) {
    const odd = await db.query<{ seq: number; kind: string; body: { v?: unknown } }>(
      `select seq, kind, body from maru.fact where owner = maru.uid() and session = $1 and seq > $2 and seq <= $3
         and (kind <> all($4) or coalesce(substring(body::text from $6)::int > $5, true)) order by seq`,
      [no, low, high, Object.keys(FACTS), FACT_VERSION, '^\\{"seq":\\d+,"at":-?[\\d.e+]+,"v":(\\d{1,6})'],
    )
    const unknown = odd.find(({ kind, body }) => !Object.hasOwn(FACTS, kind) || Number(body.v) > FACT_VERSION)
    if (!unknown) continue
    const { seq, kind } = unknown
    const message = `session ${id} holds "${kind}" at ${seq}, which this version can show but not run`
    throw new LogError('newer', message, { details: { seq, kind } })
  }
}
