import { copyFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hit, newSessionId, openJsonlStore } from '@maru/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../run.ts'
import { input, start } from './say.ts'

let root = ''
const call = (args: string[], env: Record<string, string> = {}) =>
  run(args, { env: { MARU_HOME: join(root, 'home'), MARU_LANG: 'en', ...env }, cwd: root })

// Looks like a key of a vendor, and is none.
const KEY = `sk-ant-api03-${'aB3dE5fG7hJ9'.repeat(7)}AA`

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'maru-import-'))
  const message = (id: string, sender: string, text: string) => ({ uuid: id, sender, text, content: [] })
  const conversation = {
    uuid: 'u-1',
    name: '서버 이야기',
    created_at: '2026-01-02T03:04:05Z',
    chat_messages: [message('m1', 'human', `내 키는 ${KEY} 입니다`), message('m2', 'assistant', '지우십시오')],
  }
  await writeFile(join(root, 'conversations.json'), JSON.stringify([conversation, 'broken']))
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('an export comes in with its secrets masked and marked, its faults named, and once', async () => {
  const dry = await call(['import', 'conversations.json', '--dry-run', '--json'])
  expect(dry.code).toBe(1)
  expect(JSON.parse(dry.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'imported',
    dryRun: true,
    added: 1,
  })
  const first = await call(['import', 'conversations.json'])
  expect(first.code).toBe(1)
  expect(first.stdout).toBe('conversations.json (claude): 1 new, 0 longer, 0 unchanged; 2 messages added\n')
  expect(first.stderr).toContain('conversations.json: element 2 (line 1): it is no object\n')
  expect(first.stderr).toContain('1 message holds secrets')
  const again = await call(['import', 'conversations.json', '--json'])
  expect(
    again.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { type: 'problem', file: join(root, 'conversations.json'), place: 'element 2 (line 1)', reason: 'it is no object' },
    expect.objectContaining({
      type: 'imported',
      format: 'claude',
      added: 0,
      grown: 0,
      same: 1,
      messages: 0,
      problems: 1,
    }),
  ])
  const found = await call(['search', '키는', '--json'])
  const { snippet } = JSON.parse(found.stdout) as Hit
  expect(snippet).toMatch(/^내 키는 \[secret:[a-z-]+:[0-9a-f]{8,12}\] 입니다$/)
  const dump = await call(['db', 'dump', '-'])
  expect(dump.stdout).not.toContain(KEY)
})

test('what maru wrote on one machine comes in on another, a directory at a time', async () => {
  const sessions = join(root, 'elsewhere/sessions')
  const { log } = openJsonlStore({ directory: sessions, now: () => 5 })
  const id = newSessionId(5)
  await log.create(id, start)
  await log.admit(id, input('1', '배포합니다'))
  await log.close()
  await mkdir(join(root, 'inbox'))
  copyFileSync(join(sessions, `${id}.jsonl`), join(root, 'inbox', `${id}.jsonl`))
  expect(await call(['import', 'inbox'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('(maru-log): 1 new'),
  })
  expect(JSON.parse((await call(['search', '배포합', '--json'])).stdout)).toMatchObject({ conversation: id, seq: 2 })
  expect(await call(['import', 'nothing.json'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing.json'),
  })
})

test('what was brought in can be shown, written out and erased by the id that a search names', async () => {
  const message = (id: string, text: string) => ({ uuid: id, sender: 'human', text, content: [] })
  const talks = ['얼룩말 하나', '얼룩말 둘'].map((text, at) => ({
    uuid: `zebra-${at}`,
    name: `talk ${at}`,
    created_at: '2026-01-02T03:04:05Z',
    chat_messages: [message(`z${at}`, text), { uuid: `s${at}`, sender: 'assistant', text: 'stripes', content: [] }],
  }))
  await writeFile(join(root, 'zebras.json'), JSON.stringify(talks))
  await call(['import', 'zebras.json'])
  const hits = (await call(['search', '얼룩말', '--json'])).stdout.trim().split('\n')
  const ids = [...new Set(hits.map((line) => (JSON.parse(line) as Hit).conversation))]
  expect(ids).toHaveLength(2)
  const [first = ''] = ids
  expect((await call(['sessions', 'show', first])).stdout).toContain('talk ')
  expect((await call(['replay', first])).stdout).toContain('stripes')
  const exported = (await call(['sessions', 'export', first])).stdout
  expect(exported).toContain('얼룩말')
  expect(exported).toContain('\n## Claude\n\nstripes\n')
  expect(await call(['sessions', 'delete', ...ids, '--yes'])).toMatchObject({ code: 0, stdout: '2 sessions erased\n' })
  expect((await call(['search', '얼룩말'])).stdout).toBe('')
  const gone = await call(['sessions', 'show', first])
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('there is no log file or session')])
})
