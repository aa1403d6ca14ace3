import { person, start, temporaryDirectory, testPostgres } from '@maru/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type History, openHistory } from '../../src/index.ts'
import { migrate } from '../../src/pg/migrate.ts'
import { migrations } from '../../src/pg/migrations/index.ts'
import { openPostgres } from '../../src/pg/postgres-engine.ts'
import { START_MS } from './engines.ts'

const said = (key: string, text: string) => ({
  type: 'message-add' as const,
  key,
  by: person,
  role: 'user' as const,
  parts: [{ type: 'text' as const, text }],
})

/** How the index of the search stands, as far as the database says. */
const indexOf = ({ engine }: History) =>
  engine.asOwner(async (db) => {
    const [row] = await db.query<object>(
      `select pg_get_indexdef(c.oid) as made, a.attstattarget as statistics from pg_class c
       join pg_attribute a on a.attrelid = c.oid where c.oid = to_regclass('maru.message_grams')`,
      [],
    )
    return row
  })

test('work in bulk is found while it goes on and behind it, and what it leaves when it is cut short is mended', {
  timeout: START_MS,
}, async () => {
  const { path, dispose } = await temporaryDirectory()
  const options = { home: path, now: Date.now, isDurable: false }
  let history = await openHistory(options)
  try {
    let own = await history.open('me')
    const before = await indexOf(history)
    expect(before).toMatchObject({ statistics: 0 })
    await own.log.create('s', start)
    const find = async (words: string) => (await own.search(words)).hits.map(({ seq }) => seq).sort((a, b) => a - b)
    const told: string[] = []
    for (const [n, bytes] of [5_000_000, 10, 0].entries()) {
      const [key, onIndex] = [`${n}`, () => void told.push(`${n}`)]
      await history.inBulk(
        async () => {
          await own.log.admit('s', said(key, `웹서버 number${n}`))
          expect(await find(`number${n}`)).toEqual([n + 2])
          expect(await indexOf(history)).not.toEqual(before)
        },
        { bytes, onIndex },
      )
      expect(await indexOf(history)).toEqual(before)
      expect(await find(`number${n}`)).toEqual([n + 2])
    }
    expect(told).toEqual(['0', '1', '2'])
    for (const left of ['drop index maru.message_grams', 'alter index maru.message_grams set (fastupdate = on)']) {
      await history.engine.asOwner((db) => db.query(left))
      await own.log.close()
      await history.close()
      history = await openHistory(options)
      own = await history.open('me')
      expect(await indexOf(history)).toEqual(before)
      expect(await find('서버')).toEqual([2, 3, 4])
    }
    await own.log.close()
  } finally {
    await history.close()
    await dispose()
  }
})

test('many sessions that begin at once are those that begin one by one, forks among them', async () => {
  const history = await openHistory({
    home: '',
    now: () => 5,
    databaseUrl: await (await testPostgres()).createDatabase(),
  })
  const sessions = ['a', 'b', 'c'].map((id, n) => ({
    id,
    start: { at: n, start: { ...start, ...(id === 'c' && { forkOf: { id: 'b', seq: 3 } }) } },
    facts: [
      { at: n + 10, fact: { type: 'title-set' as const, key: 't', by: person, title: `title ${id}` } },
      { at: n + 20, fact: said('1', `${id} one`) },
      { at: n + 30, fact: { ...said('2', `${id} two`), tokens: 7 } },
    ],
  }))
  const outline = async (name: string) => {
    const { owner, log, conversations } = await history.open(name)
    await log.close()
    const { items } = await conversations.list()
    return {
      items: items.map(({ version: _version, ...item }) => item),
      messages: await Promise.all(items.map(({ id }) => conversations.messages(id))),
      keys: await history.engine.asOwner((db) =>
        db.query(
          'select c.id, a.key, a.seq from maru.admission a join maru.conversation c on c.no = a.session where a.owner = $1 order by 1, 2',
          [owner],
        ),
      ),
    }
  }
  const [one, many] = [await history.open('one'), await history.open('many')]
  for (const { id, ...batch } of sessions) await one.add(id, batch)
  await many.begin(sessions)
  expect(await outline('many')).toEqual(await outline('one'))
  expect(await many.known(['a', 'c', 'd'])).toEqual(new Set(['a', 'c']))
  await expect(many.begin([{ ...sessions[0], id: 'd' } as never, sessions[1] as never])).rejects.toMatchObject({
    code: 'exists',
  })
  expect(await many.known(['d'])).toEqual(new Set())
  await one.log.close()
  await many.log.close()
  await history.close()
})

test('the grams of a text are the same as before they were made quicker', async () => {
  const engine = await openPostgres({ url: await (await testPostgres()).createDatabase() })
  await migrate(engine, migrations.slice(0, 3))
  const letters = fc.constantFrom(...'가나힣서버값ㄱㅏ漢字かナaBzé_09ßДж٣ა .-\n😀%\\')
  const text = fc.oneof(
    fc.array(letters, { maxLength: 40 }).map((list) => list.join('')),
    fc.string({ unit: 'binary', maxLength: 60 }).map((all) => all.replaceAll('\0', '').normalize('NFC')),
    fc.tuple(letters, fc.nat({ max: 900 })).map(([letter, times]) => `${letter}끝a`.repeat(times)),
  )
  const texts = [...fc.sample(text, { numRuns: 300, seed: 20_261_116 }), '', 'x'.repeat(100_001), '가'.repeat(401)]
  const grams = () =>
    engine.asOwner((db) =>
      db.query(
        `select maru.grams('00000000-0000-0000-0000-000000000001', t)::text as grams from unnest($1::text[]) t`,
        [texts],
      ),
    )
  const before = await grams()
  await migrate(engine)
  expect(await grams()).toEqual(before)
  await engine.close()
})
