import { LogError } from '@maru/protocol'
import type { Engine, Queries } from './engine.ts'
import { type Migration, migrations } from './migrations/index.ts'

// Any number that no one else uses in this database.
const LOCK = 0x6d617275

/** What the schema is and what it should be. */
export interface SchemaState {
  version: number
  latest: number
}

/** The same, and what it was. */
export interface Migrated extends SchemaState {
  before: number
}

export async function schemaState(engine: Engine): Promise<SchemaState> {
  return engine.asOwner(async (db) => ({ version: await versionOf(db), latest: latestOf(migrations) }))
}

/**
 * Brings the schema up to date. Several nodes may start at once: one migrates, the others wait and find it done. Each step
 * is there as a whole or not at all.
 */
export async function migrate(engine: Engine, steps: readonly Migration[] = migrations): Promise<Migrated> {
  const latest = latestOf(steps)
  // Without the lock first: it costs a moment at every start and is needed at few.
  const before = await engine.asOwner(versionOf)
  expectKnown(before, latest)
  if (before < latest) for (const step of steps) await engine.asOwner((db) => apply(db, step, latest))
  return { version: latest, latest, before }
}

async function apply(db: Queries, { version, name, sql }: Migration, latest: number): Promise<void> {
  await db.query('select pg_advisory_xact_lock($1)', [LOCK])
  const found = await versionOf(db)
  expectKnown(found, latest)
  if (found >= version) return
  if (found === 0) await expectLetters(db)
  await db.query(sql)
  await db.query(
    `create table if not exists maru.migration
       (version int primary key, name text not null, applied_at timestamptz not null default now())`,
  )
  await db.query('insert into maru.migration (version, name) values ($1, $2)', [version, name])
}

async function versionOf(db: Queries): Promise<number> {
  // From the tables themselves: a session remembers names it did not find, also while it waits for the lock.
  const there = await db.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'maru' and c.relname = 'migration'`,
  )
  if (there.length === 0) return 0
  const [row] = await db.query<{ version: number }>('select coalesce(max(version), 0) as version from maru.migration')
  return row?.version ?? 0
}

function latestOf(steps: readonly Migration[]): number {
  return steps.at(-1)?.version ?? 0
}

function expectKnown(version: number, latest: number): void {
  if (version <= latest) return
  const message = `the history's schema is ${version}, this Maru knows ${latest}: update Maru`
  throw new LogError('newer', message, { details: { version, latest } })
}

// Under the ctype C capital É has no small letter and Hangul are no letters: the search would miss what is there.
async function expectLetters(db: Queries): Promise<void> {
  const [row] = await db.query<{ fits: boolean }>(
    `select current_setting('server_encoding') = 'UTF8' and lower('ÉЖ') = 'éж' and '서' ~ '^[[:alnum:]]$' as fits`,
  )
  if (row?.fits) return
  throw new LogError('failed', 'this database does not know letters: create it with ENCODING UTF8 and LC_CTYPE C.UTF-8')
}
