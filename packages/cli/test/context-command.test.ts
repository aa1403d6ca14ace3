import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Fact } from '@maru/protocol'
import { expect, test } from 'vitest'
import { makeDirectory, run } from './run.ts'

const by = { kind: 'person', id: 'owner' } as const
const text = (words: string) => ({ type: 'text' as const, text: words })
const call = (callId: string, path: string) => ({ type: 'call' as const, callId, tool: 'ReadFile', args: { path } })

// Two turns that read, one prune and one compaction.
const FACTS: Fact[] = [
  { type: 'session-start', agent: { kind: 'maru' }, door: 'terminal', cwd: '/repo' },
  { type: 'input-admit', key: 'k', by, delivery: 'queue', parts: [text('합계를 고쳐 주세요')] },
  { type: 'run-start', runId: 'r1', inputs: [2] },
  { type: 'turn-start', turnId: 't1', runId: 'r1', model: 'claude-sonnet-5-5' },
  {
    type: 'turn-end',
    turnId: 't1',
    stop: 'calls',
    usage: { input: 4_000, output: 100, cacheRead: 1_000 },
    parts: [call('c1', 'a.ts')],
  },
  { type: 'tool-end', callId: 'c1', outcome: 'ok', result: {}, parts: [text('const a = 1\n'.repeat(300))] },
  { type: 'turn-start', turnId: 't2', runId: 'r1', model: 'claude-sonnet-5-5' },
  {
    type: 'turn-end',
    turnId: 't2',
    stop: 'end',
    usage: { input: 6_000, output: 200, cacheRead: 4_000 },
    parts: [text('done')],
  },
  { type: 'run-end', runId: 'r1', reason: 'done' },
  { type: 'context-prune', callIds: ['c1'], notes: { c1: '[ok; removed]' }, tokens: { before: 6_200, after: 3_000 } },
  {
    type: 'context-compact',
    keepFromSeq: 8,
    summary: [text('what came before')],
    tokens: { before: 3_000, after: 2_500 },
  },
]

async function makeSession() {
  const cwd = await makeDirectory()
  const home = join(cwd, 'home')
  await mkdir(join(home, 'sessions'), { recursive: true })
  const lines = FACTS.map((fact, at) => JSON.stringify({ ...fact, seq: at + 1, at: 1_790_000_000_000, v: 1 }))
  const log = join(home, 'sessions', 's.jsonl')
  await writeFile(log, `${lines.join('\n')}\n`)
  return { cwd, env: { MARU_HOME: home }, log }
}

test('what fills the context is drawn, with what each run cost', async () => {
  const { stdout, stderr, code } = await run(['context', 's', '--lang', 'en'], await makeSession())
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('2,500 of 100,000 tokens, 3 %')
  expect(stdout).toMatch(/합계를 고쳐 주세요 +2 +10,000 +50 % +300 +\$0\.01/)
  expect(stdout).toContain('1 output taken out, condensed 1 time')
})

test('with --json it is one object', async () => {
  const { stdout } = await run(['context', 's', '--json'], await makeSession())
  const { portrait, runs, total, limit } = JSON.parse(stdout)
  expect({ limit, tokens: portrait.tokens, turns: runs[0].turns, input: total.usage.input }).toEqual({
    limit: 100_000,
    tokens: 2_500,
    turns: 2,
    input: 10_000,
  })
  const shares = Object.values(portrait.shares as { [kind: string]: number }).reduce((sum, one) => sum + one, 0)
  expect(Math.abs(shares - 2_500)).toBeLessThan(5)
})

test('what was dropped is listed, and can be pinned and let go again', async () => {
  const session = await makeSession()
  const dropped = await run(['context', 's', '--dropped', '--lang', 'ko'], session)
  expect(dropped.stdout).toContain('ReadFile a.ts c1')
  expect(dropped.stdout).toContain('#8 이전을 모두 압축')
  expect((await run(['context', 's', '--pin', 'c1'], session)).code).toBe(0)
  expect((await run(['context', 's', '--lang', 'en'], session)).stdout).toContain('pinned: c1')
  expect((await run(['context', 's', '--unpin', 'c1'], session)).code).toBe(0)
  expect((await run(['context', 's', '--pin', '2'], session)).code).toBe(0)
  expect(
    readFileSync(session.log, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-3)
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { type: 'context-pin', callId: 'c1', isPinned: true },
    { type: 'context-pin', callId: 'c1', isPinned: false },
    { type: 'context-pin', target: 2, isPinned: true },
  ])
})

test('what is not there cannot be pinned', async () => {
  const { code, stderr } = await run(['context', 's', '--pin', 'nope', '--lang', 'en'], await makeSession())
  expect(code).toBe(2)
  expect(stderr).toContain('no call and no fact "nope"')
})

test.each([
  ['en', 'nothing was condensed: what is there is short, and there is nothing to gain yet\n'],
  ['ko', '압축하지 않았습니다. 대화가 아직 짧아 줄여도 얻을 것이 없습니다\n'],
])('a short session is not condensed into a longer one, and that is said (%s)', async (lang, said) => {
  const session = await makeSession()
  const before = readFileSync(session.log, 'utf8')
  const env = { ...session.env, ANTHROPIC_API_KEY: 'k' }
  // Nobody listens there: a request for a summary would be seen as a failure in the log.
  const condensed = await run(['context', 's', '--compact', '--base-url', 'http://127.0.0.1:9', '--lang', lang], {
    ...session,
    env,
  })
  expect(condensed).toMatchObject({ code: 0, stdout: said })
  expect(readFileSync(session.log, 'utf8')).toBe(before)
  const { stdout } = await run(['context', 's', '--compact', '--base-url', 'http://127.0.0.1:9', '--json'], {
    ...session,
    env,
  })
  expect(JSON.parse(stdout)).toEqual({ session: 's', tokens: null })
})
