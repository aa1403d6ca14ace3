import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Fact, Recorded } from '@maru/protocol'
import { type Script, startScriptedModel } from '@maru/scripted-model'
import { onTestFinished } from 'vitest'
import { runCli } from '../../src/run-cli.ts'
import { run } from '../run.ts'

export const by = { kind: 'person', id: 'owner' } as const
export const text = (words: string) => ({ type: 'text' as const, text: words })

/** A home and a repository, where logs are put by hand and commands are run. */
export async function makePlace(files: { readonly [path: string]: string } = {}) {
  const base = mkdtempSync(join(tmpdir(), 'maru-sessions-'))
  // What a command started may still be on its way to the disk.
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }))
  const home = join(base, 'home')
  const repo = join(base, 'repo')
  mkdirSync(join(home, 'sessions'), { recursive: true })
  mkdirSync(repo)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true })
    writeFileSync(join(repo, path), content)
  }
  const env = { MARU_HOME: home, MARU_LANG: 'en', PATH: process.env['PATH'], HOME: base }
  const fileOf = (id: string) => join(home, 'sessions', `${id}.jsonl`)
  return {
    base,
    home,
    repo,
    env,
    fileOf,
    /** Writes a log as it would have been written, a second between two facts. */
    put(id: string, facts: readonly Fact[], { at = 1_790_000_000_000 } = {}) {
      const lines = facts.map((fact, n) => JSON.stringify({ seq: n + 1, at: at + n * 1000, v: 1, ...fact }))
      writeFileSync(fileOf(id), `${lines.join('\n')}\n`)
    },
    facts: (id: string): Recorded[] => readFacts(fileOf(id)),
    maru: (...args: string[]) => run(args, { env, cwd: repo }),
    /** The same with a person at the terminal, who types this. */
    async ask(typed: string, ...args: string[]) {
      const written = { stdout: '', stderr: '' }
      const stream = (name: keyof typeof written) => ({
        isTTY: true,
        write(words: string) {
          written[name] += words
          return true
        },
      })
      const stdin = Object.assign(
        (async function* () {
          yield typed
        })(),
        { isTTY: true },
      )
      const { signal } = new AbortController()
      const world = { stdin, stdout: stream('stdout'), stderr: stream('stderr'), env, cwd: repo, signal }
      return { code: await runCli([...args, '--no-color'], world), ...written }
    },
    /** Lets the agent work by a script. */
    async work(script: Script, ...args: string[]) {
      const model = await startScriptedModel({ script })
      onTestFinished(() => model.close())
      const vendor = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: model.url }
      const done = await run(['run', '--yes', ...args], { env: { ...env, ...vendor }, cwd: repo })
      return { ...done, requests: model.requests, problems: model.problems }
    },
  }
}

export function readFacts(path: string): Recorded[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Recorded)
}

/** A session of two inputs, each answered, the first after a call. */
export function conversation(cwd: string, words: [string, string] = ['서버를 고쳐 주세요', 'And add a test']): Fact[] {
  return [
    { type: 'session-start', agent: { kind: 'maru' }, door: 'terminal', cwd },
    { type: 'input-admit', key: 'a', by, delivery: 'queue', parts: [text(words[0])] },
    { type: 'run-start', runId: 'run-one', inputs: [2] },
    { type: 'turn-start', turnId: 'turn-one', runId: 'run-one', provider: 'anthropic', model: 'claude-sonnet-5-5' },
    {
      type: 'turn-end',
      turnId: 'turn-one',
      stop: 'calls',
      usage: { input: 4_000, output: 100 },
      parts: [
        text('파일을 보겠습니다.'),
        { type: 'call', callId: 'c1', tool: 'ReadFile', args: { path: 'src/server.ts' } },
      ],
    },
    { type: 'tool-start', callId: 'c1', tool: 'ReadFile', args: { path: 'src/server.ts' }, effect: 'none' },
    { type: 'tool-end', callId: 'c1', outcome: 'ok', result: { ms: 2 }, parts: [text('listen(80)\n```\nnot a fence')] },
    { type: 'turn-start', turnId: 'turn-two', runId: 'run-one', provider: 'anthropic', model: 'claude-sonnet-5-5' },
    {
      type: 'turn-end',
      turnId: 'turn-two',
      stop: 'end',
      usage: { input: 5_000, output: 200 },
      parts: [text('**고쳤습니다.**\n\n```ts\nlisten(8080)\n```')],
    },
    { type: 'run-end', runId: 'run-one', reason: 'done', usage: { input: 9_000, output: 300 } },
    { type: 'input-admit', key: 'b', by, delivery: 'queue', parts: [text(words[1])] },
    { type: 'run-start', runId: 'run-two', inputs: [11] },
    { type: 'turn-start', turnId: 'turn-three', runId: 'run-two', provider: 'anthropic', model: 'claude-sonnet-5-5' },
    {
      type: 'turn-end',
      turnId: 'turn-three',
      stop: 'end',
      usage: { input: 6_000, output: 50 },
      parts: [text('Added <script>alert(1)</script> & done.')],
    },
    { type: 'run-end', runId: 'run-two', reason: 'done', usage: { input: 6_000, output: 50 } },
  ]
}
