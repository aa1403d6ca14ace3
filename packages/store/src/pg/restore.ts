import { LogError, type Recorded, readRecord } from '@maru/protocol'
import { sha256 } from '../sha256.ts'
import { holdContent } from './blobs.ts'
import { expectDense } from './copy-session.ts'
import { beginRestored, type StartRecord } from './create-session.ts'
import { DUMP_VERSION, type DumpedSession } from './dump.ts'
import { type Queries, toTime } from './engine.ts'
import type { History, OwnHistory } from './history.ts'
import { findSession, lockSession } from './session-row.ts'
import { writeFacts } from './write-facts.ts'

/** What a dump brought in, and what was there before it. */
export interface Restored {
  sessions: number
  facts: number
  blobs: number
  /** Sessions that were there already, as long or longer. */
  kept: number
}

/**
 * Brings a dump into a history, line by line. What is there already stays as it is, so that it may be done again; of a
 * session that goes on in the dump, the rest is added. `damaged` names the line that cannot be read.
 */
export async function restoreHistory(
  history: History,
  lines: AsyncIterable<string>,
  onProgress: (done: Restored) => void = () => undefined,
): Promise<Restored> {
  const restore = new Restore(history)
  let number = 0
  try {
    for await (const line of lines) {
      number++
      if (line.trim() === '') continue
      await restore.take(parseItem(line))
      onProgress(restore.result)
    }
    await restore.end()
  } catch (error) {
    if (error instanceof LogError && error.code === 'damaged') {
      throw new LogError('damaged', `line ${number}: ${error.message}`, { details: { line: number }, cause: error })
    }
    throw error
  } finally {
    await restore.close()
  }
  return restore.result
}

type Item =
  | { type: 'maru-dump'; v: number }
  | { type: 'account'; name: string; password?: unknown }
  | { type: 'project'; name: string; description: string }
  | ({ type: 'session' } & DumpedSession)
  | { type: 'blob'; session: number; hash: string; content: string }
  | { type: 'fact'; session: number; record: unknown }
  | { type: 'end'; facts: number }

function parseItem(line: string): Item {
  try {
    const item = JSON.parse(line) as { type?: unknown } | null
    if (item && typeof item.type === 'string') return item as Item
  } catch {
    // Named below.
  }
  throw new LogError('damaged', 'this is no line of a dump')
}

const BATCH_FACTS = 500
const BATCH_BYTES = 4_000_000

class Restore {
  readonly result: Restored = { sessions: 0, facts: 0, blobs: 0, kept: 0 }
  readonly #history: History
  readonly #owners = new Map<string, OwnHistory>()
  #own: OwnHistory | undefined
  /** Numbers of the dump, and what they are here. */
  readonly #numbers = new Map<number, number>()
  #session: (DumpedSession & { here?: number; had: number }) | undefined
  #records: Recorded[] = []
  #contents: { hash: string; bytes: Uint8Array }[] = []
  #bytes = 0
  #isBegun = false
  #isWhole = false
  #seen = 0

  constructor(history: History) {
    this.#history = history
  }

  async take(item: Item): Promise<void> {
    if (!this.#isBegun && item.type !== 'maru-dump') throw new LogError('damaged', 'this is no dump of Maru')
    switch (item.type) {
      case 'maru-dump':
        if (item.v > DUMP_VERSION) throw new LogError('newer', `a dump of form ${item.v}: update Maru`)
        this.#isBegun = true
        return
      case 'account':
        await this.#leave()
        this.#own = this.#owners.get(item.name) ?? (await this.#history.open(item.name))
        this.#owners.set(item.name, this.#own)
        if (item.password !== undefined) await restorePassword(this.#history, this.#own.owner, item.password)
        this.#numbers.clear()
        return
      case 'project':
        await this.#as((db) =>
          db.query('insert into maru.project (name, description) values ($1, $2) on conflict do nothing', [
            item.name,
            item.description,
          ]),
        )
        return
      case 'session':
        await this.#leave()
        await this.#enter(item)
        return
      case 'blob':
        this.#addContent(item)
        break
      case 'fact':
        this.#seen++
        this.#records.push(recordOf(item.record))
        this.#bytes += 1_000
        break
      case 'end':
        await this.#leave()
        if (item.facts !== this.#seen)
          throw new LogError('damaged', `${item.facts} facts were dumped, ${this.#seen} came`)
        this.#isWhole = true
        return
      default:
        item satisfies never
    }
    if (this.#records.length >= BATCH_FACTS || this.#bytes >= BATCH_BYTES) await this.#flush()
  }

  async end(): Promise<void> {
    await this.#leave()
    if (!this.#isWhole) throw new LogError('damaged', 'the dump ends before its end: what came is kept')
    for (const own of this.#owners.values()) {
      // Parents without a name are of use to forks alone.
      await this.#history.engine.as(own.owner, (db) =>
        db.query(
          `delete from maru.conversation c where c.owner = maru.uid() and c.id is null and not exists
             (select from maru.conversation f where f.owner = maru.uid() and f.parent = c.no)`,
          [],
        ),
      )
    }
  }

  async close(): Promise<void> {
    for (const own of this.#owners.values()) await own.log.close()
  }

  async #enter(item: DumpedSession): Promise<void> {
    const found = item.id === null ? undefined : await this.#as((db) => findOrNone(db, item.id as string))
    this.#session = {
      ...item,
      had: found?.head ?? 0,
      ...(found && { here: found.no }),
    }
    if (found) this.#numbers.set(item.no, found.no)
    if (found && found.head >= item.head) this.result.kept++
  }

  #addContent({ hash, content }: { hash: string; content: string }): void {
    const bytes = Buffer.from(content, 'base64')
    if (sha256(bytes) !== hash) throw new LogError('damaged', `content is not what its hash ${hash} says`)
    this.#contents.push({ hash, bytes })
    this.#bytes += bytes.length
  }

  async #leave(): Promise<void> {
    await this.#flush()
    this.#session = undefined
  }

  async #flush(): Promise<void> {
    const [records, contents] = [this.#records, this.#contents]
    const session = this.#session
    this.#records = []
    this.#contents = []
    this.#bytes = 0
    if (records.length + contents.length === 0) return
    if (!session) throw new LogError('damaged', 'a fact without its session')
    if (session.had >= session.head) return
    const wanted = records.filter(({ seq }) => seq > session.had)
    const here = await this.#as(async (db) => {
      const row = await lockSession(db, session.here ?? (await this.#begin(db, session, wanted)))
      const holder = session.id ?? `#${row.no}`
      if (contents.length > 0) await holdContent(db, holder, contents)
      const added = wanted.filter(({ seq }) => seq > row.head)
      expectDense(holder, row.head, added)
      await writeFacts(db, { session: row, id: holder, records: added })
      if (session.had === 0 && session.changedAt !== undefined) await noteChange(db, row.no, session.changedAt)
      return row.no
    })
    session.here = here
    this.#numbers.set(session.no, here)
    this.result.facts += wanted.length
    this.result.blobs += contents.length
  }

  async #begin(db: Queries, session: DumpedSession, records: Recorded[]): Promise<number> {
    const [first] = records
    if (first?.type !== 'session-start') throw new LogError('damaged', `session ${session.id ?? ''} has no beginning`)
    const parent = session.parent === null ? null : this.#numbers.get(session.parent)
    if (parent === undefined) throw new LogError('damaged', `session ${session.id ?? ''} comes before its parent`)
    const no = await beginRestored(db, session.id, { record: first as StartRecord, parent })
    await describe(db, no, session)
    this.result.sessions++
    return no
  }

  #as<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    if (!this.#own) throw new LogError('damaged', 'nobody is named whose this is')
    return this.#history.engine.as(this.#own.owner, work)
  }
}

// One that is here stays: whoever changed it since knows it.
async function restorePassword({ engine }: History, owner: string, hash: unknown): Promise<void> {
  if (typeof hash !== 'string' || !/^\$argon2id\$[\w$=,+/]{20,300}$/.test(hash)) {
    throw new LogError('damaged', 'a password is no argon2id hash')
  }
  const sql = 'insert into maru.password (owner, hash) values ($1, $2) on conflict do nothing'
  await engine.asOwner((db) => db.query(sql, [owner, hash]))
}

// With its beginning, so that a restoring that is cut short leaves none without.
async function describe(db: Queries, no: number, session: DumpedSession): Promise<void> {
  const { description, project, service, status, tags, id } = session
  await db.query(
    `update maru.conversation set description = $2, project = $3, service = $4, status = $5,
       start = case when $6 then null else start end where owner = maru.uid() and no = $1`,
    [no, description, project, service, status, id === null],
  )
  const sql = 'insert into maru.tag (session, name) select $1, unnest($2::text[]) on conflict do nothing'
  await db.query(sql, [no, tags])
}

// Behind its last fact, what is said about it may have changed.
async function noteChange(db: Queries, no: number, at: number): Promise<void> {
  const sql = 'update maru.conversation set changed_at = greatest(changed_at, $2) where owner = maru.uid() and no = $1'
  await db.query(sql, [no, toTime(at)])
}

function recordOf(value: unknown): Recorded {
  const read = readRecord(value)
  if ('problem' in read) throw new LogError('damaged', read.problem)
  return read.record
}

async function findOrNone(db: Queries, id: string) {
  return findSession(db, id).catch((error: unknown) => {
    if (error instanceof LogError && error.code === 'missing') return undefined
    throw error
  })
}
