import { input, person, start, testPostgres } from '@maru/testkit'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type History, type OwnHistory, openHistory, sha256 } from '../../src/index.ts'
import { START_MS } from './engines.ts'

// Whatever comes to light of the other one holds this; what is asked for is only its beginning.
const SECRET = /zanzibarish/i
const PLAIN = /^[a-z_]+$/
// For one that waits without end; a busy machine takes its time for any.
const LIMIT = `set statement_timeout = '60s'`

let history: History
let mine: OwnHistory
let theirs: OwnHistory
let client: pg.Client
let tables: { name: string; columns: string[] }[] = []
const heard: string[] = []

const everythingOf = ({ owner }: OwnHistory) =>
  history.engine.asOwner(async (db) => {
    const rows: string[] = []
    for (const { name } of tables) {
      const found = await db.query<object>(`select * from maru.${name} where owner = $1`, [owner])
      // A lease is renewed by itself while the test goes on.
      rows.push(`${name} ${found.map((row) => JSON.stringify({ ...row, lease_until: undefined })).sort()}`)
    }
    return rows
  })

beforeAll(async () => {
  const url = await (await testPostgres()).createDatabase()
  history = await openHistory({ home: '', now: Date.now, databaseUrl: url })
  mine = await history.open('me')
  theirs = await history.open('zanzibarish')
  for (const [own, word] of [
    [mine, 'mine'],
    [theirs, 'zanzibarish'],
  ] as const) {
    await own.log.create('s', start)
    const { hash } = await own.blobs.put('s', `${word} alone`)
    await own.log.admit('s', input('k', `${word} said 42`))
    const parts = [{ type: 'text' as const, text: `${word} whole`, blob: { hash, bytes: 5 } }]
    await own.log.admit('s', { type: 'message-add', key: 'm', by: person, role: 'user', parts })
    await own.log.admit('s', { type: 'title-set', key: 't', by: person, title: `${word} title` })
    await own.log.admit('s', { type: 'message-hide', key: 'h', by: person, target: 2 })
    await own.conversations.patch('s', { tags: [word], description: word, project: word })
    await own.log.lease('s')
    const secret = { owner: own.owner, hash: sha256(word) }
    const { owner } = own
    await history.access.setPassword(owner, word)
    await history.access.addKey({ ...secret, kind: 'token', label: word, scopes: ['admin'] })
    await history.access.addOneTime({ ...secret, kind: 'link', expiresAt: Date.now() + 3_600_000 })
    await history.access.note({ owner, action: word, detail: word })
    await history.access.take(word, word, { capacity: 30, perMinute: 30 })
    await history.engine.as(own.owner, async (db) => {
      await db.query('insert into maru.project (name) values ($1)', [word])
      await db.query(`insert into maru.job (kind, key, payload) values ('k', $1, to_json($1::text))`, [word])
      await db.query(`insert into maru.mirror values (default, $1, $1, $1, 1, 1, 1, 1, 1)`, [word])
      await db.query('select maru.take($1, 1, 30, 0.5)', [word])
    })
  }
  tables = await history.engine.asOwner(async (db) => {
    await db.query('analyze', [])
    return db.query<{ name: string; columns: string[] }>(
      `select table_name::text as name, array_agg(column_name::text) as columns from information_schema.columns c
       where table_schema = 'maru' and exists (select from information_schema.columns o
         where (o.table_schema, o.table_name, o.column_name) = (c.table_schema, c.table_name, 'owner'))
       group by table_name order by 1`,
      [],
    )
  })
  // As the program should connect where several people share a server: a login that owns nothing.
  const login = `fuzz_${process.hrtime.bigint()}`
  await history.engine.asOwner((db) => db.query(`create role ${login} login noinherit; grant maru_app to ${login}`))
  client = new pg.Client({ connectionString: url.replace('postgres@', `${login}@`) })
  client.on('notice', (notice) => heard.push(JSON.stringify(notice)))
  client.on('error', () => undefined)
  await client.connect()
  await client.query(LIMIT)
}, START_MS)

afterAll(async () => {
  await client.end()
  await mine.log.close()
  await theirs.log.close()
  await history.close()
})

const FILTER = 'null::maru.search_filter'

/** Ways to look, and to touch, by somebody who may write any SQL but not say who he is. */
const ATTEMPTS: ((table: string, column: string, other: string) => string)[] = [
  (t) => `select * from maru.${t}`,
  (t, c) => `select ${c} from maru.${t} where ${c}::text::int = 1`,
  (t, c) => `select 1 / length(${c}::text), ${c} from maru.${t} order by ${c}::text desc`,
  (t, c, o) => `select * from maru.${t} where owner = '${o}' or ${c} is not null`,
  (t, c) => `select json_agg(x.${c}), count(*) from maru.${t} x`,
  (t) => `table maru.${t}`,
  (t) => `copy maru.${t} to stdout`,
  (t) => `copy maru.${t} to program 'cat'`,
  (t) => `copy (select * from maru.${t}) to '/tmp/out'`,
  (t) => `copy maru.${t} from '/etc/passwd'`,
  (t) => `lock table maru.${t} in access share mode; select * from maru.${t}`,
  (t, _c, o) => `delete from maru.${t} where owner = '${o}' returning *`,
  (t, c, o) => `update maru.${t} set ${c} = ${c} where owner = '${o}' returning *`,
  (t, _c, o) => `update maru.${t} set owner = '${o}' returning *`,
  (t, _c, o) => `update maru.${t} set owner = maru.uid() where owner = '${o}' returning *`,
  (t, _c, o) => `insert into maru.${t} (owner) values ('${o}') returning *`,
  (t) => `insert into maru.${t} select * from maru.${t} on conflict do nothing returning *`,
  (t) => `merge into maru.${t} a using maru.${t} b on a.owner <> b.owner when matched then delete`,
  (t) => `truncate maru.${t} cascade`,
  (t) => `alter table maru.${t} disable row level security`,
  (t) => `alter table maru.${t} owner to current_user`,
  (t) => `drop policy own on maru.${t}`,
  (t) => `create policy mine on maru.${t} using (true)`,
  (t) => `set local row_security = off; select * from maru.${t}`,
  (t) => `create temp view peek as select * from maru.${t}; select * from peek`,
  (t) => `create temp table copied as select * from maru.${t}; select * from copied`,
  (t, c) =>
    `create function pg_temp.tell(a text) returns boolean language plpgsql cost 0.0001 as $$ begin raise notice '%', a; return true; end $$;
     select * from maru.${t} where pg_temp.tell(${c}::text)`,
  (t) => `do $$ declare r record; begin for r in select * from maru.${t} loop raise notice '%', r; end loop; end $$`,
  (t, c) => `create index on maru.${t} (${c})`,
  (t) => `create trigger x before insert on maru.${t} for each row execute function pg_temp.tell()`,
  (t, c) => `select ${c}, ctid, xmin from maru.${t} where ctid = '(0,1)' or ctid = '(0,2)'`,
  (t, c) => `select * from pg_stats where schemaname = 'maru' and tablename = '${t}' and attname = '${c}'`,
  (t) => `select * from pg_statistic where starelid = 'maru.${t}'::regclass`,
  (t) => `analyze maru.${t}; vacuum maru.${t}`,
  (t) => `select pg_read_file(pg_relation_filepath('maru.${t}'))`,
  () => `select query, application_name from pg_stat_activity`,
  () => `select * from pg_stats_ext; select * from pg_cursors; select * from pg_prepared_statements`,
  () => `select * from pg_authid; select * from pg_largeobject`,
  () => `select lo_export(loid, '/tmp/x') from pg_largeobject_metadata; select lo_import('/etc/passwd')`,
  () => `select lo_from_bytea(0, 'mine'); select lo_get(oid) from pg_largeobject_metadata`,
  () => 'set role postgres; select * from maru.message',
  () => 'set session authorization postgres; select * from maru.message',
  () => 'reset role; select * from maru.message',
  () => 'alter role current_user superuser',
  () => 'alter role maru_app bypassrls',
  () => `select * from maru.account`,
  () => `insert into maru.account (name) values ('zanzibar')`,
  () => `select * from maru.migration`,
  (_t, _c, o) =>
    `create or replace function maru.uid() returns uuid language sql as $$ select '${o}'::uuid $$; select * from maru.message`,
  (_t, _c, o) =>
    `create function pg_temp.uid() returns uuid language sql as $$ select '${o}'::uuid $$; set local search_path = pg_temp, maru; select * from message`,
  () => `set local search_path = maru, pg_temp, public; select * from message, conversation`,
  () =>
    `create temp table message (like maru.message); create temp table conversation (like maru.conversation);
     set local search_path = pg_temp, pg_catalog; select * from maru.search(array['zanzi'], ${FILTER}, 'infinity', 0, 0, 60)`,
  () => `create schema public2; create function public.lower(text) returns text language sql as 'select $1'`,
  () => `select * from maru.search(array['zanzi'], ${FILTER}, 'infinity', 0, 0, 60)`,
  () => `select * from maru.search(array['%'], ${FILTER}, 'infinity', 0, 0, 200)`,
  () =>
    `select * from maru.search(array['a', 'i'], row('zanzibar', null, null, null, null, null)::maru.search_filter, 'infinity', 0, 0, 60)`,
  () => `select * from maru.search(array['_', '\\'], ${FILTER}, 'infinity', 0, 0, -1)`,
  () => `select * from maru.find_messages(array['zanzi'], ${FILTER}, 'infinity', 0, 0, 60)`,
  (_t, _c, o) => `select maru.gram_query('${o}', array['zanzi']), maru.heir(1, 1), maru.is_in(1, ${FILTER})`,
  (_t, _c, o) => `select * from maru.message where maru.grams(owner, content) @@ ('''o:${o}''')::tsquery`,
  () => `explain (analyze, verbose) select * from maru.message where content like '%zanzi%'`,
  () => `notify maru, 'not json'; select nextval('maru.epoch'), currval('maru.epoch')`,
  () => `table maru.allowance; select maru.allow('zanzibar', 'zanzibar', 1, 1, 1)`,
  () => `select maru.allow('zanzibar', 'zanzibar', 1, 1, 1)`,
  () => `select maru.heir(no, 1), maru.patterns(array['zanzi']) from generate_series(1, 9) no`,
  () => `select setval('maru.epoch', 1)`,
  () => `declare c cursor with hold for select * from maru.message; fetch all from c`,
  () => `prepare p as select * from maru.message; execute p`,
]

test('whatever SQL the application’s role runs, somebody else’s rows are neither seen nor touched', async () => {
  const before = await everythingOf(theirs)
  const attempt = async (sql: string) => {
    heard.length = 0
    await client.query(`begin; set local role maru_app; select set_config('app.user_id', '${mine.owner}', true)`)
    let said: string
    try {
      said = JSON.stringify(await client.query(sql), (key, value: unknown) => (key.startsWith('_') ? undefined : value))
    } catch (error) {
      const { message, detail, hint, where, code } = error as pg.DatabaseError
      said = JSON.stringify({ message, detail, hint, where })
      // The statement itself may be repeated in what is wrong with it; a cut or a crash is no answer.
      if (['57014', '57P01', 'XX000'].includes(code ?? '')) throw error
    }
    await client.query('rollback; reset all; discard temp')
    await client.query(LIMIT)
    const shown = (said + heard.join('')).replaceAll(sql, '')
    expect(SECRET.test(shown) || shown.includes(theirs.owner) ? shown : '', sql).toBe('')
  }
  // Each of them once on every table, then some in any order with columns at random.
  for (const make of ATTEMPTS) {
    for (const { name } of make.length > 0 ? tables : tables.slice(0, 1)) {
      await attempt(make(name, 'owner', theirs.owner))
      if (!/\$\{t\}/.test(make.toString())) break
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(), async (a, b, c) => {
      const make = ATTEMPTS[a % ATTEMPTS.length] as (typeof ATTEMPTS)[number]
      const { name, columns } = tables[b % tables.length] as (typeof tables)[number]
      const column = columns[c % columns.length] ?? 'owner'
      expect(column).toMatch(PLAIN)
      await attempt(make(name, column, theirs.owner))
    }),
    { numRuns: 400, seed: 20_261_116 },
  )
  expect(await everythingOf(theirs)).toEqual(before)
}, 120_000)

test('the search is the only thing with more rights than its caller, and its names are fixed', async () => {
  const rows = await history.engine.asOwner((db) =>
    db.query<{ name: string; settings: string[] | null; is_public: boolean }>(
      `select proname::text as name, proconfig as settings, has_function_privilege('public', oid, 'execute') as is_public
       from pg_proc where pronamespace = 'maru'::regnamespace and (prosecdef or has_function_privilege('public', oid, 'execute'))`,
      [],
    ),
  )
  expect(rows).toEqual([{ name: 'search', settings: ['search_path=pg_catalog, pg_temp'], is_public: false }])
})
