import type { Engine, Queries } from './engine.ts'
import { gramsIndex } from './migrations/quick-grams.ts'

/** What is known of a large piece of work before it begins. */
export interface BulkOptions {
  /** About how many bytes of text it will store. */
  bytes?: number
  /** Told before the index of the search is put in order, which can take as long as the work itself. */
  onIndex?(): void
}

// Below this, making the index anew gains nothing that anybody would notice.
const LARGE = 4_000_000

/**
 * Does work that stores a great deal, in a database that is this process's alone. To enter every message by itself costs
 * the index of the search most: its places are all over it. Where more comes in than is there, it is made anew behind the
 * work; else it takes what is new in lots. Cut short, either is mended at the next start.
 */
export async function inBulk<T>(engine: Engine, work: () => Promise<T>, options: BulkOptions): Promise<T> {
  await engine.asOwner(async (db) => {
    const [size] = await db.query<{ bytes: number }>(`select pg_table_size('maru.message') as bytes`, [])
    const { bytes = 0 } = options
    const isNew = bytes >= LARGE && bytes > (size?.bytes ?? 0)
    await db.query(isNew ? 'drop index maru.message_grams' : 'alter index maru.message_grams set (fastupdate = on)')
  })
  try {
    return await work()
  } finally {
    options.onIndex?.()
    await engine.asOwner(mendIndex)
  }
}

/** Brings the index of the search into the state in which it should be. */
export async function mendIndex(db: Queries): Promise<void> {
  const [row] = await db.query<{ is_there: boolean; is_slack: boolean }>(
    `select i.oid is not null as is_there, coalesce('fastupdate=on' = any(i.reloptions), false) as is_slack
     from (select) s left join pg_class i on i.oid = to_regclass('maru.message_grams')`,
    [],
  )
  if (!row?.is_there) await db.query(`set local maintenance_work_mem = '32MB'; ${gramsIndex}`)
  else if (row.is_slack) {
    await db.query('alter index maru.message_grams set (fastupdate = off)')
    await db.query(`select gin_clean_pending_list('maru.message_grams')`)
  }
}
