import {
  collect,
  input,
  person,
  start,
  temporaryDirectory,
  testPostgres,
  toolEnd,
  toolStart,
  upTo,
} from '@maru/testkit'
import { expect, test } from 'vitest'
import {
  dumpHistory,
  findDifferences,
  findFaults,
  type History,
  inspectHistory,
  openHistory,
  repairFaults,
  restoreHistory,
} from '../../src/index.ts'
import { START_MS } from './engines.ts'

async function fill(history: History): Promise<void> {
  for (const name of ['me', '너']) {
    const own = await history.open(name)
    await own.log.create('parent', { ...start, cwd: '/project' })
    await own.log.admit('parent', { type: 'title-set', key: 't', by: person, title: '배포' })
    for (const n of upTo(3)) await own.log.admit('parent', input(`${n}`, `${name} 서버 ${n} \u0000 \u2028 "`))
    const blob = await own.blobs.put('parent', `${name} ${'long '.repeat(9_000)}끝말`)
    await own.log.admit('parent', {
      ...input('long'),
      parts: [{ type: 'text', text: 'long', blob }],
    } as ReturnType<typeof input>)
    await own.log.create('fork', { ...start, forkOf: { id: 'parent', seq: 6 } })
    const lease = await own.log.lease('fork')
    await own.log.append('fork', { epoch: lease.epoch, expect: lease.last }, [toolStart('c'), toolEnd('c', 'out')])
    await own.log.admit('fork', { type: 'message-hide', key: 'h', by: person, target: 3 })
    await own.conversations.patch('fork', { tags: ['중요', 'b'], description: 'about', status: 'archived' })
    // What the fork reads stays, under no name.
    if (name === '너') await own.log.erase('parent')
    await own.log.close()
  }
}

async function* fromLines(lines: string[]) {
  yield* lines
}

async function everything(history: History): Promise<unknown> {
  const all: Record<string, unknown> = {}
  for (const name of await history.accounts()) {
    const own = await history.open(name)
    for (const { version: _version, ...item } of (await own.conversations.list()).items) {
      const { id } = item
      all[`${name}/${id}`] = {
        item,
        facts: await collect(own.log.read(id)),
        messages: await own.conversations.messages(id),
      }
    }
    all[`${name} finds`] = (await own.search('서버')).hits
      .map(({ conversation, seq }) => `${conversation} ${seq}`)
      .sort()
    all[`${name} finds the end`] = (await own.search('끝말')).hits.length
    all[`${name} finds tagged`] = (await own.search('서버', { filter: { tag: '중요' } })).hits.length
    await own.log.close()
  }
  return all
}

test('a dump of the embedded history is the same history on a server, and back again', {
  timeout: START_MS,
}, async () => {
  const { path, dispose } = await temporaryDirectory()
  const server = await testPostgres()
  const embedded = await openHistory({ home: path, now: Date.now, isDurable: false })
  const remote = await openHistory({ home: '', databaseUrl: await server.createDatabase(), now: Date.now })
  try {
    await fill(embedded)
    const { conversations, log } = await embedded.open('me')
    const { changedAt } = await conversations.get('parent')
    // Behind its last fact, by a clock of its own.
    while ((await conversations.patch('parent', { tags: ['late'] })).changedAt === changedAt);
    await log.close()
    const lines = await collect(dumpHistory(embedded.engine, 1))
    for (const line of lines) expect(line).not.toContain('\n')
    const first = await restoreHistory(remote, fromLines(lines))
    expect(first).toEqual({ sessions: 4, facts: 20, blobs: 2, kept: 0 })
    expect(await everything(remote)).toEqual(await everything(embedded))
    expect(await findDifferences(embedded.engine, remote.engine)).toEqual([])
    expect(await findFaults(remote.engine)).toEqual([])
    // Once more adds nothing, and leaves nothing behind.
    expect(await restoreHistory(remote, fromLines(lines))).toMatchObject({ kept: 3 })
    const { bytes: _bytes, version: _version, engine: _engine, ...counts } = await inspectHistory(embedded)
    expect(await inspectHistory(remote)).toMatchObject(counts)
    // What came since is added; on the other side it is missing.
    const own = await embedded.open('me')
    await own.log.admit('fork', input('later', 'later'))
    await own.log.close()
    expect(await findDifferences(embedded.engine, remote.engine)).toEqual(['me/fork'])
    await restoreHistory(remote, dumpHistory(embedded.engine, 2))
    expect(await findDifferences(embedded.engine, remote.engine)).toEqual([])
    const third = await openHistory({ home: '', databaseUrl: await server.createDatabase(), now: Date.now })
    await restoreHistory(third, dumpHistory(remote.engine, 3))
    expect(await everything(third)).toEqual(await everything(embedded))
    await third.close()
  } finally {
    await Promise.all([embedded.close(), remote.close()])
    await dispose()
  }
})

test('a dump that is cut, changed or none at all is refused by its line, and what came is kept', async () => {
  const url = await (await testPostgres()).createDatabase()
  const history = await openHistory({ home: '', databaseUrl: url, now: Date.now })
  const source = await openHistory({
    home: '',
    databaseUrl: await (await testPostgres()).createDatabase(),
    now: Date.now,
  })
  await fill(source)
  const lines = await collect(dumpHistory(source.engine, 1))
  const restore = (some: string[]) => restoreHistory(history, fromLines(some))
  await expect(restore(['{"hello":1}'])).rejects.toMatchObject({ code: 'damaged', details: { line: 1 } })
  await expect(restore(lines.slice(0, 6))).rejects.toMatchObject({ code: 'damaged', details: { line: 6 } })
  const own = await history.open('me')
  expect((await collect(own.log.read('parent'))).length).toBeGreaterThan(0)
  const blob = lines.findIndex((line) => line.includes('"type":"blob"'))
  const changed = lines.with(blob, (lines[blob] ?? '').replace('"content":"', '"content":"AAAA'))
  await expect(restore(changed)).rejects.toMatchObject({ code: 'damaged', details: { line: blob + 1 } })
  const without = lines.filter((line) => !line.includes('"key":"2"'))
  await expect(restore(without)).rejects.toMatchObject({ code: 'damaged' })
  await expect(restore([`{"type":"maru-dump","v":99}`])).rejects.toMatchObject({ code: 'newer' })
  await restore(lines)
  expect(await everything(history)).toEqual(await everything(source))
  await own.log.close()
  await Promise.all([history.close(), source.close()])
})

test('what cannot be is found: gaps, wrong sums, changed content', async () => {
  const url = await (await testPostgres()).createDatabase()
  const history = await openHistory({ home: '', databaseUrl: url, now: Date.now })
  await fill(history)
  expect(await findFaults(history.engine)).toEqual([])
  await history.engine.asOwner(async (db) => {
    await db.query(`update maru.conversation set messages = messages + 1 where id = 'parent'`)
    await db.query(
      `delete from maru.fact where seq = 3 and session = (select no from maru.conversation where id = 'parent')`,
    )
    await db.query(`update maru.blob set content = 'x'`)
  })
  const faults = await findFaults(history.engine)
  expect(faults.map(({ kind, count }) => `${kind} ${count}`)).toEqual(['facts 1', 'counts 1', 'content 2'])
  expect(faults[0]?.sessions).toMatchObject([{ id: 'parent' }])
  // Sums can be made anew; facts and content cannot.
  expect((await repairFaults(history.engine, faults)).map(({ kind }) => kind)).toEqual(['facts', 'content'])
  await history.close()
})
