import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJsonlStore } from '@maru/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../run.ts'
import { input, start, title } from './say.ts'

let root = ''
let home = ''
const call = (args: string[], env: Record<string, string> = {}) =>
  run(args, { env: { MARU_HOME: home, MARU_LANG: 'en', ...env }, cwd: root })
const json = async <T>(args: string[], env: Record<string, string> = {}): Promise<T> =>
  JSON.parse((await call([...args, '--json'], env)).stdout) as T

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'maru-db-'))
  home = join(root, 'home')
  const { log } = openJsonlStore({ directory: join(home, 'sessions'), now: Date.now })
  await log.create('one', start)
  await log.admit('one', title('첫 대화'))
  for (const n of [1, 2, 3]) await log.admit('one', input(`${n}`, `서버 ${n}`))
  await log.create('two', { ...start, forkOf: { id: 'one', seq: 3 } })
  await log.close()
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('the history says what it is and what is in it, and that all is well', async () => {
  expect(await json(['db', 'status'])).toMatchObject({
    engine: 'pglite',
    conversations: 2,
    messages: 3,
    facts: 6,
    schema: 7,
    latest: 7,
    accounts: 1,
  })
  expect((await call(['db', 'status'])).stdout).toContain('2 conversations, 3 messages, 6 facts')
  expect(await json(['db', 'migrate'])).toEqual({ from: 7, to: 7 })
  const { ok, checks } = await json<{ ok: boolean; checks: { status: string }[] }>(['db', 'doctor'])
  expect(ok).toBe(true)
  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['ok']))
})

test('a doctor where there is no history makes none', async () => {
  const other = await mkdtemp(join(tmpdir(), 'maru-db-'))
  const { code, stdout } = await call(['db', 'doctor'], { MARU_HOME: other })
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('No history yet') })
  expect(existsSync(join(other, 'db'))).toBe(false)
  await rm(other, { recursive: true, force: true })
})

test('a dump goes to a new file alone, and comes in again elsewhere', async () => {
  const file = join(root, 'all.jsonl')
  expect(await call(['db', 'dump', 'all.jsonl'])).toMatchObject({ code: 0 })
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'maru-dump', v: 1 })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'end', sessions: 2, facts: 6 })
  expect(await call(['db', 'dump', 'all.jsonl'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there already'),
  })
  const env = { MARU_HOME: join(root, 'other') }
  expect(await json(['db', 'restore', file], env)).toMatchObject({ sessions: 2, facts: 6, kept: 0 })
  expect((await call(['search', '서버', '--json'], env)).stdout.trimEnd().split('\n')).toHaveLength(3)
  await writeFile(join(root, 'cut.jsonl'), lines.slice(0, -1).join('\n'))
  expect(await call(['db', 'restore', 'cut.jsonl'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cut.jsonl cannot be restored to its end: line'),
  })
  expect(await call(['db', 'restore', 'none.jsonl'], env)).toMatchObject({ code: 2 })
  expect(await call(['db', 'dump'])).toMatchObject({ code: 2 })
  expect(await call(['db', 'status', 'x'])).toMatchObject({ code: 2 })
})

test('without an address there is nowhere to move to', async () => {
  expect(await call(['db', 'move'])).toMatchObject({ code: 2, stderr: expect.stringContaining('DATABASE_URL') })
})

test('a file or a database that cannot be used is told of in one language', async () => {
  const file = await call(['db', 'restore', 'nothing', '--lang', 'ko'])
  expect([file.code, file.stderr]).toEqual([2, expect.stringContaining('nothing')])
  const away = await call(['db', 'status', '--lang', 'ko'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' })
  expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')])
  for (const { stderr } of [file, away]) expect(stderr).not.toMatch(/no such file|does not answer/)
})
