import { input, person, start, take, turnEnd, upTo } from '@maru/testkit'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { History, ListOptions, OwnHistory } from '../../src/index.ts'
import { listQuery } from '../../src/pg/list-conversations.ts'
import { wordsOf } from '../../src/pg/search.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

const title = (key: string, text: string) => ({ type: 'title-set' as const, key, by: person, title: text })
const said = (key: string, text: string, tokens = 0) => ({
  type: 'message-add' as const,
  ...{ key, by: person, role: 'user' as const, parts: [{ type: 'text' as const, text }], tokens },
})

describe.each(ENGINES)('conversations on %s', (engine) => {
  let history: History
  beforeAll(async () => {
    history = await useHistory(engine)
  }, START_MS)

  const readAll = async (own: OwnHistory, options: ListOptions, limit = 2) => {
    const ids: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await own.conversations.list({ ...options, limit, ...(cursor !== undefined && { cursor }) })
      ids.push(...page.items.map(({ id }) => id))
      if (page.next === undefined) return ids
      cursor = page.next
    }
  }

  test('one is read with its tags and what it is a fork of, as the list shows it', async () => {
    const own = await history.open(freshName('get'))
    await own.log.create('s', { ...start, cwd: '/project' })
    await own.log.admit('s', title('t', '제목'))
    await own.log.admit('s', said('1', 'hello', 5))
    await own.log.create('f', { ...start, forkOf: { id: 's', seq: 2 } })
    await own.conversations.patch('f', { tags: ['나', 'b', 'a'], description: 'about' })
    const found = await own.conversations.get('s')
    const times = { createdAt: expect.any(Number), changedAt: expect.any(Number), lastAt: expect.any(Number) }
    expect(found).toEqual({
      ...{
        id: 's',
        title: '제목',
        description: '',
        project: '/project',
        service: expect.any(String),
        status: 'active',
      },
      ...{ tags: [], messages: 1, tokens: 5, head: 3, version: expect.any(String), ...times },
      start: { ...start, cwd: '/project' },
    })
    const fork = await own.conversations.get('f')
    expect(fork).toMatchObject({
      title: '제목',
      tags: ['a', 'b', '나'],
      start: { forkOf: { id: 's', seq: 2 } },
      messages: 0,
    })
    expect((await own.conversations.list({ sort: 'created' })).items).toEqual([found, fork])
    await expect(own.conversations.get('none')).rejects.toMatchObject({ code: 'missing' })
    await expect(own.conversations.get('a\u0000b')).rejects.toMatchObject({ code: 'missing' })
    await own.log.close()
  })

  test('the version is another one after every change that shows, and the same without', async () => {
    const own = await history.open(freshName('version'))
    const { log, conversations } = own
    await log.create('s', start)
    await log.admit('s', said('1', 'one'))
    await log.admit('s', said('2', 'two'))
    await log.admit('s', title('t', 'first'))
    await log.admit('s', title('u', 'second'))
    await log.create('f', { ...start, forkOf: { id: 's', seq: 4 } })
    const seen = { s: new Set<string>(), f: new Set<string>() }
    const look = async () => {
      for (const id of ['s', 'f'] as const) seen[id].add((await conversations.get(id)).version)
      return [seen.s.size, seen.f.size]
    }
    expect(await look()).toEqual([1, 1])
    await conversations.messages('s')
    const lease = await log.lease('s')
    await lease.release()
    expect(await look()).toEqual([1, 1])
    await conversations.patch('s', { tags: ['a'] })
    expect(await look()).toEqual([2, 1])
    await conversations.patch('s', { tags: [] })
    expect(await look()).toEqual([3, 1])
    await log.admit('s', { type: 'message-hide', key: 'h', by: person, target: 3 })
    expect(await look()).toEqual([4, 1])
    // What a fork shares and what it inherited is its own change, too.
    await log.erase('s', 2)
    expect(await look()).toEqual([5, 2])
    await log.erase('s', 4)
    expect(await look()).toEqual([6, 3])
    expect((await conversations.get('f')).title).toBeNull()
    await log.close()
  })

  test('a change with an old version is refused, and only one of many at once gets through', async () => {
    const own = await history.open(freshName('patch'))
    await own.log.create('s', start)
    const { version } = await own.conversations.get('s')
    const changed = await own.conversations.patch('s', { description: 'new\u0000', status: 'archived' }, version)
    expect(changed).toMatchObject({ description: 'new\ufffd', status: 'archived' })
    expect(changed).toEqual(await own.conversations.get('s'))
    await expect(own.conversations.patch('s', { description: 'late' }, version)).rejects.toMatchObject({
      code: 'conflict',
    })
    const tries = await Promise.allSettled(
      upTo(8).map((n) => own.conversations.patch('s', { description: `${n}` }, changed.version)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(own.conversations.patch('none', {}, version)).rejects.toMatchObject({ code: 'missing' })
    await own.log.close()
  })

  test('what a person says about a conversation moves it and is told to who watches, as its title is', async () => {
    const own = await history.open(freshName('told'))
    const patches = [{ status: 'archived' as const }, { tags: ['a'] }, { description: 'about' }, { project: null }, {}]
    for (const n of patches.keys()) await own.add(`c${n}`, { start: { start, at: n }, facts: [] })
    const stop = new AbortController()
    const watching = take(own.log.watch(undefined, stop.signal), 5)
    for (const [n, patch] of patches.entries()) {
      const { changedAt } = await own.conversations.patch(`c${n}`, patch)
      // One that says nothing is no change.
      if (Object.keys(patch).length === 0) expect(changedAt).toBe(n)
      else expect(changedAt).toBeGreaterThan(n)
      expect((await own.conversations.get(`c${n}`)).changedAt).toBe(changedAt)
    }
    await own.log.admit('c4', title('t', 'told'))
    expect((await watching).map(({ cursor: _cursor, ...change }) => change)).toEqual([
      ...['c0', 'c1', 'c2', 'c3'].map((id) => ({ id, patched: true })),
      { id: 'c4', seq: 2, kind: 'title-set' },
    ])
    // It stays so when what stands in rows is made anew.
    const patched = await own.conversations.get('c0')
    await own.rebuild('c0')
    expect((await own.conversations.get('c0')).changedAt).toBe(patched.changedAt)
    stop.abort()
    await own.log.close()
  })

  test('what a person says about a conversation is masked as what is said in it', async () => {
    const mask = (text: string) => text.replaceAll('sesame', '•')
    const own = await history.open(freshName('masked'), { mask })
    await own.log.create('s', start)
    const patch = { description: 'open sesame', project: 'sesame', service: 'sesame', tags: ['a', 'sesame b'] }
    const patched = await own.conversations.patch('s', patch)
    expect(patched).toMatchObject({ description: 'open •', project: '•', service: '•', tags: ['a', '• b'] })
    expect((await own.conversations.list()).items).toEqual([patched])
    await own.log.close()
  })

  test('a page around a message has it in its middle, and is full near both ends', async () => {
    const own = await history.open(freshName('around'))
    await own.log.create('s', start)
    for (const n of upTo(12)) await own.log.admit('s', input(`${n}`, `${n}`))
    await own.log.create('f', { ...start, forkOf: { id: 's', seq: 9 } })
    for (const n of upTo(3)) await own.log.admit('f', input(`f${n}`, `f${n}`))
    const all = await own.conversations.messages('f', { limit: 200 })
    expect(all).toHaveLength(11)
    for (const limit of [1, 2, 5, 6, 50]) {
      for (const [at, { seq }] of all.entries()) {
        const page = await own.conversations.messages('f', { around: seq, limit })
        const first = Math.max(0, Math.min(at - Math.floor(limit / 2), all.length - limit))
        expect(page).toEqual(all.slice(first, first + limit))
      }
    }
    // A place without a message: what stands around it.
    const [gap] = await own.conversations.messages('f', { around: 10, limit: 1 })
    expect(gap?.content).toBe(all.find(({ seq }) => seq >= 10)?.content)
    for (const odd of [1e12, -5, Number.NaN, 0.5]) {
      await expect(own.conversations.messages('f', { around: odd, limit: odd })).resolves.toBeDefined()
      await expect(own.conversations.messages('f', { after: odd })).resolves.toBeDefined()
      await expect(own.conversations.messages('f', { before: odd })).resolves.toBeDefined()
    }
    await own.log.close()
  })

  test('forks are found by what they were begun as, also from inside what was inherited', async () => {
    const own = await history.open(freshName('forks'))
    await own.log.create('a', start)
    for (const n of upTo(4)) await own.log.admit('a', input(`${n}`))
    await own.log.create('b', { ...start, forkOf: { id: 'a', seq: 4 } })
    await own.log.admit('b', input('b'))
    // Reads of `a` alone, and is a fork of `b` all the same.
    await own.log.create('c', { ...start, forkOf: { id: 'b', seq: 2 } })
    await own.log.create('d', { ...start, forkOf: { id: 'b', seq: 6 } })
    const forks = async (id: string) => (await own.conversations.forks(id)).map((fork) => fork.id)
    expect([await forks('a'), await forks('b'), await forks('c')]).toEqual([['b'], ['c', 'd'], []])
    await own.log.erase('d')
    expect(await forks('b')).toEqual(['c'])
    await expect(forks('d')).rejects.toMatchObject({ code: 'missing' })
    await own.log.close()
  })

  test('summaries come whole and newest last, inherited ones among them', async () => {
    const own = await history.open(freshName('summaries'))
    await own.log.create('s', start)
    await own.log.admit('s', said('1', 'words'))
    const summary = { type: 'summary-add' as const, by: person, covers: { from: 1, to: 2 } }
    await own.log.admit('s', { ...summary, key: 'a', text: 'first' })
    const blob = await own.blobs.put('s', 'the whole of it')
    await own.log.admit('s', { ...summary, key: 'b', text: 'the w', blob })
    await own.log.create('f', { ...start, forkOf: { id: 's', seq: 3 } })
    await own.log.admit('f', { ...summary, key: 'c', text: 'of the fork' })
    const read = async (id: string) => (await own.conversations.summaries(id)).map(({ seq, text }) => [seq, text])
    expect(await read('s')).toEqual([
      [3, 'first'],
      [4, 'the whole of it'],
    ])
    expect(await read('f')).toEqual([
      [3, 'first'],
      [5, 'of the fork'],
    ])
    expect((await own.conversations.summaries('s'))[0]).toEqual({
      ...{ seq: 3, at: expect.any(Number), covers: { from: 1, to: 2 }, text: 'first' },
    })
    await own.log.erase('s', 3)
    expect(await read('f')).toEqual([[5, 'of the fork']])
    await own.log.close()
  })

  test('usage counts what is stored, shared beginnings once', async () => {
    const own = await history.open(freshName('usage'))
    expect(await own.conversations.usage()).toEqual({ conversations: 0, messages: 0, tokens: 0, bytes: 0 })
    await own.log.create('s', start)
    for (const n of upTo(3)) await own.log.admit('s', said(`${n}`, 'words', 7))
    await own.log.create('f', { ...start, forkOf: { id: 's', seq: 4 } })
    const small = await own.conversations.usage()
    expect(small).toMatchObject({ conversations: 2, messages: 3, tokens: 21 })
    await own.blobs.put('s', 'x'.repeat(50_000))
    const { bytes } = await own.conversations.usage()
    expect(bytes - small.bytes).toBe(50_000)
    await own.log.close()
  })

  test('lists of any status follow each other in order, whatever they are sorted by', async () => {
    const own = await history.open(freshName('statuses'))
    const statuses = ['active', 'archived', 'summarized'] as const
    for (const n of upTo(9)) {
      await own.log.create(`c${n}`, start)
      for (const m of upTo((n * 4) % 5)) await own.log.admit(`c${n}`, said(`${m}`, 'words'))
      await own.conversations.patch(`c${n}`, { status: statuses[n % 3] as 'active' })
    }
    const whole = await own.conversations.list({ limit: 200 })
    for (const sort of ['-lastMessage', 'lastMessage', '-updated', 'created', '-count'] as const) {
      const ids = await readAll(own, { sort })
      expect(new Set(ids).size).toBe(9)
      expect(ids).toHaveLength(9)
      const place = { lastMessage: 'lastAt', updated: 'changedAt', created: 'createdAt', count: 'messages' } as const
      const by = place[sort.replace('-', '') as keyof typeof place]
      const values = ids.map((id) => whole.items.find((item) => item.id === id)?.[by] ?? 0)
      expect(values).toEqual(values.toSorted((a, b) => (sort.startsWith('-') ? b - a : a - b)))
      const { items } = await own.conversations.list({ sort, status: 'any' })
      expect(items.map(({ id }) => id)).toEqual(ids)
    }
    expect((await readAll(own, { status: 'summarized' })).sort()).toEqual(
      whole.items.flatMap(({ id, status }) => (status === 'summarized' ? [id] : [])).sort(),
    )
    for (const cursor of ['messages.999999999999999.1', 'messages.1.999999999999999', 'messages.-1.0']) {
      await expect(own.conversations.list({ sort: 'count', cursor })).resolves.toBeDefined()
    }
    for (const limit of [Number.NaN, 0, -1, 1e9, 2.5]) {
      await expect(own.conversations.list({ limit, project: 'a\u0000', tag: '\ud800' })).resolves.toBeDefined()
    }
    await own.log.close()
  })

  test('words narrow a list to where they stand in the title or in a message, page by page', async () => {
    const own = await history.open(freshName('words'))
    const { log } = own
    const texts = [
      '서버 배포 계획',
      '결제 오류',
      'deploy the server',
      '배포는 내일',
      'Nothing here',
      '서버가 멈춤 결제',
    ]
    for (const [n, text] of texts.entries()) {
      await log.create(`c${n}`, { ...start, cwd: n % 2 === 0 ? '/even' : '/odd' })
      await log.admit(`c${n}`, said('1', text))
      const lease = await log.lease(`c${n}`)
      await log.append(`c${n}`, { epoch: lease.epoch, expect: lease.last }, [
        { type: 'turn-start', turnId: 't', runId: 'r', model: 'm' },
        turnEnd('t', `대답 ${n}`) as never,
      ])
      await lease.release()
    }
    await log.admit('c4', title('t', '서버 이름'))
    await log.admit('c4', title('u', '결제 이름'))
    await log.create('fork', { ...start, forkOf: { id: 'c4', seq: 6 } })
    await log.admit('c1', { type: 'message-hide', key: 'h', by: person, target: 2 })
    // Only forks still read what was said in it: the first of them has it.
    await log.create('gone', start)
    await log.admit('gone', said('1', '사라진 서버'))
    for (const id of ['heir', 'younger']) await log.create(id, { ...start, forkOf: { id: 'gone', seq: 2 } })
    await log.erase('gone')
    await own.conversations.patch('c5', { status: 'archived', tags: ['중요'] })
    const find = async (q: string, options: ListOptions = {}) => (await readAll(own, { ...options, q })).sort()
    expect(await find('서버')).toEqual(['c0', 'c5', 'heir'])
    expect(await find('배포')).toEqual(['c0', 'c3'])
    expect(await find('결제')).toEqual(['c4', 'c5', 'fork'])
    expect(await find('서버 결제')).toEqual(['c5'])
    expect(await find('SERV')).toEqual(['c2'])
    expect(await find('서버', { status: 'archived' })).toEqual(['c5'])
    expect(await find('서버', { tag: '중요' })).toEqual(['c5'])
    expect(await find('서버', { project: '/even' })).toEqual(['c0'])
    expect(await find('%')).toEqual([])
    expect(await find(' \u0000 ')).toEqual([])
    expect(await find('  ')).toHaveLength(9)
    expect(await readAll(own, { q: '대답', sort: 'created' })).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5'])

    // Frequent words are looked for in one conversation after the other: by the same rules.
    const idsOf = (query: ReturnType<typeof listQuery>) =>
      history.engine.read(own.owner, async (db) =>
        (await db.query<{ id: string }>(query.sql, query.params)).map(({ id }) => id).sort(),
      )
    const word = fc.constantFrom('서버', '결제', '배포', '대답', '이름', 'e', 'server', '사라진', '없는', '내일', '5')
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 2 }), async (words) => {
        const q = words.join(' ')
        expect(await idsOf(listQuery({ limit: 200 }, { words: wordsOf(q) }))).toEqual(await find(q))
      }),
      { numRuns: 30, seed: 3 },
    )
    await log.close()
  })

  test('a word that nearly everything holds is found everywhere', async () => {
    const own = await history.open(freshName('frequent'))
    await own.begin(
      upTo(30).map((n) => ({
        id: `c${n}`,
        start: { at: n, start },
        facts: upTo(20).map((m) => ({ at: n + m, fact: said(`${m}`, n === 7 ? 'rare' : `common ${m}`) })),
      })),
    )
    const ids = await readAll(own, { q: 'common', sort: 'created' }, 7)
    expect(ids).toEqual(upTo(30).flatMap((n) => (n === 7 ? [] : [`c${n}`])))
    expect(await readAll(own, { q: 'rare' })).toEqual(['c7'])
    await own.log.close()
  })
})
