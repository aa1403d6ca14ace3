import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { LogError } from '@maru/protocol'
import { collect, input, start, take, temporaryDirectory, testPostgres, toolStart, upTo } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type History, openHistory, packHistoryTemplate } from '../../src/index.ts'
import { migrate } from '../../src/pg/migrate.ts'
import { migrations } from '../../src/pg/migrations/index.ts'
import { patchConversation } from '../../src/pg/patch-conversation.ts'
import { openPostgres } from '../../src/pg/postgres-engine.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

describe('the embedded database', () => {
  test('keeps what was said, waits for the disk, and belongs to one process at a time', {
    timeout: START_MS,
  }, async () => {
    const { path, dispose } = await temporaryDirectory()
    const template = join(path, 'template.tar.gz')
    fs.writeFileSync(template, await packHistoryTemplate())
    const options = { home: path, now: Date.now, template }
    let history = await openHistory(options)
    try {
      await expect(openHistory(options)).rejects.toMatchObject({ code: 'held', details: { pid: process.pid } })
      const own = await history.open('me')
      await own.log.create('s', start)
      const waits = countSyncs()
      for (const n of upTo(3)) await own.log.admit('s', input(`${n}`))
      expect(waits.stop()).toBeGreaterThanOrEqual(3)
      const lease = await own.log.lease('s')
      await own.log.append('s', { epoch: lease.epoch, expect: lease.last }, [toolStart('c')])
      await history.upkeep()
      // As a process that dies: the lease is not given back.
      await history.close()
      await history.close()
      history = await openHistory(options)
      const again = await history.open('me')
      expect(again.owner).toBe(own.owner)
      expect(await collect(again.log.read('s'))).toHaveLength(5)
      const next = await again.log.lease('s')
      expect(next.epoch).toBeGreaterThan(lease.epoch)
      expect(next.last).toBe(5)
    } finally {
      await history.close()
    }
    fs.writeFileSync(join(path, 'db', 'data', 'PG_VERSION'), '17\n')
    await expect(openHistory(options)).rejects.toMatchObject({ code: 'newer', details: { version: '17' } })
    // One whose first start was cut short is begun anew.
    fs.rmSync(join(path, 'db', 'prepared'))
    await (await openHistory({ ...options, isDurable: false })).close()
    await dispose()
  })

  test('leaves room for everything else while it has always more to do', { timeout: START_MS }, async () => {
    const own = await (await useHistory('pglite')).open(freshName('busy'))
    await own.log.create('s', start)
    const isOver = new AbortController()
    const timer = setTimeout(() => isOver.abort(), 100)
    const write = async (door: number) => {
      for (let n = 0; n < 500 && !isOver.signal.aborted; n++) await own.log.admit('s', input(`${door} ${n}`))
    }
    await Promise.all([write(1), write(2)])
    clearTimeout(timer)
    expect(isOver.signal.aborted).toBe(true)
    await own.log.close()
  })
})

function countSyncs(): { stop(): number } {
  const { fsyncSync } = fs
  let count = 0
  fs.fsyncSync = (descriptor) => {
    count++
    fsyncSync(descriptor)
  }
  syncBuiltinESMExports()
  return {
    stop() {
      fs.fsyncSync = fsyncSync
      syncBuiltinESMExports()
      return count
    },
  }
}

describe('a server', () => {
  test('that many nodes start on at once is migrated once, and one that is newer is left alone', async () => {
    const url = await (await testPostgres()).createDatabase()
    const nodes = await Promise.all(upTo(4).map(() => openHistory({ home: '', databaseUrl: url, now: Date.now })))
    const engine = await openPostgres({ url })
    const applied = await engine.asOwner((db) => db.query('select version from maru.migration', []))
    expect(applied).toEqual(migrations.map(({ version }) => ({ version })))
    const [node] = nodes
    expect(await node?.schema()).toEqual({ version: migrations.length, latest: migrations.length })
    const more = [
      ...migrations,
      { version: migrations.length + 1, name: 'next', sql: 'create table maru.next (a int)' },
    ]
    await Promise.all(upTo(3).map(() => migrate(engine, more)))
    await expect(migrate(engine)).rejects.toMatchObject({ code: 'newer' })
    const broken = [
      ...more,
      { version: more.length + 1, name: 'broken', sql: 'create table maru.half (a int); select 1/0' },
    ]
    await expect(migrate(engine, broken)).rejects.toThrow('division by zero')
    expect(await engine.asOwner((db) => db.query(`select to_regclass('maru.half') as half`, []))).toEqual([
      { half: null },
    ])
    await Promise.all([...nodes, engine].map((opened) => opened.close()))
  })

  test('that does not answer is an error that says so', async () => {
    const databaseUrl = 'postgresql://nobody@/none?host=/nowhere'
    const failed = openHistory({ home: '', databaseUrl, now: Date.now })
    await expect(failed).rejects.toBeInstanceOf(LogError)
    await expect(failed).rejects.toMatchObject({ code: 'failed' })
  })
})

describe('two nodes on one server', () => {
  let url = ''
  let here: History
  let there: History
  beforeAll(async () => {
    url = await (await testPostgres()).createDatabase()
    here = await openHistory({ home: '', databaseUrl: url, now: Date.now })
    there = await openHistory({ home: '', databaseUrl: url, now: Date.now })
  })
  afterAll(() => Promise.all([here.close(), there.close()]))

  test('hear of each other, number together, and run a session once', async () => {
    const [a, b] = await Promise.all([here.open('me'), there.open('me')])
    expect(a.owner).toBe(b.owner)
    const stop = new AbortController()
    const watching = take(b.log.watch(undefined, stop.signal), 41)
    await a.log.create('s', start)
    const following = take(b.log.follow('s', 0, stop.signal), 41)
    await Promise.all(
      [a, b].map(async ({ log }, side) => {
        for (const n of upTo(20)) await log.admit('s', input(`${side} ${n}`))
      }),
    )
    expect((await following).map(({ seq }) => seq)).toEqual(upTo(41))
    // Of everything once, whoever wrote it.
    const told = (await watching).map((change) => ('seq' in change ? change.seq : 0))
    expect(told.sort((one, other) => one - other)).toEqual(upTo(41))
    const lease = await a.log.lease('s')
    await expect(b.log.lease('s')).rejects.toMatchObject({ code: 'held' })
    await lease.release()
    const taken = await b.log.lease('s')
    await expect(a.log.append('s', { epoch: lease.epoch, expect: lease.last }, [toolStart('c')])).rejects.toMatchObject(
      {
        code: 'conflict',
      },
    )
    await b.log.append('s', { epoch: taken.epoch, expect: taken.last }, [toolStart('c')])
    const toTheEnd = b.log.follow('s', 41, stop.signal)[Symbol.asyncIterator]()
    expect(await toTheEnd.next()).toMatchObject({ value: { seq: 42 } })
    const end = toTheEnd.next()
    await a.log.erase('s')
    expect(await end).toEqual({ done: true, value: undefined })
    stop.abort()
    await Promise.all([a.log.close(), b.log.close()])
  })

  test('hear what is said about a session at another, also if that died before it could tell', async () => {
    const [a, b] = await Promise.all([here.open('about'), there.open('about')])
    const stop = new AbortController()
    await a.add('told', { start: { start, at: 1_000 }, facts: [] })
    await a.add('untold', { start: { start, at: 1_000 }, facts: [] })
    const changes = b.log.watch(undefined, stop.signal)[Symbol.asyncIterator]()
    const next = async (id: string) => {
      for (;;) {
        const { value } = await changes.next()
        if (value && 'patched' in value && value.id === id) return value
      }
    }
    await a.conversations.patch('told', { status: 'archived' })
    expect(await next('told')).toMatchObject({ id: 'told', patched: true })
    await here.engine.as(a.owner, (db) => patchConversation(db, 'untold', { patch: { tags: ['a'] }, at: Date.now() }))
    expect(await next('untold')).toMatchObject({ id: 'untold', patched: true })
    stop.abort()
    await Promise.all([a.log.close(), b.log.close()])
  })

  test('go on when every connection was cut', async () => {
    const [a, b] = await Promise.all([here.open('cut'), there.open('cut')])
    const stop = new AbortController()
    await a.log.create('s', start)
    const following = take(b.log.follow('s', 1, stop.signal), 2)
    await a.log.admit('s', input('before'))
    const engine = await openPostgres({ url })
    await engine.asOwner((db) =>
      db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        [],
      ),
    )
    await engine.close()
    // One that was in use at that moment fails; the same key again is the same fact.
    let said: object | undefined
    for (let tries = 0; !said && tries < 20; tries++) {
      said = await a.log.admit('s', input('after')).catch(() => undefined)
    }
    expect((await following).map(({ seq }) => seq)).toEqual([2, 3])
    stop.abort()
    await Promise.all([a.log.close(), b.log.close()])
  })
})

test.each(ENGINES)(
  'a bucket of %s lets through what it holds, and says how long to wait',
  { timeout: START_MS },
  async (engine) => {
    const history = await useHistory(engine)
    const { owner, log } = await history.open(freshName('me'))
    // One in a thousand seconds: nothing that counts comes back meanwhile, however long the test takes.
    const takeOne = (count: number) =>
      history.engine.as(owner, async (db) => {
        const [row] = await db.query<{ wait: number }>(`select maru.take('messages', $1, 30, 0.001) as wait`, [count])
        return row?.wait ?? Number.NaN
      })
    const waits = await Promise.all(upTo(40).map(() => takeOne(1)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(30)
    expect(Math.max(...waits)).toBeLessThanOrEqual(1000)
    expect(await takeOne(31)).toBe(Number.POSITIVE_INFINITY)
    await takeOne(-5)
    expect(await takeOne(5)).toBe(0)
    await log.close()
  },
)
