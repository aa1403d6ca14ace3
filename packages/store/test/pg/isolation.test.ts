import { LogError } from '@maru/protocol'
import { collect, input, person, start } from '@maru/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addJob, askForSummary, type History, type OwnHistory } from '../../src/index.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

const TABLES = [
  ...['project', 'conversation', 'fact', 'admission', 'message', 'hidden', 'blob', 'holding', 'lease', 'tag', 'job'],
  ...['bucket', 'mirror'],
]

/** Who may come in: the application's role has no right to any of these. */
const CLOSED = ['password', 'key', 'one_time', 'audit', 'allowance']
const secretHash = 'ab'.repeat(32)

describe.each(ENGINES)('on %s everybody', (engine) => {
  let history: History
  let mine: OwnHistory
  let theirs: OwnHistory
  let hash = ''

  const everythingOf = ({ owner }: OwnHistory) =>
    history.engine.asOwner(async (db) => {
      const tables: string[] = []
      for (const table of [...TABLES, ...CLOSED]) {
        const whose = table === 'allowance' ? 'subject' : 'owner'
        const rows = await db.query<object>(`select * from maru.${table} where ${whose}::text = $1`, [owner])
        // A lease is renewed by itself while the test goes on.
        const moving = table === 'lease' ? { lease_until: undefined } : {}
        tables.push(`${table} ${rows.map((row) => JSON.stringify({ ...row, ...moving })).sort()}`)
      }
      return tables
    })

  beforeAll(async () => {
    history = await useHistory(engine)
    mine = await history.open(freshName('me'))
    theirs = await history.open(freshName('they'))
    await theirs.log.create('s', start)
    const { access } = history
    await access.setPassword(theirs.owner, 'secret')
    const hashes = { key: secretHash.replace('ab', engine.length.toString(16).padStart(2, '0')), link: secretHash }
    await access.addKey({ kind: 'token', owner: theirs.owner, hash: hashes.key, label: 'secret', scopes: ['admin'] })
    await access.addOneTime({ kind: 'link', owner: theirs.owner, hash: hashes.link, expiresAt: Date.now() + 3_600_000 })
    await access.note({ owner: theirs.owner, action: 'secret' })
    await access.take(theirs.owner, 'secret', { capacity: 3, perMinute: 1 })
    hash = (await theirs.blobs.put('s', 'theirs alone')).hash
    await theirs.log.admit('s', input('k', 'a secret of theirs'))
    await theirs.log.admit('s', { type: 'title-set', key: 't', by: person, title: 'secret title' })
    await theirs.log.admit('s', { type: 'message-hide', key: 'h', by: person, target: 2 })
    await theirs.conversations.patch('s', { tags: ['secret'] })
    await theirs.log.lease('s')
    await history.engine.as(theirs.owner, async (db) => {
      await db.query(`insert into maru.project (name) values ('p')`, [])
      await db.query(`insert into maru.job (kind, key, payload) values ('k', 'k', '{}')`, [])
      await db.query(`select maru.take('messages', 1, 30, 0.5)`, [])
      await db.query(`insert into maru.mirror values (default, 'secret', 's', '1:1', 1, 1, 1, 1, 1)`, [])
    })
  }, START_MS)
  afterAll(async () => {
    await mine.log.close()
    await theirs.log.close()
  })

  test('sees and touches only their own, whatever is called', async () => {
    const before = await everythingOf(theirs)
    const calls: ((own: OwnHistory, n: number) => Promise<unknown>)[] = [
      (own) => own.log.create('s', start),
      (own, n) => own.log.create(`f${n}`, { ...start, forkOf: { id: 's', seq: 2 } }),
      (own, n) => own.log.admit('s', input(`mine ${n}`)),
      (own) => own.log.admit('s', input('k', 'the same key')),
      (own) => own.log.erase('s', 2),
      (own) => own.log.erase('s'),
      async (own) => (await own.log.lease('s')).release(),
      (own) => collect(own.log.read('s')),
      (own) => collect(own.log.list()),
      (own) => own.blobs.get('s', hash),
      (own) => own.blobs.release('s', hash),
      (own) => own.blobs.share('s', 'f', [hash]),
      (own) => own.blobs.put('s', 'theirs alone'),
      (own) => own.search('secret'),
      (own) => own.search('theirs'),
      (own) => own.conversations.list(),
      (own) => own.conversations.list({ q: 'secret' }),
      (own) => own.conversations.list({ tag: 'secret', sort: 'count' }),
      (own) => own.conversations.get('s'),
      (own) => own.conversations.forks('s'),
      (own) => own.conversations.summaries('s'),
      (own) => own.conversations.usage(),
      (own) => own.conversations.messages('s', { around: 2 }),
      (own) => own.conversations.messages('s'),
      (own, n) => own.conversations.patch('s', { description: `${n}`, tags: ['mine'] }),
      (own) => own.rebuild('s'),
      (own) => own.known(['s', 't']),
      (own, n) => own.add('s', { facts: [{ at: n, fact: input(`added ${n}`) }] }),
      (own, n) =>
        own.begin([{ id: `b${n}`, start: { at: n, start: { ...start, forkOf: { id: 's', seq: 2 } } }, facts: [] }]),
      (own, n) => own.begin([{ id: 's', start: { at: n, start }, facts: [{ at: n, fact: input('k', 'begun') }] }]),
      (own) => own.copy('s', { records: [] }),
      (own) => addJob(history.engine, own.owner, { kind: 'k', key: 'k', payload: {} }),
      (own) => askForSummary(history.engine, own.owner, { id: 's', to: 2 }),
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: calls.length - 1 }), { minLength: 5, maxLength: 25 }), async (order) => {
        for (const [n, at] of order.entries()) {
          const answer = await calls[at]?.(mine, n).catch((error: unknown) => {
            if (!(error instanceof LogError) || error.code === 'failed') throw error
          })
          const said = answer instanceof Uint8Array ? '' : (JSON.stringify(answer) ?? '')
          expect(said).not.toMatch(/secret|theirs/)
        }
      }),
      { numRuns: 4, seed: 5 },
    )
    expect(await everythingOf(theirs)).toEqual(before)
  })

  test('sees and touches only their own, whatever SQL the application’s role runs', async () => {
    const before = await everythingOf(theirs)
    const as = <T extends object>(sql: string, params: unknown[] = []) =>
      history.engine
        .as(mine.owner, (db) => db.query<T>(sql, params))
        .catch((error: { code?: string }) => {
          // No right to do so, or no such row or policy.
          if (!['42501', '42704', '23503', '23505', '42P17', '23502', '428C9', '23514'].includes(error.code ?? ''))
            throw error
          return [] as T[]
        })
    for (const table of [...TABLES, ...CLOSED.filter((name) => name !== 'allowance')]) {
      const rows = await as<{ owner: string }>(`select owner from maru.${table}`)
      expect(rows.filter(({ owner }) => owner !== mine.owner)).toEqual([])
      expect(await as(`select * from maru.${table} where owner = $1 or true`, [theirs.owner])).not.toContainEqual(
        expect.objectContaining({ owner: theirs.owner }),
      )
      const [columns] = await history.engine.asOwner((db) =>
        db.query<{ names: string }>(
          `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
           where table_schema = 'maru' and table_name = $1 and is_identity = 'NO' and column_name <> 'owner'`,
          [table],
        ),
      )
      const names = columns?.names ?? ''
      await as(`delete from maru.${table} where owner = $1`, [theirs.owner])
      await as(`update maru.${table} set owner = $1`, [mine.owner])
      await as(`update maru.${table} set owner = $1 where owner = $2`, [mine.owner, theirs.owner])
      await as(`insert into maru.${table} (owner, ${names}) select $1, ${names} from maru.${table}`, [theirs.owner])
      await as(`truncate maru.${table}`)
      await as(`alter table maru.${table} disable row level security`)
      await as(`drop policy own on maru.${table}`)
    }
    expect(await as<{ name: string }>('select name from maru.account')).toEqual([
      { name: expect.stringMatching(/^me /) },
    ])
    const filter = 'row(null, null, null, null, null, null)::maru.search_filter'
    expect(await as(`select * from maru.search(array['secret'], ${filter}, 'infinity', 0, 0, 60)`)).toEqual([])
    expect(await as(`select * from maru.search(array['%'], ${filter}, 'infinity', 0, 0, 60)`)).toEqual([])
    expect(await as(`select * from maru.find_messages(array['secret'], ${filter}, 'infinity', 0, 0, 60)`)).toEqual([])
    await as(`create or replace function maru.uid() returns uuid language sql as $$ select '${theirs.owner}'::uuid $$`)
    await as(`create table maru.mine (a int)`)
    await as(`set role postgres`)
    expect(await everythingOf(theirs)).toEqual(before)
  })

  test('comes in by what no request may look at', async () => {
    const { owner } = mine
    for (const sql of [
      ...CLOSED.flatMap((table) => [`select from maru.${table}`, `delete from maru.${table}`]),
      ...CLOSED.map((table) => `insert into maru.${table} default values`),
      `select maru.allow('${owner}', 'k', 1, 1, 1)`,
      `update maru.account set name = 'x'`,
    ]) {
      const tried = history.engine.as(owner, (db) => db.query(sql, []))
      await expect(tried, sql).rejects.toMatchObject({ code: '42501' })
    }
  })

  test('finds a message as it was said: nothing can be changed', async () => {
    const own = await history.open(freshName('immutable'))
    await own.log.create('s', start)
    await own.log.admit('s', input('k', 'as it was said'))
    const as = (sql: string) => history.engine.as(own.owner, (db) => db.query(sql, []))
    for (const column of ['content', 'role', 'at', 'seq', 'tokens', 'metadata', 'owner']) {
      await expect(as(`update maru.message set ${column} = ${column}`)).rejects.toMatchObject({ code: '42501' })
    }
    for (const column of ['body', 'kind', 'seq', 'session', 'runner']) {
      await expect(as(`update maru.fact set ${column} = ${column}`)).rejects.toMatchObject({ code: '42501' })
    }
    await own.log.close()
  })

  test('without a name is nobody, and sees nothing', async () => {
    const rows = await history.engine.asOwner(async (db) => {
      await db.query('set local role maru_app', [])
      const seen: object[] = []
      for (const table of [...TABLES, 'account'])
        seen.push(...(await db.query<object>(`select * from maru.${table}`, [])))
      const filter = 'row(null, null, null, null, null, null)::maru.search_filter'
      seen.push(
        ...(await db.query<object>(`select * from maru.search(array['secret'], ${filter}, 'infinity', 0, 0, 60)`, [])),
      )
      return seen
    })
    expect(rows).toEqual([])
    await expect(history.engine.as("x'; --", async () => undefined)).rejects.toThrow('UUID')
  })

  test('every table of the schema has its rows guarded', async () => {
    const open = await history.engine.asOwner((db) =>
      db.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'maru'::regnamespace and relkind = 'r' and not relrowsecurity`,
        [],
      ),
    )
    expect(open).toEqual([{ name: 'migration' }])
  })
})
