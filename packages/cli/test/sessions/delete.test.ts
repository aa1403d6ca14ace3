import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openJsonlStore } from '@maru/store'
import { openPastFiles } from '@maru/tools'
import { expect, test } from 'vitest'
import type { SessionRow } from '../../src/sessions/list-sessions.ts'
import { choosePrunable, parseAge } from '../../src/sessions/prune-plan.ts'
import { snapshotStore } from '../../src/undo/snapshot-store.ts'
import { conversation, makePlace } from './place.ts'

type Place = Awaited<ReturnType<typeof makePlace>>

const logsOf = ({ home }: Place) =>
  readdirSync(join(home, 'sessions'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()

test('what is deleted is gone, with all that lay beside it, and only after a yes', async () => {
  const place = await makePlace()
  const long = 'x'.repeat(40_000)
  await place.work([{ reply: [{ text: long }] }], '--session', 'mine', 'Say much')
  place.put('other', conversation(place.repo))
  expect(readdirSync(join(place.home, 'sessions', 'mine')).sort()).toContain('blobs')
  const unasked = await place.maru('sessions', 'delete', 'mine')
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')])
  const declined = await place.ask('\n', 'sessions', 'delete', 'mine')
  expect([declined.code, declined.stderr]).toEqual([3, expect.stringContaining('Erase 1 session for good? (y/N)')])
  expect(declined.stderr).toContain('Say much')
  expect(logsOf(place)).toEqual(['mine.jsonl', 'other.jsonl'])
  const { code, stdout } = await place.ask('네\n', 'sessions', 'delete', 'mine')
  expect([code, stdout]).toEqual([0, '1 session erased\n'])
  expect(logsOf(place)).toEqual(['other.jsonl'])
  expect(existsSync(join(place.home, 'sessions', 'mine'))).toBe(false)
})

test('a dry run names what would go, several may be named, and a wrong name deletes nothing', async () => {
  const place = await makePlace()
  for (const id of ['one', 'two', 'three']) place.put(id, conversation(place.repo))
  const { stdout } = await place.maru('sessions', 'delete', 'one', 'two', '--dry-run', '--json')
  expect(JSON.parse(stdout)).toEqual({ wouldDelete: ['one', 'two'] })
  expect((await place.maru('sessions', 'delete', 'one', 'nothing', '--yes')).code).toBe(2)
  expect((await place.maru('sessions', 'delete', '--yes')).code).toBe(2)
  expect(logsOf(place)).toHaveLength(3)
  const done = await place.maru('sessions', 'delete', 'one', 'two', '--yes', '--json')
  expect(JSON.parse(done.stdout)).toMatchObject({ deleted: ['one', 'two'], left: [] })
  expect(logsOf(place)).toEqual(['three.jsonl'])
})

test('a session that somebody writes is left, and said so', async () => {
  const place = await makePlace()
  place.put('free', conversation(place.repo))
  place.put('held', conversation(place.repo))
  const { log } = openJsonlStore({ directory: join(place.home, 'sessions'), now: Date.now })
  const lease = await log.lease('held')
  const { stdout, code } = await place.maru('sessions', 'delete', 'free', 'held', '--yes', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ deleted: ['free'], left: [{ id: 'held', code: 'held' }] })
  expect((await place.maru('sessions', '--json')).stdout).toContain('"isRunning":true')
  await lease.release()
  await log.close()
  expect((await place.maru('sessions', 'delete', 'held', '--yes')).code).toBe(0)
})

test('prune erases by age, by number, or by both, of this repository alone', async () => {
  const place = await makePlace()
  const day = 86_400_000
  const now = Date.now()
  for (const age of [1, 10, 40, 50]) place.put(`d${age}`, conversation(place.repo), { at: now - age * day })
  place.put('far', conversation('/elsewhere'), { at: now - 400 * day })
  const would = async (...args: string[]) =>
    JSON.parse((await place.maru('sessions', 'prune', ...args, '--dry-run', '--json')).stdout).wouldDelete
  expect(await would('--older-than', '30d')).toEqual(['d40', 'd50'])
  expect(await would('--older-than', '1y')).toEqual([])
  expect(await would('--older-than', '1y', '--all')).toEqual(['far'])
  expect(await would('--keep', '1')).toEqual(['d10', 'd40', 'd50'])
  expect(await would('--keep', '3', '--older-than', '5d')).toEqual(['d50'])
  expect(logsOf(place)).toHaveLength(5)
  expect((await place.maru('sessions', 'prune', '--older-than', '30d', '--yes')).stdout).toBe('2 sessions erased\n')
  expect(logsOf(place)).toEqual(['d1.jsonl', 'd10.jsonl', 'far.jsonl'])
  expect((await place.maru('sessions', 'prune')).stderr).toContain('--older-than 30d, --keep 50')
  expect((await place.maru('sessions', 'prune', '--older-than', 'a month')).code).toBe(2)
  expect((await place.maru('sessions', 'prune', '--keep=-1')).code).toBe(2)
})

test('ages and plans', () => {
  expect(['12h', '30d', '8w', '1y', '5', 'd', '1m', '-1d', '1.5d'].map(parseAge)).toEqual([
    43_200_000,
    2_592_000_000,
    4_838_400_000,
    31_536_000_000,
    ...[undefined, undefined, undefined, undefined, undefined],
  ])
  const rows = [50, 40, 30].map((changedAt) => ({ changedAt }) as SessionRow)
  expect(choosePrunable(rows, { olderThan: 10, now: 50 })).toEqual(rows.slice(1))
  expect(choosePrunable(rows, { keep: 5, now: 50 })).toEqual([])
})

const echo = (words: string, file: string) => [
  { reply: [{ call: 'RunCommand', args: { command: `echo ${words} > ${file}` } }] },
  { reply: [{ text: 'done' }] },
]
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

test('snapshots of files go with the last session that holds them, and stay for others', async () => {
  const place = await makePlace({ 'base.txt': 'base\n' })
  await place.work(echo('first', 'made.txt'), '--session', 'one', 'Make it')
  await place.work(echo('second', 'made.txt'), '--session', 'two', 'Make it again')
  await place.work(echo('third', 'made.txt'), '--session', 'three', 'And again')
  const elsewhere = join(place.base, 'kept.jsonl')
  await place.work(echo('fourth', 'made.txt'), '--session', elsewhere, 'Kept elsewhere')
  const store = snapshotStore(place.home, place.repo)
  const isKept = async (text: string) => {
    const files = await openPastFiles({ root: place.repo, store, content: async () => undefined })
    const found = await files.read(hashOf(text))
    await files.close()
    return found !== undefined
  }
  expect(await Promise.all(['base\n', 'first\n', 'second\n', 'third\n', 'fourth\n'].map(isKept))).toEqual([
    ...[true, true, true, true, true],
  ])
  // The first is how the second began, and the second how the third did.
  const { stdout } = await place.maru('sessions', 'delete', 'one', 'two', '--yes', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ deleted: ['one', 'two'], snapshots: { isBusy: false } })
  expect(JSON.parse(stdout).snapshots.removed).toBeGreaterThan(0)
  expect(await Promise.all(['base\n', 'first\n', 'second\n', 'third\n', 'fourth\n'].map(isKept))).toEqual([
    ...[true, false, true, true, true],
  ])
  // What is left can still be taken back, byte for byte.
  expect((await place.maru('undo', '--session', elsewhere)).code).toBe(0)
  expect(readFileSync(join(place.repo, 'made.txt'), 'utf8')).toBe('third\n')
  expect((await place.maru('undo', '--session', 'three')).code).toBe(0)
  expect(readFileSync(join(place.repo, 'made.txt'), 'utf8')).toBe('second\n')
})

test('while somebody works in the directory its snapshots are not touched, and go with the next deletion', async () => {
  const place = await makePlace({ 'base.txt': 'base\n' })
  await place.work(echo('first', 'made.txt'), '--session', 'one', 'Make it')
  await place.work(echo('second', 'made.txt'), '--session', 'two', 'Make it again')
  await place.work(echo('third', 'made.txt'), '--session', 'three', 'And again')
  const { log } = openJsonlStore({ directory: join(place.home, 'sessions'), now: Date.now })
  const lease = await log.lease('three')
  const packs = join(snapshotStore(place.home, place.repo), 'packs')
  const before = readdirSync(packs).sort()
  const busy = JSON.parse((await place.maru('sessions', 'delete', 'one', '--yes', '--json')).stdout)
  expect(busy).toMatchObject({ deleted: ['one'], snapshots: { removed: 0, isBusy: true } })
  expect(readdirSync(packs).sort()).toEqual(before)
  await lease.release()
  await log.close()
  const free = JSON.parse((await place.maru('sessions', 'delete', 'two', '--yes', '--json')).stdout)
  expect(free.snapshots).toMatchObject({ isBusy: false })
  expect(free.snapshots.removed).toBeGreaterThan(0)
})
