import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Step, startScriptedModel } from '@maru/scripted-model'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPlace } from './end-to-end.ts'

let place: Awaited<ReturnType<typeof createPlace>>
beforeEach(async () => {
  place = await createPlace({ 'sum.mjs': 'export const sum = (a, b) => a - b\n' })
})
afterEach(() => place.dispose())

const mended = 'export const sum = (a, b) => a + b\n'
const task: Step[] = [
  { reply: [{ thinking: 'first look' }, { text: '읽겠습니다. ' }, { call: 'ReadFile', args: { path: 'sum.mjs' } }] },
  {
    reply: [
      { text: 'Mending.' },
      { call: 'WriteFile', args: { path: 'sum.mjs', content: mended } },
      { call: 'RunCommand', args: { command: 'node -e "import(\'./sum.mjs\').then(m => console.log(m.sum(1, 2)))"' } },
    ],
  },
  { reply: [{ text: '끝났습니다.' }], expect: { toolResult: '3' } },
]

async function withModel<T>(script: readonly Step[], use: (url: string) => Promise<T>): Promise<T> {
  const model = await startScriptedModel({ script })
  try {
    const used = await use(model.url)
    expect(model.problems).toEqual([])
    return used
  } finally {
    await model.close()
  }
}

type Line = { type: string; seq?: number; [key: string]: unknown }

// What differs from run to run, or belongs to a vendor.
function plain(line: Line, ids: Map<string, string>): Line {
  const known = (id: string) => {
    const name = ids.get(id) ?? `id${ids.size}`
    ids.set(id, name)
    return name
  }
  return JSON.parse(JSON.stringify(line), (key, value) => {
    if (['turnId', 'runId', 'callId', 'actionHash'].includes(key)) return known(String(value))
    if (
      ['at', 'ms', 'requestHash', 'vendorId', 'provider', 'model', 'usage', 'params', 'hash', 'cwd', 'key'].includes(
        key,
      )
    )
      return undefined
    // Only two of the three vendors give thoughts back, each in its own way.
    if (key === 'parts')
      return (value as { type: string }[]).filter(({ type }) => type !== 'opaque' && type !== 'reasoning')
    return value
  })
}

async function facts(log: string): Promise<Line[]> {
  const ids = new Map<string, string>()
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
  return lines.map((line) => plain(JSON.parse(line) as Line, ids))
}

// How a command has left the tree is written down when there is time: where in the log is chance.
function isIdleWork({ type, callId }: Line): boolean {
  return type === 'checkpoint' && callId !== undefined
}

test('the same task gives the same log on all three wires, and each verifies', { timeout: 180_000 }, async () => {
  const logs: Line[][] = []
  for (const provider of ['anthropic', 'openai', 'openai-chat']) {
    await writeFile(join(place.repo, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
    const log = join(place.path, `${provider}.jsonl`)
    const args = ['run', '--yes', '--provider', provider, '--model', 'scripted', '--session', log, 'fix sum']
    const { stdout, stderr, code } = await withModel(task, (url) => place.run(args, url))
    expect({ stdout, code }).toEqual({ stdout: '읽겠습니다. \nMending.\n끝났습니다.\n', code: 0 })
    expect(stderr).toContain('[tool] WriteFile path=sum.mjs')
    expect(await readFile(join(place.repo, 'sum.mjs'), 'utf8')).toBe(mended)
    const verified = await place.run(['replay', log, '--verify', '--json'], 'http://127.0.0.1:1')
    expect(verified).toMatchObject({ code: 0, stdout: '{"type":"verified","requests":3,"adapted":3}\n' })
    logs.push((await facts(log)).filter((fact) => !isIdleWork(fact)).map(({ seq: _seq, seen: _seen, ...fact }) => fact))
  }
  expect(logs[1]).toEqual(logs[0])
  expect(logs[2]).toEqual(logs[0])
  expect(logs[0]?.map(({ type }) => type)).toEqual([
    'session-start',
    'input-admit',
    'run-start',
    'prompt-set',
    'turn-start',
    'turn-end',
    'tool-start',
    'tool-end',
    'turn-start',
    'turn-end',
    'tool-start',
    'tool-end',
    'checkpoint',
    'tool-start',
    'tool-end',
    'turn-start',
    'turn-end',
    'run-end',
  ])
})

test('a changed byte in a result that a later request carried is found', async () => {
  await withModel(task, (url) => place.run(['run', '--yes', '--session', place.log, 'fix sum'], url))
  const text = await readFile(place.log, 'utf8')
  await writeFile(place.log, text.replace('a - b', 'a * b'))
  const { code, stderr } = await place.run(['replay', place.log, '--verify'], 'http://127.0.0.1:1')
  expect(code).toBe(1)
  expect(stderr).toMatch(/does not hold at fact 9: the facts before it give another request/)
})

test('--json is facts and live events, then the result, and nothing else', async () => {
  const { stdout, stderr, code } = await withModel([{ reply: [{ text: 'Hello 안녕' }] }], (url) =>
    place.run(['ask', 'hi', '--json'], url),
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const stored = lines.filter(({ seq }) => seq !== undefined)
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 2))
  expect(lines.some(({ type }) => type === 'text-delta')).toBe(true)
  expect(lines.at(-1)).toMatchObject({
    type: 'result',
    reason: 'done',
    text: 'Hello 안녕',
    session: expect.any(String),
  })
})

describe('exit codes tell scripts what happened', () => {
  const command = { call: 'RunCommand', args: { command: 'touch hi' } }
  const cases: [what: string, args: string[], script: Step[], code: number, said: RegExp][] = [
    ['done', ['run', 'go'], [{ reply: [{ text: 'ok' }] }], 0, /^$/],
    ['failed', ['run', 'go'], [{ error: { status: 400, message: 'bad request' } }], 1, /bad request/],
    ['a wrong key', ['run', 'go'], [{ error: { status: 401, message: 'no' } }], 1, /ANTHROPIC_API_KEY/],
    ['wrong usage', ['run'], [], 2, /there is no task/],
    ['denied', ['run', 'go'], [{ reply: [command] }, { reply: [{ text: 'well' }] }], 3, /denied/],
    ['a limit', ['run', '--yes', '--max-turns', '1', 'go'], [{ reply: [command] }], 4, /turn limit/],
  ]
  test.each(cases)('%s', async (_what, args, script, code, said) => {
    const ended = await withModel(script, (url) => place.run(args, url))
    expect(ended.code).toBe(code)
    expect(ended.stderr).toMatch(said)
  })

  test('interrupted', async () => {
    const model = await startScriptedModel({
      script: [{ reply: [{ text: 'a long story' }], fault: { afterBytes: 900, kind: 'stall' } }],
    })
    try {
      const child = place.start(['run', '--session', place.log, 'go'], model.url)
      await new Promise((resolve) => child.stdout.once('data', resolve))
      child.kill('SIGINT')
      expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(130)
      expect((await facts(place.log)).at(-1)).toMatchObject({ type: 'run-end', reason: 'interrupted' })
    } finally {
      await model.close()
    }
  })
})

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s ends the run and what it started',
  { timeout: 180_000 },
  async (signal) => {
    // A number of its own to be found by: inside a sandbox, pids are others.
    const seconds = `60.${process.hrtime.bigint()}`
    const command = `exec sleep ${seconds}`
    const script: Step[] = [{ reply: [{ call: 'RunCommand', args: { command } }] }]
    await withModel(script, async (url) => {
      const child = place.start(['run', '--yes', '--session', place.log, 'go'], url)
      const exited = new Promise((resolve) => child.once('exit', resolve))
      await waitFor(() => isRunning(seconds))
      child.kill(signal)
      expect(await exited).toBe(130)
      expect(isRunning(seconds)).toBe(false)
      expect((await facts(place.log)).at(-1)).toMatchObject({ type: 'run-end', reason: 'interrupted' })
    })
  },
)

async function waitFor(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    if (condition()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('it never came')
}

function isRunning(word: string): boolean {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word)
    } catch {
      // It ended meanwhile.
      return false
    }
  })
}

test('an answer of any length is whole in the result', async () => {
  const long = '가나다라 '.repeat(8_000)
  const { stdout } = await withModel([{ reply: [{ text: long }] }], (url) => place.run(['ask', 'tell', '--json'], url))
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'result', text: long })
})

test('with --json an error has its line, and the result is still the last', async () => {
  const { stdout, code } = await withModel([{ error: { status: 400, message: 'bad' } }], (url) =>
    place.run(['ask', 'x', '--json'], url),
  )
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  expect(code).toBe(1)
  expect(lines.slice(-2).map(({ type }) => type)).toEqual(['error', 'result'])
})

test('going on with a session that is not there is wrong usage, and makes none', async () => {
  const { code, stderr } = await place.run(['run', '--session', place.log], 'http://127.0.0.1:1')
  expect(code).toBe(2)
  expect(stderr).toContain('there is no log file or session')
  await expect(readFile(place.log)).rejects.toThrow('ENOENT')
})

test('a dry run changes nothing and says what it would', async () => {
  const { code, stderr } = await withModel(task.slice(0, 2).concat({ reply: [{ text: 'plan' }] }), (url) =>
    place.run(['run', '--dry-run', '--yes', 'fix sum'], url),
  )
  expect(code).toBe(0)
  expect(stderr).toContain('dry run: nothing was done. It would')
  expect(await readFile(join(place.repo, 'sum.mjs'), 'utf8')).toContain('a - b')
})

test('a session goes on where it stopped, in another process', async () => {
  await withModel([{ reply: [{ text: 'I am 마루.' }] }], (url) =>
    place.run(['ask', '--session', place.log, 'who?'], url),
  )
  const model = await startScriptedModel({
    script: [{ reply: [{ text: 'As I said.' }], expect: { text: 'I am 마루.' } }],
  })
  try {
    const { stdout, code } = await place.run(['ask', '--session', place.log, 'again?'], model.url)
    expect({ stdout, code, problems: model.problems }).toEqual({ stdout: 'As I said.\n', code: 0, problems: [] })
  } finally {
    await model.close()
  }
})

test('the key is in no log, no raw event and no output', async () => {
  const script: Step[] = [{ error: { status: 401, message: 'test-key is wrong' } }]
  const { stdout, stderr } = await withModel(script, (url) =>
    place.run(['run', '--session', place.log, 'go', '--verbose'], url),
  )
  expect(stdout + stderr + (await readFile(place.log, 'utf8'))).not.toContain('test-key')
})
