import type { Recorded } from '@maru/protocol'
import { collect, input, person, start, turnEnd } from '@maru/testkit'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { History, OwnHistory } from '../../src/index.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

type Step =
  | { do: 'say'; of: number; tokens: number; role: 'user' | 'assistant' | 'system' }
  | { do: 'answer' | 'title' | 'drop'; of: number }
  | { do: 'hide' | 'erase' | 'fork'; of: number; at: number }

const of = fc.nat({ max: 5 })
const at = fc.double({ min: 0, max: 1, noNaN: true })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('say' as const),
      of,
      tokens: fc.nat({ max: 9 }),
      role: fc.constantFrom('user', 'assistant', 'system'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('answer' as const, 'title' as const), of }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('hide' as const, 'erase' as const, 'fork' as const), of, at }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), of }) },
)

/** Does a step, as far as it can be done: what is refused changes nothing. */
async function take(own: OwnHistory, ids: string[], wish: Step, n: number): Promise<void> {
  const id = ids[wish.of % Math.max(1, ids.length)]
  const door = { key: `k${n}`, by: person }
  if (id === undefined || wish.do === 'drop') {
    if (id !== undefined) await own.log.erase(id)
    ids.splice(0, ids.length, ...ids.filter((other) => other !== id))
    if (ids.length === 0) ids.push(`root ${n}`)
    if (id === undefined || ids[0] === `root ${n}`) await own.log.create(`root ${n}`, start)
    return
  }
  const length = (await collect(own.log.read(id))).length
  const place = 'at' in wish ? 1 + Math.floor(wish.at * (length - 1)) : 1
  const parts = [{ type: 'text' as const, text: `words ${n}` }]
  switch (wish.do) {
    case 'say':
      await own.log.admit(id, { type: 'message-add', ...door, role: wish.role, parts, tokens: wish.tokens })
      return
    case 'title':
      await own.log.admit(id, { type: 'title-set', ...door, title: `title ${n}` })
      return
    case 'hide':
      await own.log.admit(id, { type: 'message-hide', ...door, target: place })
      return
    case 'erase':
      await own.log.erase(id, place).catch(() => undefined)
      return
    case 'fork':
      await own.log.create(`fork ${n}`, { ...start, forkOf: { id, seq: place } })
      ids.push(`fork ${n}`)
      return
    case 'answer': {
      const lease = await own.log.lease(id)
      const end = { ...turnEnd(`t${n}`, `answer ${n}`), usage: { input: 1, output: n } }
      await own.log.append(id, { epoch: lease.epoch, expect: lease.last }, [
        { type: 'turn-start', turnId: `t${n}`, runId: 'r', model: `model ${n}` },
        end as never,
      ])
      await lease.release()
      return
    }
    default:
      throw new Error('no such step')
  }
}

/** The same, read from the facts by hand. */
function tally(facts: Recorded[]): { messages: number; tokens: number; shown: number[]; title: string | null } {
  const shown = new Set<number>()
  const counted = new Set<number>()
  let tokens = 0
  let title: string | null = null
  for (const fact of facts) {
    if (fact.type === 'message-add') {
      shown.add(fact.seq)
      tokens += fact.tokens ?? 0
      if (fact.role !== 'system') counted.add(fact.seq)
    }
    if (fact.type === 'turn-end') {
      shown.add(fact.seq)
      counted.add(fact.seq)
      tokens += fact.usage?.output ?? 0
    }
    if (fact.type === 'message-hide' && counted.delete(fact.target)) shown.delete(fact.target)
    if (fact.type === 'title-set') title = fact.title
  }
  return { messages: counted.size, tokens, shown: [...shown], title }
}

const TABLES = ['conversation', 'fact', 'admission', 'message', 'hidden', 'blob', 'holding', 'tag']

async function everything(history: History, owner: string): Promise<object> {
  const tables: { [name: string]: string[] } = {}
  for (const name of TABLES) {
    const rows = await history.engine.as(owner, (db) => db.query<object>(`select * from maru.${name}`, []))
    tables[name] = rows.map((row) => JSON.stringify({ ...row, touched_at: undefined })).sort()
  }
  return tables
}

describe.each(ENGINES)('what %s reads from facts', (engine) => {
  let history: History
  beforeAll(async () => {
    history = await useHistory(engine)
  }, START_MS)

  test('statistics, messages and titles are exact whatever is said, hidden, erased and forked; a rebuild changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const own = await history.open(freshName('tally'))
        const ids: string[] = []
        for (const [n, wish] of steps.entries()) await take(own, ids, wish, n)
        const { items } = await own.conversations.list()
        expect(items.map(({ id }) => id).sort()).toEqual([...ids].sort())
        for (const { id, messages, tokens, title } of items) {
          const expected = tally(await collect(own.log.read(id)))
          const page = await own.conversations.messages(id)
          const shown = page.filter(({ role }) => role !== 'note').map(({ seq }) => seq)
          expect({ id, messages, tokens, title, shown }).toEqual({ id, ...expected })
        }
        const before = await everything(history, own.owner)
        for (const id of ids) await own.rebuild(id)
        expect(await everything(history, own.owner)).toEqual(before)
        for (const id of ids) await own.log.erase(id)
        const after = Object.values(await everything(history, own.owner)).flat()
        expect(after).toEqual([])
        await own.log.close()
      }),
      { numRuns: 8, seed: 11 },
    )
  })

  test('pages of messages follow each other in both directions, through the parents of a fork', async () => {
    const own = await history.open(freshName('pages'))
    await own.log.create('c0', start)
    for (let depth = 0; depth < 4; depth++) {
      for (let n = 0; n < 5; n++) await own.log.admit(`c${depth}`, input(`${depth}.${n}`))
      const { head } = { head: (await collect(own.log.read(`c${depth}`))).length - 1 }
      await own.log.create(`c${depth + 1}`, { ...start, forkOf: { id: `c${depth}`, seq: head } })
    }
    const all = await own.conversations.messages('c4', { limit: 200 })
    expect(all.map(({ content }) => content)).toHaveLength(16)
    expect(all.map(({ seq }) => seq)).toEqual([...all.map(({ seq }) => seq)].sort((a, b) => a - b))
    const newest = await own.conversations.messages('c4', { limit: 7 })
    expect(newest).toEqual(all.slice(-7))
    const before = await own.conversations.messages('c4', { limit: 7, before: newest[0]?.seq ?? 0 })
    expect(before).toEqual(all.slice(-14, -7))
    const behind = await own.conversations.messages('c4', { limit: 7, after: all[1]?.seq ?? 0 })
    expect(behind).toEqual(all.slice(2, 9))
    await own.log.close()
  })

  test('lists can be sorted, narrowed and paged', async () => {
    const own = await history.open(freshName('lists'))
    for (let n = 0; n < 7; n++) {
      await own.log.create(`c${n}`, { ...start, cwd: n % 2 ? '/odd' : '/even' })
      for (let said = 0; said < (n * 3) % 7; said++) await own.log.admit(`c${n}`, input(`${said}`))
    }
    await own.conversations.patch('c3', { status: 'archived', description: '끝난 일', tags: ['a', 'b'] })
    const read = async (options: object) => {
      const ids: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await own.conversations.list({ ...options, limit: 2, ...(cursor !== undefined && { cursor }) })
        ids.push(...page.items.map(({ id }) => id))
        if (page.next === undefined) return ids.join(' ')
        cursor = page.next
      }
    }
    expect(await read({ sort: 'created' })).toBe('c0 c1 c2 c3 c4 c5 c6')
    expect(await read({ sort: 'created', status: 'active' })).toBe('c0 c1 c2 c4 c5 c6')
    expect(await read({ sort: '-count', status: 'active' })).toBe(
      'c2 c4 c6 c1 c5 c0'
        .split(' ')
        .sort((a, b) => ((Number(b[1]) * 3) % 7) - ((Number(a[1]) * 3) % 7))
        .join(' '),
    )
    expect(await read({ sort: '-created', project: '/odd' })).toBe('c5 c3 c1')
    expect(await read({ status: 'archived' })).toBe('c3')
    expect(await read({ status: 'archived', tag: 'b' })).toBe('c3')
    await expect(own.conversations.list({ sort: 'id' as never })).rejects.toMatchObject({ code: 'rejected' })
    await expect(own.conversations.list({ cursor: "x'; drop table" })).rejects.toMatchObject({ code: 'rejected' })
    await own.log.close()
  })
})
