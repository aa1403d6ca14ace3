import { appendFile, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { FACTS, type Sync, syncOf } from '@maru/protocol'
import { collect, input, start, take, temporaryDirectory, toolEnd, toolStart, turnEnd, upTo } from '@maru/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openJsonlStore } from '../src/index.ts'
import { OpenFile } from '../src/jsonl/open-file.ts'

let directory: string
let dispose: () => Promise<void>
beforeEach(async () => ({ path: directory, dispose } = await temporaryDirectory()))
afterEach(() => dispose())

const openStore = (mask?: (text: string) => string) =>
  openJsonlStore({ directory, now: Date.now, ...(mask && { mask }) })

test('what must be on the disk is synced before it is acknowledged; the end of a turn is not waited for', async () => {
  const { log } = openStore()
  await log.create('s', start)
  const { epoch, last } = await log.lease('s')
  const syncs: (() => void)[] = []
  const sync = vi
    .spyOn(OpenFile.prototype, 'datasync')
    .mockImplementation(() => new Promise((resolve) => syncs.push(resolve)))
  const settle = async (writing: Promise<unknown>, sync: Sync) => {
    let isDone = false
    void writing.then(() => (isDone = true))
    // The first of them waits for the session itself, which a busy disk may take its time for.
    await vi.waitUntil(() => (sync === 'no' ? isDone : syncs.length > 0), { timeout: 100_000 })
    await wait(20)
    const before = isDone ? 'acknowledged' : 'waiting'
    const asked = syncs.length > 0
    for (const end of syncs.splice(0)) end()
    await writing
    return { before, asked }
  }
  try {
    let own = last
    const reading = { ...toolStart('d'), effect: 'none' } as const
    for (const fact of [toolStart('c'), toolEnd('c'), turnEnd('t', 'x'), reading, { type: 'context-reset' } as const]) {
      const writing = log.append('s', { epoch, expect: own }, [fact])
      const expected = syncOf(fact)
      expect([fact.type, await settle(writing, expected)]).toEqual([
        fact.type,
        { before: expected === 'before' ? 'waiting' : 'acknowledged', asked: expected !== 'no' },
      ])
      own = (await writing).at(-1)?.seq ?? own
    }
    expect(await settle(log.admit('s', input('a')), 'before')).toEqual({ before: 'waiting', asked: true })
  } finally {
    sync.mockRestore()
    await log.close()
  }
})

test('a fact that must be on the disk waits for its session and for content that was put before', async () => {
  const { log, blobs } = openStore()
  const syncs: (() => void)[] = []
  const sync = vi
    .spyOn(OpenFile.prototype, 'sync')
    .mockImplementation(() => new Promise((resolve) => syncs.push(resolve)))
  const expectWaiting = async (writing: Promise<unknown>) => {
    expect(await Promise.race([writing, wait(20, 'waiting')])).toBe('waiting')
    await vi.waitUntil(() => syncs.length > 0)
    for (const end of syncs.splice(0)) end()
    await writing
  }
  try {
    await log.create('s', start)
    await expectWaiting(log.admit('s', input('a')))
    const { hash } = await blobs.put('s', 'content')
    await expectWaiting(log.admit('s', input('b')))
    expect(new TextDecoder().decode(await blobs.get('s', hash))).toBe('content')
  } finally {
    sync.mockRestore()
    await log.close()
  }
})

test('facts of an effect and of a person are waited for; the end of a turn is soon on the disk', () => {
  const typesOf = (wanted: Sync) => Object.entries(FACTS).flatMap(([type, { sync }]) => (sync === wanted ? [type] : []))
  expect(typesOf('before')).toEqual(expect.arrayContaining(['tool-start', 'run-end', 'input-admit', 'approval-answer']))
  expect(typesOf('soon')).toEqual(['session-start', 'turn-end', 'turn-fail'])
})

test('a log that something else changed is not written over', async () => {
  const { log } = openStore()
  await log.create('s', start)
  const { epoch, last } = await log.lease('s')
  const path = join(directory, 's.jsonl')
  await appendFile(path, '{"seq":2,"at":1,"v":1,"type":"context-reset"}\n')
  const before = await readFile(path, 'utf8')
  await expect(log.append('s', { epoch, expect: last }, [toolStart('c')])).rejects.toMatchObject({ code: 'conflict' })
  await expect(log.admit('s', input('a'))).rejects.toMatchObject({ code: 'conflict' })
  expect(await readFile(path, 'utf8')).toBe(before)
  await log.close()
  const again = openStore()
  expect(await again.log.admit('s', input('a'))).toMatchObject({ seq: 3 })
  await rename(path, `${path}.elsewhere`)
  await expect(again.log.admit('s', input('b'))).rejects.toMatchObject({ code: 'missing' })
  await again.log.close()
})

test('a log that is reached through a link is still one log', async () => {
  const { log } = openStore()
  await log.create('s', start)
  await mkdir(join(directory, 'other'))
  await symlink(join(directory, 's.jsonl'), join(directory, 'other', 't.jsonl'))
  const lease = await log.lease('s')
  const linked = openJsonlStore({ directory: join(directory, 'other'), now: Date.now }).log
  await expect(linked.lease('t')).rejects.toMatchObject({ code: 'held', details: { pid: process.pid } })
  await lease.release()
  await (await linked.lease('t')).release()
  await linked.close()
  await log.close()
})

test('a damaged session can be erased, with everything beside it', async () => {
  const { log, blobs } = openStore()
  await log.create('s', start)
  await blobs.put('s', 'content')
  await writeFile(join(directory, 's.jsonl'), 'garbage\n{"seq":9,"type":"x"}\n')
  await expect(log.lease('s')).rejects.toMatchObject({ code: 'damaged' })
  await log.erase('s')
  expect(await readdir(directory)).toEqual([])
  await log.close()
})

test('nothing unfinished is left beside a log', async () => {
  const { log, blobs } = openStore()
  await log.create('s', start)
  await blobs.put('s', 'content')
  for (const n of upTo(3)) await log.admit('s', input(`k${n}`))
  await log.erase('s', 2)
  await log.create('fork', { ...start, forkOf: { id: 's', seq: 2 } })
  await log.close()
  const names = await readdir(directory, { recursive: true })
  expect(names.filter((name) => name.endsWith('.new'))).toEqual([])
})

test('every log is listed, also one that cannot be read', async () => {
  const { log } = openStore()
  await log.create('good', start)
  await writeFile(join(directory, 'bad.jsonl'), 'garbage\n')
  await writeFile(join(directory, `${'가'.repeat(80)}.jsonl`), '')
  await writeFile(join(directory, 'note.txt'), '')
  const listed = await collect(log.list())
  expect(Object.fromEntries(listed.map(({ id, start: begun }) => [id, begun !== undefined]))).toEqual({
    bad: false,
    good: true,
  })
  await log.close()
})

test.each(['', '..', 'a/b', '../a', '.hidden', 'a.', 'a.jsonl', 'x'.repeat(300)])(
  '%j cannot name a session',
  async (id) => {
    const { log } = openStore()
    await expect(log.create(id, start)).rejects.toMatchObject({ code: 'rejected' })
    await log.close()
  },
)

test('what another process writes is heard by a watcher, each fact once', async () => {
  const mine = openStore()
  const other = openStore()
  await other.log.create('old', start)
  const stop = new AbortController()
  const watching = take(mine.log.watch(undefined, stop.signal), 5)
  // Ours comes first, so that the watch stands before the others begin.
  await mine.log.create('mine', start)
  await other.log.create('new', start)
  for (const n of upTo(2)) await other.log.admit('new', input(`k${n}`))
  await other.log.admit('old', input('later'))
  const heard = (await watching).map((change) => ('seq' in change ? `${change.id}:${change.seq}` : 'other'))
  expect(heard.toSorted()).toEqual(['mine:1', 'new:1', 'new:2', 'new:3', 'old:2'])
  stop.abort()
  await mine.log.close()
  await other.log.close()
})

test('blobs are masked like facts, bytes are not touched', async () => {
  const { blobs } = openStore((text) => text.replaceAll('hunter2', '***'))
  const { hash } = await blobs.put('s', 'the password is hunter2')
  expect(Buffer.from((await blobs.get('s', hash)) ?? []).toString()).toBe('the password is ***')
  const raw = await blobs.put('s', Buffer.from('hunter2'))
  expect(Buffer.from((await blobs.get('s', raw.hash)) ?? []).toString()).toBe('hunter2')
})

test('a broken cache never stands in the way of the log', async () => {
  const { log } = openStore()
  await log.create('s', start)
  const lease = await log.lease('s')
  await Promise.all(upTo(400).map((n) => log.admit('s', input(`k${n}`, 'x'.repeat(1000)))))
  await writeFile(join(directory, 's', 'snapshots'), 'not a folder')
  await lease.release()
  expect(await log.admit('s', input('next'))).toMatchObject({ seq: 402 })
  await log.close()
})
