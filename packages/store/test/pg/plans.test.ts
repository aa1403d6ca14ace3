import { beforeAll, describe, expect, test } from 'vitest'
import type { History } from '../../src/index.ts'
import { FIND_KEY } from '../../src/pg/access/keys.ts'
import { GET } from '../../src/pg/conversation-row.ts'
import { listQuery } from '../../src/pg/list-conversations.ts'
import { BEHIND, NEWEST } from '../../src/pg/messages.ts'
import { FACTS_PAGE } from '../../src/pg/read-facts.ts'
import { SUMMARIES } from '../../src/pg/stored-summaries.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

describe.each(ENGINES)('the plans of %s, under row-level security', (engine) => {
  let history: History
  let owner = ''

  beforeAll(async () => {
    history = await useHistory(engine)
    for (const name of ['big', 'small']) {
      const own = await history.open(freshName(name))
      await own.log.close()
      if (name === 'big') owner = own.owner
      await history.engine.asOwner(async (db) => {
        const [conversations, messages] = name === 'big' ? [300, 6] : [100, 2]
        await db.query(
          `insert into maru.conversation (owner, id, head, created_at, changed_at, last_at)
           select $1, $2::text || n, $4, now(), now(), now() - n * interval '1 min' from generate_series(1, $3::int) n`,
          [own.owner, name, conversations, messages],
        )
        for (const table of [
          'fact (owner, session, seq, kind, body, at, runner, messages, tokens)',
          'message (owner, session, seq, role, content, at)',
        ]) {
          const values = table.startsWith('fact')
            ? `'input-admit', '{}', now(), 0, 0, 0`
            : `'user', 'word ' || md5((c.no * 100 + n)::text), now() - c.no * interval '1 min'`
          await db.query(
            `insert into maru.${table} select c.owner, c.no, n, ${values} from maru.conversation c, generate_series(1, $2::int) n where c.owner = $1`,
            [own.owner, messages],
          )
        }
      })
    }
    await history.engine.asOwner(async (db) => {
      for (const rows of [
        `admission (owner, session, key, seq) select owner, session, 'key:' || seq, seq from maru.message where owner = $1`,
        `hidden (owner, session, target, seq) select owner, session, seq, seq + 1 from maru.message where owner = $1`,
        `lease (owner, session, epoch, node, lease_until) select owner, no, no, '', now() from maru.conversation where owner = $1`,
      ]) {
        await db.query(`insert into maru.${rows}`, [owner])
      }
      await db.query(
        `insert into maru.tag (owner, session, name) select owner, no, 'tag ' || n from maru.conversation, generate_series(1, 3) n
         where owner = $1`,
        [owner],
      )
      await db.query(
        `insert into maru.key (owner, kind, hash, label, scopes)
         select $1::uuid, 'token', encode(sha256(($1::uuid || ' ' || n)::bytea), 'hex'), '', '{read}' from generate_series(1, 500) n`,
        [owner],
      )
      await db.query('analyze', [])
    })
  }, START_MS)

  /** The indexes that a plan uses, and whether it reads a whole table. */
  const planOf = (sql: string, params: unknown[], setting?: string) =>
    history.engine.as(owner, async (db) => {
      if (setting !== undefined) await db.query(setting, [])
      const rows = await db.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, params)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      const indexes = [
        ...plan.matchAll(/(?:Index Scan|Index Only Scan|Bitmap Index Scan)(?: Backward)?(?: using| on) (\w+)/g),
      ]
      return {
        indexes: indexes.map(([, name]) => name),
        isWhole: /Seq Scan on/.test(plan),
        isSorted: /Sort\s+\(cost/.test(plan),
      }
    })

  test('the list reads one index in its order, and the tags of those on the page', async () => {
    for (const options of [{ limit: 20 }, { limit: 20, cursor: `last_at.${Date.now()}.5` }]) {
      const of = listQuery({ ...options, status: 'active' })
      expect(await planOf(of.sql, of.params)).toEqual({
        indexes: ['conversation_list', 'tag_pkey'],
        isWhole: false,
        isSorted: false,
      })
      // Of any status: the first of each, merged. Few rows of one status may as well be sorted; they need not be.
      const any = listQuery(options)
      expect(await planOf(any.sql, any.params, 'set local enable_sort = off')).toEqual({
        indexes: ['conversation_list', 'conversation_list', 'conversation_list', 'tag_pkey'],
        isWhole: false,
        isSorted: false,
      })
    }
  })

  test('one conversation, its summaries and a key to the door are found by their keys', async () => {
    expect(await planOf(GET, ['big1'])).toMatchObject({
      indexes: ['conversation_owner_id_key', 'tag_pkey'],
      isWhole: false,
    })
    expect((await planOf(SUMMARIES, [[1], [0], [6]])).indexes).toContain('fact_summaries')
    const plan = await history.engine.asOwner((db) =>
      db.query<{ 'QUERY PLAN': string }>(`explain ${FIND_KEY}`, ['0'.repeat(64)]),
    )
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(lines.match(/Index Scan using key_hash_key/g)).toHaveLength(2)
    expect(lines).not.toMatch(/Seq Scan on key/)
  })

  test('opening the newest messages, and paging back, read the key', async () => {
    for (const [sql, place] of [
      [NEWEST, 2 ** 31 - 1],
      [NEWEST, 4],
      [BEHIND, 3],
    ] as const) {
      const { indexes, isWhole } = await planOf(sql, [[1], [0], [6], place, 50])
      expect(indexes).toContain('message_pkey')
      expect(isWhole).toBe(false)
    }
  })

  test('reading facts behind a place reads the key', async () => {
    expect(await planOf(FACTS_PAGE, [1, 2, 6, 500])).toMatchObject({ indexes: ['fact_pkey'], isWhole: false })
  })

  test('finding a session, a key and a lease read one row', async () => {
    const where = 'owner = maru.uid() and'
    const plans = await Promise.all([
      planOf(`select no from maru.conversation where ${where} id = $1 for update`, ['big1']),
      planOf(`select seq from maru.admission where ${where} session = $1 and key = any($2)`, [1, ['key:k']]),
      planOf(`select from maru.lease where ${where} session = $1 and epoch = $2`, [1, 1]),
    ])
    expect(plans.map(({ indexes }) => indexes)).toEqual([
      ['conversation_owner_id_key'],
      ['admission_pkey'],
      ['lease_pkey'],
    ])
  })

  test('the search walks by time and finds by grams, inside the function that may', async () => {
    const plan = (sql: string, params: unknown[]) =>
      history.engine.asOwner(async (db) => {
        await db.query('set local enable_seqscan = off', [])
        const rows = await db.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, params)
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
    expect(
      await plan(
        `select * from maru.message c where c.owner = $1 and (c.at, c.session, c.seq) < ('infinity', 0, 0)
        order by c.at desc, c.session desc, c.seq desc limit 100`,
        [owner],
      ),
    ).toMatch(/Index Scan using message_walk/)
    expect(
      await plan(`select * from maru.message where maru.grams(owner, content) @@ maru.gram_query($1, array['word'])`, [
        owner,
      ]),
    ).toMatch(/Bitmap Index Scan on message_grams/)
    // What a caller could ask for without the function must not use it: the index would tell of others.
    const { indexes } = await planOf(`select * from maru.message where content like '%word%'`, [])
    expect(indexes).not.toContain('message_grams')
  })
})
