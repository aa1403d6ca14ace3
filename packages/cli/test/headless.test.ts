import { join } from 'node:path'
import { type Script, startScriptedModel } from '@maru/scripted-model'
import { expect, onTestFinished, test } from 'vitest'
import { makeDirectory, run } from './run.ts'

const SCHEMA = {
  type: 'object',
  properties: { sum: { type: 'integer' }, why: { type: 'array', items: { type: 'string' } } },
  required: ['sum'],
  additionalProperties: false,
}

/** One call of `maru` beside a scripted model, in a folder with a schema. */
async function call(args: readonly string[], script: Script, { stdin = '', lang = 'en' } = {}) {
  const model = await startScriptedModel({ script })
  onTestFinished(() => model.close())
  const cwd = await makeDirectory({ 'schema.json': JSON.stringify(SCHEMA), 'a.txt': 'hello\n', 'list.json': '[]' })
  const env = {
    MARU_HOME: join(cwd, 'home'),
    MARU_LANG: lang,
    PATH: process.env['PATH'],
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: model.url,
  }
  const ended = await run(args, { cwd, env, stdin })
  return { ...ended, model, lines: () => ended.stdout.trimEnd().split('\n').map(parse) }
}

const parse = (line: string) => JSON.parse(line) as { type: string; [key: string]: unknown }
const say = (text: string) => ({ reply: [{ text }] })
const asJson = ['--output-schema', 'schema.json']
const read = { reply: [{ text: 'Let me look.' }, { call: 'ReadFile', args: { path: 'a.txt' } }] }

test('with a schema, stdout holds the answer and nothing else, whatever was said on the way', async () => {
  const { code, stdout, stderr, model } = await call(['run', ...asJson, 'x'], [read, say('{"sum": 3}')])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"sum": 3}\n' })
  expect(stderr).toContain('[tool] ReadFile')
  expect(model.requests[0]?.body).toMatchObject({ output_config: { format: { schema: SCHEMA } } })
})

test('with a schema, the result has the answer as a value', async () => {
  const { code, lines, stderr } = await call(['ask', '--json', ...asJson, 'x'], [say('{"sum": 3}')])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(lines().at(-1)).toMatchObject({ type: 'result', reason: 'done', text: '{"sum": 3}', output: { sum: 3 } })
})

test.each([
  ['three', 'the answer is not JSON'],
  ['{"sum": "3"}', '/sum breaks "type"'],
  ['{"sum": 3, "more": 1}', 'breaks "additionalProperties"'],
  ['{}', '/ breaks "required"'],
  ['{"sum": 3, "why": ["a", 1]}', '/why/1 breaks "type"'],
])('an answer that does not fit the schema is a failure that says where: %s', async (answer, said) => {
  const { code, stdout, stderr } = await call(['run', ...asJson, 'x'], [say(answer)])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(said)
  expect(stderr).toMatch(/"maru replay [\w-]+" shows it\n$/)
})

test('with --json a misfit has a stable code, and the result is still the last line', async () => {
  const { code, lines, stderr } = await call(['run', '--json', ...asJson, 'x'], [say('{}')], { lang: 'ko' })
  expect(code).toBe(1)
  const [error, result] = lines().slice(-2)
  expect(error).toMatchObject({
    type: 'error',
    code: 'output-schema-mismatch',
    message: expect.stringContaining('맞지 않습니다'),
  })
  expect(result).toMatchObject({ type: 'result', reason: 'done', text: '{}' })
  expect(Object.keys(result ?? {})).not.toContain('output')
  expect(stderr).toBe(`maru: ${String(error?.['message'])}\n`)
})

test('a run that failed or met a limit says that, and nothing of the schema', async () => {
  const failed = await call(['run', ...asJson, 'x'], [{ error: { status: 400, message: 'bad' } }])
  expect([failed.code, failed.stderr]).toEqual([1, expect.not.stringContaining('schema')])
  const limited = await call(['run', '--max-turns', '1', ...asJson, 'x'], [read])
  expect([limited.code, limited.stdout]).toEqual([4, ''])
})

test.each([
  ['nowhere.json', 'nowhere.json cannot be read: there is no such file'],
  ['a.txt', 'a.txt is no JSON Schema'],
  ['list.json', 'list.json is no JSON Schema'],
])('a schema that cannot be used is said before anything is asked: %s', async (file, said) => {
  const { code, stderr, model } = await call(['run', '--output-schema', file, 'x'], [say('never')])
  expect([code, stderr, model.requests.length]).toEqual([2, expect.stringContaining(said), 0])
})

test('the task comes from standard input, whole and in any language', async () => {
  const { code, stdout, model } = await call(['run', '-'], [say('Done.')], { stdin: '첫 줄\nsecond line\n' })
  expect([code, stdout]).toEqual([0, 'Done.\n'])
  expect(JSON.stringify(model.requests[0]?.body)).toContain('첫 줄\\nsecond line')
})

test('an empty standard input is wrong usage, and nothing is asked', async () => {
  for (const args of [
    ['run', '-'],
    ['ask', '-', '--json'],
  ]) {
    const { code, stderr, model } = await call(args, [say('never')], { stdin: ' \n' })
    expect([code, stderr, model.requests.length]).toEqual([2, expect.stringContaining('there is no task'), 0])
  }
})

test('--quiet leaves the answer and the exit code; --verbose adds what the tools returned', async () => {
  const script = () => [read, say('Done.')]
  const quiet = await call(['run', '--quiet', 'x'], script())
  expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([0, 'Let me look.\nDone.\n', ''])
  const usual = await call(['run', 'x'], script())
  expect(usual.stderr).not.toContain('hello')
  const verbose = await call(['run', '--verbose', 'x'], script())
  expect(verbose.stderr).toContain('hello')
  expect(verbose.stdout).toBe(quiet.stdout)
})

test('--quiet still says what went wrong', async () => {
  const { code, stderr } = await call(['run', '--quiet', 'x'], [{ error: { status: 400, message: 'bad' } }])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^maru: .*bad/)])
})
