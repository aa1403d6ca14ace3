import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testPostgres } from '@maru/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

const bin = join(import.meta.dirname, '../packages/cli/bin/maru.cjs')
let root = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'maru-history-'))
  const node = (id: string, parent: string | null, children: string[], text: string) => ({
    [id]: {
      id,
      parent,
      children,
      message: {
        author: { role: 'user' },
        create_time: 1_700_000_000,
        content: { content_type: 'text', parts: [text] },
      },
    },
  })
  const conversation = {
    conversation_id: 'c',
    title: '첫 대화',
    create_time: 1_699_999_999,
    mapping: { ...node('a', null, ['b', 'c'], '웹서버'), ...node('b', 'a', [], '하나'), ...node('c', 'a', [], '둘') },
  }
  await writeFile(join(root, 'conversations.json'), JSON.stringify([conversation]))
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function maru(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], MARU_HOME: join(root, 'home'), MARU_LANG: 'en', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, ...out }
}

test('a history that was begun in a directory moves to a server whole, and its old place says where it went', async () => {
  expect(await maru(['import', 'conversations.json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 new'),
  })
  const url = await (await testPostgres()).createDatabase()
  const moved = await maru(['db', 'move'], { DATABASE_URL: url })
  expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining('2 sessions moved to postgresql:///test_') })
  expect(JSON.parse(readFileSync(join(root, 'home/db/moved.json'), 'utf8'))).toMatchObject({
    to: expect.stringMatching(/^postgresql:\/\/\/test_/),
  })
  expect(await maru(['search', '서버'])).toMatchObject({ code: 2, stderr: expect.stringContaining('was moved to') })
  const status = await maru(['db', 'status', '--json'], { DATABASE_URL: url })
  expect(JSON.parse(status.stdout)).toMatchObject({ engine: 'postgres', conversations: 2, messages: 3 })
  const found = await maru(['search', '서버', '--json'], { DATABASE_URL: url })
  expect(JSON.parse(found.stdout)).toMatchObject({ title: '첫 대화', snippet: '웹서버', ranges: [[1, 3]] })
  expect(await maru(['db', 'doctor'], { DATABASE_URL: url })).toMatchObject({ code: 0 })
})
