import { collect, person, start } from '@maru/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { History, Hit, OwnHistory } from '../../src/index.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

const said = (key: string, text: string, more: object = {}) => ({
  type: 'message-add' as const,
  key,
  by: person,
  role: 'user' as const,
  parts: [{ type: 'text' as const, text }],
  ...more,
})

/** Every window to the end. */
async function findAll(
  own: OwnHistory,
  query: string,
  options: Parameters<OwnHistory['search']>[1] = {},
): Promise<Hit[]> {
  const hits: Hit[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await own.search(query, { ...options, ...(cursor !== undefined && { cursor }) })
    hits.push(...page.hits)
    if (page.next === undefined) return hits
    cursor = page.next
  }
}

const WORDS = [
  '서버',
  '서버를',
  '웹서버',
  '결제',
  '결제모듈',
  '값',
  '배포',
  'server',
  'Servers',
  'deploy',
  'deployment',
  'API',
]
const ODD = [
  'fix_me',
  'a-b',
  '50%',
  'C:\\dir',
  '日本語',
  'テスト',
  'É',
  'naïve',
  'x',
  '🙂',
  "it's",
  'v1.2.3',
  'ㅋㅋ',
  '(널)',
  '%_%',
]

const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
      fc.constantFrom(...ODD),
      fc.stringMatching(/^[a-zA-Z가-힣0-9]{1,6}$/),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((words) => words.join(' '))

describe.each(ENGINES)('the search of %s', (engine) => {
  let history: History
  const owners: { own: OwnHistory; texts: string[] }[] = []

  beforeAll(async () => {
    history = await useHistory(engine)
    for (const [n, name] of ['one', 'other'].entries()) {
      const own = await history.open(freshName(name))
      const texts = fc.sample(text, { numRuns: 150, seed: 20_261_116 + n })
      await own.log.create('s', start)
      await Promise.all(texts.map((content, at) => own.log.admit('s', said(`k${at}`, content, { sentAt: at % 40 }))))
      owners.push({ own, texts })
    }
  }, START_MS)
  afterAll(async () => {
    for (const { own } of owners) await own.log.close()
  })

  test('finds exactly the messages that hold every word, and nobody else’s', async () => {
    const inside = fc.record({
      who: fc.nat({ max: 1 }),
      of: fc.nat({ max: 149 }),
      from: fc.double({ min: 0, max: 0.999, noNaN: true }),
      length: fc.integer({ min: 1, max: 8 }),
      and: fc.option(fc.constantFrom(...WORDS, ...ODD), { nil: '' }),
      window: fc.constantFrom(3, 60),
    })
    await fc.assert(
      fc.asyncProperty(inside, async ({ who, of, from, length, and, window }) => {
        const { own, texts } = owners[who] as (typeof owners)[number]
        const whole = Array.from(texts[of] ?? '')
        const query = `${whole
          .slice(Math.floor(from * whole.length))
          .slice(0, length)
          .join('')} ${and}`
        const words = query
          .toLowerCase()
          .split(/\s+/u)
          .filter((word) => word !== '')
        const expected = texts.flatMap((content, n) =>
          words.length > 0 && words.every((word) => content.toLowerCase().includes(word)) ? [n + 2] : [],
        )
        const hits = await findAll(own, query, { window })
        expect(hits.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(expected)
        // The index alone, without the walk over the newest, finds them as well.
        const [indexed] = await history.engine.asOwner((db) =>
          db.query<{ found: number }>(
            `select count(*) as found from maru.message where maru.grams(owner, content) @@ maru.gram_query($1, $2)
               and lower(content) like all (maru.patterns($2))`,
            [own.owner, words],
          ),
        )
        expect(indexed?.found ?? 0).toBe(words.length === 0 ? 0 : expected.length)
      }),
      { numRuns: 60, seed: 7 },
    )
  })

  test('shows where the words stand, and puts whole words and new messages first', async () => {
    const own = await history.open(freshName('ranked'))
    await own.log.create('s', start)
    const day = 86_400_000
    await own.log.admit('s', said('old', '결제 모듈', { sentAt: Date.now() - 300 * day }))
    await own.log.admit('s', said('inside', '미결제건이 많습니다'))
    await own.log.admit('s', said('whole', `${'앞말 '.repeat(100)}Payment 결제 payment`))
    const { hits } = await own.search('결제')
    expect(hits.map(({ seq }) => seq)).toEqual([4, 2, 3])
    const [best] = await findAll(own, 'PAYMENT')
    expect(best?.ranges.map(([from, to]) => best.snippet.slice(from, to))).toEqual(['Payment', 'payment'])
    expect(best?.snippet.startsWith('…')).toBe(true)
    await own.log.close()
  })

  test('finds titles as they are now, decomposed letters, and long messages to their end', async () => {
    const own = await history.open(freshName('titled'))
    await own.log.create('s', start)
    const title = (key: string, words: string) =>
      own.log.admit('s', { type: 'title-set', key, by: person, title: words })
    await title('t1', '첫 번째 제목')
    await title('t2', '두 번째 제목')
    expect(await findAll(own, '첫 번째')).toEqual([])
    expect(await findAll(own, '번째')).toMatchObject([{ role: 'title', seq: 3, title: '두 번째 제목' }])
    await own.log.admit('s', said('nfd', '결제'.normalize('NFD')))
    expect(await findAll(own, '결제')).toMatchObject([{ seq: 4 }])
    // Too long for its fact, and too long for the index.
    for (const [key, length] of [
      ['long', 30_000],
      ['longer', 120_000],
    ] as const) {
      const whole = `${'lorem ipsum '.repeat(length / 12)} 마지막${key}`
      const blob = await own.blobs.put('s', whole)
      await own.log.admit('s', { ...said(key, ''), parts: [{ type: 'text', text: whole.slice(0, 100), blob }] })
      expect((await findAll(own, `마지막${key}`)).length).toBe(1)
    }
    await own.log.erase('s', 4)
    expect(await findAll(own, '결제')).toEqual([])
    await own.log.close()
  })

  test('narrows by project, service, role, tag and time', async () => {
    const own = await history.open(freshName('filtered'))
    await own.log.create('a', { ...start, cwd: '/a' })
    await own.log.create('b', { ...start, cwd: '/b', agent: { kind: 'import', program: 'chatgpt' } })
    await own.conversations.patch('b', { tags: ['중요'] })
    await own.log.admit('a', said('1', 'needle', { sentAt: 1_000 }))
    await own.log.admit('b', said('2', 'needle', { sentAt: 2_000, role: 'assistant' }))
    const of = async (filter: object) =>
      (await findAll(own, 'needle', { filter })).map(({ conversation }) => conversation)
    expect(await of({})).toEqual(['b', 'a'])
    expect(await of({ project: '/a' })).toEqual(['a'])
    expect(await of({ service: 'chatgpt' })).toEqual(['b'])
    expect(await of({ role: 'user' })).toEqual(['a'])
    expect(await of({ tag: '중요' })).toEqual(['b'])
    expect(await of({ since: 1_500 })).toEqual(['b'])
    expect(await of({ until: 2_000 })).toEqual(['a'])
    await own.log.close()
  })

  test('finds what forks share once, also when their parent is gone, and nothing that is hidden', async () => {
    const own = await history.open(freshName('forked'))
    await own.log.create('parent', start)
    for (const n of [1, 2, 3]) await own.log.admit('parent', said(`k${n}`, `needle ${n}`))
    for (const [id, seq] of [
      ['one', 2],
      ['two', 3],
    ] as const) {
      await own.log.create(id, { ...start, forkOf: { id: 'parent', seq } })
    }
    expect((await findAll(own, 'needle')).length).toBe(3)
    await own.log.erase('parent')
    const places = async () =>
      (await findAll(own, 'needle')).map(({ conversation, seq }) => `${conversation} ${seq}`).sort()
    expect(await places()).toEqual(['one 2', 'two 3'])
    await own.log.erase('two')
    expect(await places()).toEqual(['one 2'])
    await own.log.admit('one', said('own', 'needle of its own'))
    await own.log.admit('one', { type: 'message-hide', key: 'h', by: person, target: 4 })
    expect(await places()).toEqual(['one 2'])
    await own.log.erase('one')
    expect(await places()).toEqual([])
    expect(await collect(own.log.list())).toEqual([])
    const left = await history.engine.as(own.owner, (db) => db.query('select from maru.fact', []))
    expect(left).toEqual([])
    await own.log.close()
  })
})
