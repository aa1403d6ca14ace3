import { join } from 'node:path'
import type { BlobStore, Recorded, SessionLog } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import type { Access } from './access/access.ts'
import { createAccess } from './access/create-access.ts'
import { type AddBatch, addFacts } from './add-facts.ts'
import { beginSessions, type NewSession } from './begin-sessions.ts'
import { createPgBlobs, findContent, releaseContentBefore } from './blobs.ts'
import { type BulkOptions, inBulk, mendIndex } from './bulk.ts'
import { createConversations } from './conversations.ts'
import { type CopyBatch, copySession } from './copy-session.ts'
import type { Engine, Queries, UpkeepOptions } from './engine.ts'
import { toLogError } from './errors.ts'
import { Hub } from './hub.ts'
import { openPgLog } from './log.ts'
import { migrate, type SchemaState, schemaState } from './migrate.ts'
import { rebuildSession } from './rebuild.ts'
import { type HitPage, type SearchOptions, searchHistory } from './search.ts'
import type { Upkeep } from './upkeep-notes.ts'

export interface HistoryOptions {
  /** Where the embedded database lives, in a folder `db`. */
  home: string
  /** A PostgreSQL server instead of the embedded one. */
  databaseUrl?: string
  now(): number
  /** A prepared data directory for a quick first start of the embedded one. */
  template?: string
  /** False only for tests and benches: the embedded one then never waits for the disk. */
  isDurable?: boolean
}

/** What one person has said and been told, at all doors. */
export interface OwnHistory {
  /** The owner's number in the database. */
  owner: string
  log: SessionLog
  blobs: BlobStore
  conversations: ReturnType<typeof createConversations>
  /** Content that any session of theirs holds. */
  content(hash: string): Promise<Uint8Array | undefined>
  /** Lets go of what holders whose names begin so, and sort before, still hold. */
  releaseBefore(prefix: string, holder: string): Promise<void>
  search(query: string, options?: Omit<SearchOptions, 'now'>): Promise<HitPage>
  /** Stores records of another log as they stand there, behind those that are here; gives back what was added. */
  copy(id: string, batch: CopyBatch): Promise<Recorded[]>
  /** Adds facts behind those that are here, each with the time at which it happened elsewhere; begins a session if told how. */
  add(id: string, batch: AddBatch): Promise<Recorded[]>
  /** Begins sessions that happened elsewhere, all in one transaction; a fork comes behind what it is a fork of. */
  begin(sessions: NewSession[]): Promise<void>
  /** Which of these names a session has. */
  known(ids: string[]): Promise<Set<string>>
  /** Makes what is read from a session's facts anew: rows, keys, statistics. */
  rebuild(id: string): Promise<void>
}

/** Every conversation, in one database. */
export interface History {
  readonly kind: Engine['kind']
  readonly engine: Engine
  /** The part of one person, who is made known at the first time. Its log is closed by whoever asked for it. */
  open(name: string, options?: { mask?: Mask }): Promise<OwnHistory>
  /** The same for an owner who is known by number: jobs are. */
  openOwner(owner: string, options?: { mask?: Mask }): Promise<OwnHistory>
  /** Who may come in; never asked in the name of a request. */
  readonly access: Access
  /** Who has a part in it. */
  accounts(): Promise<string[]>
  /** The schema that was found, before it was brought up to date. */
  readonly foundVersion: number
  schema(): Promise<SchemaState>
  /**
   * Does work that stores a great deal. Where this process is alone, the search's index is put in order behind it, which is
   * several times as quick.
   */
  inBulk<T>(work: () => Promise<T>, options?: BulkOptions): Promise<T>
  upkeep(options?: UpkeepOptions): Promise<void>
  /** Whether it is time for it: always `none` on a server, which looks after itself. */
  upkeepDue(): Promise<Upkeep>
  /** May be called twice. */
  close(): Promise<void>
}

/** Opens the history and brings its schema up to date. */
export async function openHistory(options: HistoryOptions): Promise<History> {
  const engine = await openEngine(options)
  let foundVersion: number
  try {
    foundVersion = (await migrate(engine)).before
    // Whoever was at work in this directory is dead: we hold the directory.
    if (engine.kind === 'pglite') await engine.asOwner(tidy)
  } catch (error) {
    await engine.close()
    throw toLogError(error)
  }
  return historyOn(engine, { ...options, foundVersion })
}

// Leases that nobody holds any more, and the index as work that was cut short left it.
async function tidy(db: Queries): Promise<void> {
  await db.query('delete from maru.lease', [])
  await mendIndex(db)
}

async function openEngine({ home, databaseUrl, template, isDurable }: HistoryOptions): Promise<Engine> {
  if (databaseUrl !== undefined) return (await import('./postgres-engine.ts')).openPostgres({ url: databaseUrl })
  const { openPglite } = await import('./pglite-engine.ts')
  return openPglite({
    directory: join(home, 'db'),
    ...(template !== undefined && { template }),
    ...(isDurable !== undefined && { isDurable }),
  })
}

function historyOn(engine: Engine, { now, foundVersion }: HistoryOptions & { foundVersion: number }): History {
  const hub = new Hub(engine)
  let closed: Promise<void> | undefined
  const openOwner: History['openOwner'] = async (owner, { mask } = {}) => {
    const log = await openPgLog(engine, { owner, hub, now, ...(mask && { mask }) })
    return {
      owner,
      log,
      blobs: createPgBlobs(engine, owner, mask),
      conversations: createConversations(engine, owner, {
        now,
        ...(mask && { mask }),
        onPatched: (id, at) => hub.patched(owner, id, at),
      }),
      content: (hash) => engine.read(owner, (db) => findContent(db, hash)),
      releaseBefore: (prefix, holder) => engine.as(owner, (db) => releaseContentBefore(db, prefix, holder)),
      search: (query, options = {}) => searchHistory(engine, owner, { query, now: now(), ...options }),
      async copy(id, batch) {
        const added = await hub.inTurn(owner, id, () => engine.as(owner, (db) => copySession(db, id, batch)))
        hub.written(owner, id, added)
        return added
      },
      async add(id, batch) {
        const added = await hub.inTurn(owner, id, () => engine.as(owner, (db) => addFacts(db, id, { ...batch, mask })))
        hub.written(owner, id, added)
        return added
      },
      async begin(sessions) {
        const stored = await engine.as(owner, (db) => beginSessions(db, sessions, mask))
        for (const [id, records] of stored) hub.written(owner, id, records)
      },
      async known(ids) {
        const sql = 'select id from maru.conversation where owner = maru.uid() and id = any($1)'
        const rows = await engine.read(owner, (db) => db.query<{ id: string }>(sql, [ids]))
        return new Set(rows.map(({ id }) => id))
      },
      rebuild: (id) => engine.as(owner, (db) => rebuildSession(db, id)),
    }
  }
  return {
    kind: engine.kind,
    engine,
    open: async (name, options) => openOwner(await findAccount(engine, name), options),
    openOwner,
    access: createAccess(engine, (owner, sessions) => {
      for (const id of sessions) hub.gone(owner, id)
    }),
    foundVersion,
    async accounts() {
      const sql = 'select name from maru.account order by created_at, name'
      const rows = await engine.asOwner((db) => db.query<{ name: string }>(sql, []))
      return rows.map(({ name }) => name)
    },
    schema: () => schemaState(engine),
    inBulk: (work, options = {}) => (engine.nodes ? work() : inBulk(engine, work, options)),
    upkeep: (options) => engine.upkeep(options),
    upkeepDue: () => engine.upkeepDue(),
    close() {
      closed ??= closeAll(hub, engine)
      return closed
    },
  }
}

async function closeAll(hub: Hub, engine: Engine): Promise<void> {
  try {
    await hub.close()
  } finally {
    await engine.close()
  }
}

async function findAccount(engine: Engine, name: string): Promise<string> {
  const rows = await engine.asOwner(async (db) => {
    await db.query('insert into maru.account (name) values ($1) on conflict do nothing', [name])
    return db.query<{ id: string }>('select id from maru.account where name = $1', [name])
  })
  return rows[0]?.id as string
}
