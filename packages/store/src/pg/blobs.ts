import { type BlobStore, fits, Hash, LogError } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { sha256 } from '../sha256.ts'
import type { Engine, Queries } from './engine.ts'

/** Content in the database, once for each owner, kept while any session of theirs holds it. */
export function createPgBlobs(engine: Engine, owner: string, mask?: Mask): BlobStore {
  const as = <T>(work: (db: Queries) => Promise<T>) => engine.as(owner, work)
  return {
    async put(holder, content) {
      const bytes = Buffer.from(typeof content === 'string' ? (mask?.(content) ?? content) : content)
      const hash = sha256(bytes)
      const store = () =>
        as(async (db) => {
          await holdContent(db, holder, [{ hash, bytes }])
        })
      // Another may let go of the same content between the two: then it is stored anew.
      await store().catch((error: unknown) => (isForeignKey(error) ? store() : Promise.reject(error as Error)))
      return { hash, bytes: bytes.length }
    },
    async get(holder, hash, range) {
      expectHash(hash)
      const [row] = await engine.read(owner, (db) => db.query<{ content: Uint8Array }>(GET, [holder, hash]))
      return row?.content.slice(range?.start ?? 0, range?.end ?? row.content.length)
    },
    async share(from, to, hashes) {
      const wanted = [...hashes]
      await as(async (db) => {
        const held = await db.query<{ hash: string }>(
          'select hash from maru.holding where owner = maru.uid() and holder = $1 and hash = any($2)',
          [from, wanted],
        )
        await hold(
          db,
          to,
          held.map(({ hash }) => hash),
        )
      })
    },
    async release(holder, hash) {
      if (hash !== undefined) expectHash(hash)
      await as((db) => releaseContent(db, holder, hash === undefined ? undefined : [hash]))
    },
    // A transaction that has ended is on the disk.
    flush: async () => undefined,
  }
}

/** Stores content by its hash, and that a holder needs it. */
export async function holdContent(
  db: Queries,
  holder: string,
  contents: { hash: string; bytes: Uint8Array }[],
): Promise<void> {
  for (const { hash, bytes } of contents) {
    const sql = 'insert into maru.blob (hash, content) values ($1, $2) on conflict do nothing'
    await db.query(sql, [hash, Buffer.from(bytes)])
  }
  await hold(
    db,
    holder,
    contents.map(({ hash }) => hash),
  )
}

/** Lets go of these, or of all that a holder has; what nobody holds any more is gone. */
export async function releaseContent(db: Queries, holder: string, hashes?: string[]): Promise<void> {
  const released = await db.query<{ hash: string }>(
    `delete from maru.holding where owner = maru.uid() and holder = $1 and ($2::text[] is null or hash = any($2)) returning hash`,
    [holder, hashes ?? null],
  )
  if (released.length > 0)
    await dropUnheld(
      db,
      released.map(({ hash }) => hash),
    )
}

/** Content that anybody of the owner's holds. */
export async function findContent(db: Queries, hash: string): Promise<Uint8Array | undefined> {
  const sql = 'select content from maru.blob where owner = maru.uid() and hash = $1'
  const [row] = await db.query<{ content: Uint8Array }>(sql, [hash])
  return row?.content
}

const RELEASE_BEFORE = `
  with released as (
    delete from maru.holding where owner = maru.uid() and starts_with(holder, $1) and holder < $2 returning hash
  )
  delete from maru.blob b where b.owner = maru.uid() and b.hash in (select hash from released)
    and not exists (select from maru.holding h where h.owner = b.owner and h.hash = b.hash
      and not (starts_with(h.holder, $1) and h.holder < $2))`

/** Lets go of what holders whose names begin so, and sort before, still hold. */
export async function releaseContentBefore(db: Queries, prefix: string, holder: string): Promise<void> {
  await db.query(RELEASE_BEFORE, [prefix, holder])
}

async function dropUnheld(db: Queries, hashes: string[]): Promise<void> {
  await db.query(
    `delete from maru.blob b where b.owner = maru.uid() and b.hash = any($1)
       and not exists (select from maru.holding h where h.owner = b.owner and h.hash = b.hash)`,
    [hashes],
  )
}

async function hold(db: Queries, holder: string, hashes: string[]): Promise<void> {
  await db.query('insert into maru.holding (holder, hash) select $1, unnest($2::text[]) on conflict do nothing', [
    holder,
    hashes,
  ])
}

// One's own, or what the facts before one's own beginning refer to.
const GET = `
  select b.content from maru.blob b where b.owner = maru.uid() and b.hash = $2 and (
    exists (select from maru.holding h where h.owner = maru.uid() and h.holder = $1 and h.hash = $2)
    or exists (
      with recursive chain (no, id, parent, low, high) as (
        select no, id, parent, fork_seq, head from maru.conversation where owner = maru.uid() and id = $1
        union all
        select p.no, p.id, p.parent, p.fork_seq, c.low
        from chain c join maru.conversation p on p.owner = maru.uid() and p.no = c.parent
      )
      select from chain c join maru.holding h on h.owner = maru.uid() and h.hash = $2
        and h.holder = coalesce(c.id, '#' || c.no) and h.seq <= c.high))`

function isForeignKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23503'
}

function expectHash(hash: string): void {
  if (!fits(Hash, hash)) throw new LogError('rejected', `"${hash}" is not a hash`)
}
