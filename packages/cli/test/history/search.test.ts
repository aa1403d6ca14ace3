import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hit, openHistory, openJsonlStore } from '@maru/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseTime } from '../../src/history/parse-time.ts'
import { run } from '../run.ts'
import { input, start, title } from './say.ts'

let home = ''
const search = (...args: string[]) => run(['search', ...args], { env: { MARU_HOME: home, MARU_LANG: 'en' } })
const hitsOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Hit)

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'maru-history-'))
  const { log } = openJsonlStore({ directory: join(home, 'sessions'), now: () => Date.UTC(2026, 10, 1) })
  await log.create('one', { ...start, cwd: '/one' })
  await log.admit('one', title('배포 이야기'))
  await log.admit('one', input('1', '웹서버를 다시 띄웁니다 \x1b[31mred\x1b[0m'))
  await log.create('two', { ...start, cwd: '/two' })
  await log.admit('two', input('1', 'The server\nanswers'))
  await log.admit('two', input('2', 'And tomorrow?'))
  await log.close()
})
afterAll(() => rm(home, { recursive: true, force: true }))

test('words are found inside longer ones, with where they stand, in what the terminal had said', async () => {
  const { code, stdout } = await search('서버', '--json')
  expect(code).toBe(0)
  expect(hitsOf(stdout)).toEqual([
    {
      conversation: 'one',
      seq: 3,
      title: '배포 이야기',
      role: 'user',
      at: Date.UTC(2026, 10, 1),
      snippet: expect.stringContaining('웹서버를'),
      ranges: [[1, 3]],
      score: expect.any(Number),
    },
  ])
})

test('a hit is shown with its title, time and surroundings, and no escape sequence of it reaches the terminal', async () => {
  const { stdout } = await search('서버')
  expect(stdout).toMatch(
    /^배포 이야기 {2}2026-1[01]-\d\d \d\d:\d\d · person · one #3\n {2}웹서버를 다시 띄웁니다 \\x1b\[31mred/,
  )
})

test('a conversation without a title goes by what was said first, as in the list of sessions; JSON has no title for it', async () => {
  const { stdout } = await search('tomorrow')
  expect(stdout).toMatch(/^The server answers {2}2026-1[01]-\d\d \d\d:\d\d · person · two #3\n {2}And tomorrow\?\n$/)
  expect(hitsOf((await search('tomorrow', '--json')).stdout)[0]).not.toHaveProperty('title')
})

test('hits are narrowed by project, time and number', async () => {
  expect(hitsOf((await search('er', '--project', '/two', '--json')).stdout)).toMatchObject([{ conversation: 'two' }])
  expect((await search('er', '--until', '2026-10-01')).stderr).toBe('nothing found for "er"\n')
  expect(hitsOf((await search('이', '--limit', '1', '--json')).stdout)).toHaveLength(1)
  expect(await search('x', '--limit', '0')).toMatchObject({ code: 2 })
  expect(await search('x', '--since', 'yesterday')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--since'),
  })
})

test('a history that another process has open is named, with what to do, in both languages', async () => {
  const history = await openHistory({ home, now: Date.now })
  try {
    const english = await search('x')
    expect(english).toMatchObject({ code: 1, stderr: expect.stringContaining(`open in process ${process.pid}; wait`) })
    const korean = await run(['search', 'x', '--lang', 'ko', '--json'], { env: { MARU_HOME: home } })
    expect(korean.stderr).toContain('열고 있습니다')
    expect(JSON.parse(korean.stdout)).toMatchObject({ type: 'error', code: 'history-held' })
  } finally {
    await history.close()
  }
})

test('a server that does not answer is named without its password', async () => {
  const env = { MARU_HOME: home, MARU_LANG: 'en', DATABASE_URL: 'postgresql://me:hunter2hunter2@127.0.0.1:1/none' }
  const { code, stderr } = await run(['search', 'x'], { env })
  expect(code).toBe(1)
  expect(stderr).toContain('postgresql://127.0.0.1:1/none cannot be used')
  expect(stderr).not.toContain('hunter2')
})

test('a command that does not need the history does not make one', async () => {
  const other = await mkdtemp(join(tmpdir(), 'maru-history-'))
  await run(['config', 'list'], { env: { MARU_HOME: other } })
  await run(['run', 'nothing'], { env: { MARU_HOME: other } })
  expect(existsSync(join(other, 'db'))).toBe(false)
  await rm(other, { recursive: true, force: true })
})

test('a time is a day, a moment or how long ago', () => {
  const now = Date.UTC(2026, 10, 16, 12)
  expect(parseTime('7d', { now })).toBe(now - 7 * 86_400_000)
  expect(parseTime('2026-11-16T09:30Z', { now })).toBe(Date.UTC(2026, 10, 16, 9, 30))
  const day = new Date(2026, 10, 16).getTime()
  expect(parseTime('2026-11-16', { now })).toBe(day)
  expect(parseTime('2026-11-16', { now, isEnd: true })).toBe(new Date(2026, 10, 17).getTime())
  for (const wrong of ['2026-02-30', '2026-13-01', 'x', '', '1y', '2026-11-16T25:00']) {
    expect(parseTime(wrong, { now })).toBe(undefined)
  }
})
