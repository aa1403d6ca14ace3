import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory, run } from './run.ts'

const log = readFileSync(new URL('../../protocol/test/logs/v1.jsonl', import.meta.url), 'utf8')
const lines = log.trimEnd().split('\n')

async function home(files: { [path: string]: string }): Promise<{ env: { MARU_HOME: string }; cwd: string }> {
  const cwd = await makeDirectory(files)
  return { env: { MARU_HOME: join(cwd, 'home') }, cwd }
}

test('a log is shown as the conversation it was', async () => {
  const { stdout, stderr, code } = await run(['replay', 'a.jsonl'], await home({ 'a.jsonl': log }))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n').slice(0, 17)).toEqual([
    '· session of 2026-09-21 14:13 at the terminal · /repo',
    '',
    '· settings: anthropic · sonnet · ask',
    '',
    '› 테스트를 고쳐 주세요. Fix the failing test.',
    '',
    '두 파일을 읽겠습니다.',
    '[tool] ReadFile path=src/sum.ts · ok · 2 ms',
    '[tool] ReadFile path=test/sum.test.ts · error · 1 ms',
    '  not-found: test/sum.test.ts does not exist',
    '',
    '› 폰에서 봅니다',
    '',
    '[tool] RunCommand command=npm test · denied',
    '  asked because: runs a script of the repository → deny by owner@web (나중에)',
    '',
    '[tool] AskUser question=which? · ok',
  ])
})

test('in Korean what Maru says is Korean, and what was said stays as it was', async () => {
  const { stdout } = await run(['replay', 'a.jsonl', '--lang', 'ko'], await home({ 'a.jsonl': log }))
  expect(stdout).toContain('· 2026-09-21 14:13에 시작한 세션 (터미널) · /repo')
  expect(stdout).toContain('Fix the failing test.')
  expect(stdout).toContain('· 끝남: 중단됨')
})

test('with --json the facts come out as they stand, and nothing else', async () => {
  const place = await home({ 'a.jsonl': log })
  expect(await run(['replay', 'a.jsonl', '--json'], place)).toEqual({ code: 0, stdout: log, stderr: '' })
})

test('a session is found by its id, or by enough of it', async () => {
  const place = await home({ 'home/sessions/0192-aa.jsonl': log, 'home/sessions/0192-ab.jsonl': log })
  expect((await run(['replay', '0192-ab', '--json'], place)).stdout).toBe(log)
  expect((await run(['replay', '0192-aa', '--json'], place)).stdout).toBe(log)
  const { code, stderr } = await run(['replay', '0192'], place)
  expect(code).toBe(2)
  expect(stderr).toBe('maru: "0192" begins the id of 2 sessions; write more of it, for example 0192-aa\n')
  const none = await run(['replay', 'nothing'], place)
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('there is no log file or session "nothing"')
})

test('damage is named by its line, the rest is shown, and the exit code tells', async () => {
  const damaged = [...lines.slice(0, 3), '{"seq":4,"ty', ...lines.slice(4)].join('\n')
  const place = await home({ 'a.jsonl': `${damaged}\n` })
  const shown = await run(['replay', 'a.jsonl'], place)
  expect(shown.code).toBe(1)
  expect(shown.stdout).toMatch(/! line 4 of .*a\.jsonl is damaged: not JSON/)
  expect(shown.stdout).toContain('폰에서 봅니다')
  expect(shown.stderr).toMatch(/a\.jsonl is damaged in 2 places; what is readable was shown\n$/)
  const json = (await run(['replay', 'a.jsonl', '--json'], place)).stdout.trimEnd().split('\n')
  expect(json.filter((line) => line.includes('"damage"')).map((line) => JSON.parse(line))).toMatchObject([
    { type: 'damage', kind: 'garbage', line: 4 },
    { type: 'damage', kind: 'misfit', line: 5 },
  ])
})

test('a torn end is told, and is no failure', async () => {
  const { code, stderr } = await run(['replay', 'a.jsonl'], await home({ 'a.jsonl': log.slice(0, -20) }))
  expect(code).toBe(0)
  expect(stderr).toContain('is torn')
})

test('what was still under way when the log ended is shown too', async () => {
  const { stdout } = await run(['replay', 'a.jsonl'], await home({ 'a.jsonl': `${lines.slice(0, 9).join('\n')}\n` }))
  expect(stdout).toContain('[tool] ReadFile path=src/sum.ts · running')
})

test('escape sequences in a log cannot reach the terminal', async () => {
  const nasty = log.replace('Fix the failing test.', '\\u001b]0;title\\u0007 \\u202e \\u001b[2J')
  const { stdout } = await run(['replay', 'a.jsonl', '--verbose'], await home({ 'a.jsonl': nasty }))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out.
  expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/)
  expect(stdout).toContain('\\x1b]0;title\\x07')
})

test('an empty log says so, and a folder is no log', async () => {
  const place = await home({ 'a.jsonl': '\n', 'folder/x': '' })
  expect(await run(['replay', 'a.jsonl'], place)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('holds no facts'),
  })
  expect((await run(['replay', 'folder'], place)).code).toBe(2)
})
