import { join } from 'node:path'
import { person, start, temporaryDirectory, testPostgres, upTo } from '@maru/testkit'
import { describe, expect, test } from 'vitest'
import { openHistory } from '../../src/index.ts'
import { migrate } from '../../src/pg/migrate.ts'
import { migrations } from '../../src/pg/migrations/index.ts'
import { openPglite } from '../../src/pg/pglite-engine.ts'
import { openPostgres } from '../../src/pg/postgres-engine.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

const said = (key: string, text: string) => ({
  type: 'message-add' as const,
  key,
  by: person,
  role: 'user' as const,
  parts: [{ type: 'text' as const, text }],
})

test.each(migrations.slice(0, -1))(
  'a history that was left at version $version is brought up to date and goes on',
  async ({ version }) => {
    const url = await (await testPostgres()).createDatabase()
    const engine = await openPostgres({ url })
    await migrate(engine, migrations.slice(0, version))
    await engine.asOwner(async (db) => {
      await db.query(`insert into maru.account (name) values ('me')`, [])
      await db.query(
        `insert into maru.conversation (owner, id, head, created_at, changed_at, last_at) select id, 'old', 1, now(), now(), now() from maru.account`,
        [],
      )
      await db.query(
        `insert into maru.message (owner, session, seq, role, content, at) select owner, no, 1, 'user', 'needle of old', now() from maru.conversation`,
        [],
      )
    })
    await engine.close()
    const history = await openHistory({ home: '', databaseUrl: url, now: Date.now })
    expect(history.foundVersion).toBe(version)
    expect(await history.schema()).toEqual({ version: migrations.length, latest: migrations.length })
    const own = await history.open('me')
    await own.log.create('new', start)
    await own.log.admit('new', said('1', 'needle of new'))
    expect((await own.search('needle')).hits.map(({ conversation }) => conversation).sort()).toEqual(['new', 'old'])
    await own.log.close()
    await history.close()
  },
)

test('an embedded one is, too', { timeout: START_MS }, async () => {
  const { path, dispose } = await temporaryDirectory()
  const engine = await openPglite({ directory: join(path, 'db'), isDurable: false })
  await migrate(engine, migrations.slice(0, 1))
  await engine.close()
  const history = await openHistory({ home: path, now: Date.now, isDurable: false })
  expect(history.foundVersion).toBe(1)
  expect(await history.schema()).toEqual({ version: migrations.length, latest: migrations.length })
  await history.close()
  await dispose()
})

describe.each(ENGINES)('a word of %s whose pieces are frequent and never adjacent', { timeout: START_MS }, (engine) => {
  test('is looked for in the index, not in everything that was said', async () => {
    const history = await useHistory(engine)
    const own = await history.open(freshName('pieces'))
    await own.log.create('s', start)
    await own.log.admit('s', said('k', '옛날의 서버그림'))
    const rows = 20_000
    await history.engine.asOwner((db) =>
      db.query(
        `insert into maru.message (owner, session, seq, role, content, at)
         select c.owner, c.no, n, 'user', case when n % 8 = 0 then '서버 버그' else '무' end, now() + n * interval '1 s'
         from maru.conversation c, generate_series(10, $2::int) n where c.owner = $1 and c.id = 's'`,
        [own.owner, rows],
      ),
    )
    // Too many messages hold both pieces for the index to call the word rare.
    expect((await own.search('서버그')).hits.map(({ seq }) => seq)).toEqual([2])
    expect((await own.search('서버의버그')).hits).toEqual([])
    const fetched = await history.engine.as(own.owner, async (db) => {
      const count = async () => {
        const [row] = await db.query<{ fetched: number }>(
          `select idx_tup_fetch + seq_tup_read as fetched from pg_stat_xact_user_tables where relname = 'message'`,
        )
        return row?.fetched ?? 0
      }
      const before = await count()
      await db.query(
        `select * from maru.search(array['서버그'], row(null,null,null,null,null,null)::maru.search_filter, 'infinity', 0, 0, 60)`,
      )
      return (await count()) - before
    })
    expect(fetched).toBeGreaterThan(1000)
    // To walk through all would fetch each of them, and most of them twice.
    expect(fetched).toBeLessThan(rows * 0.9)
    for (const n of upTo(2)) expect((await own.search('서버', { window: n })).hits).toHaveLength(n)
    await own.log.close()
  })
})
