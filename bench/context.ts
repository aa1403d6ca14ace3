import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runSession, type SessionDeps } from '@maru/agent'
import type { Fact, ModelEvent, ModelRequest, Tool } from '@maru/protocol'
import { type ReceivedRequest, startScriptedModel } from '@maru/scripted-model'
import { createLiveBus, createMemoryBlobs, createMemoryLog } from '@maru/store'
import { input, person, start, temporaryDirectory } from '@maru/testkit'
import { judge, type Verdict } from './claim.ts'
import { inTurn, summarize } from './side-by-side.ts'

/** What a long life costs: the request of a late turn beside an early one, and going on with a long log beside a new one. */
export async function benchContext(root: string): Promise<Verdict[]> {
  return [await benchLateTurn(), await benchResume(root)]
}

const EARLY = 'turn 4'
const LATE = 'turn 400'
const LIMIT = 20_000

// The same is kept in both, piece by piece: the early one makes most of its calls side by side in its first two turns.
async function benchLateTurn(): Promise<Verdict> {
  const late = { turns: 400, width: () => 1, first: '' }
  const { bytes, outputs } = await playTurns(late)
  const width = (turn: number) => (turn < 3 ? Math.ceil((outputs - 1) / 2) : 1)
  const plain = await playTurns({ turns: 4, width, first: '' })
  const early = { turns: 4, width, first: words(Math.max(0, bytes - plain.bytes)) }
  const [lates = [], earlies = []] = await inTurn([() => playTurns(late), () => playTurns(early)], {
    rounds: 9,
    warmups: 1,
  })
  const timings = [
    summarize(
      EARLY,
      earlies.map(({ ms }) => ms),
    ),
    summarize(
      LATE,
      lates.map(({ ms }) => ms),
    ),
  ]
  const text = `(a) from the last result to the request, with the same ${Math.round(bytes / 1000)} kB and ${outputs} outputs to send`
  return judge(timings, { text, of: LATE, against: EARLY, atMost: 2 })
}

const words = (units: number) =>
  'all of this is said once at the beginning '.repeat(Math.ceil(units / 42)).slice(0, units)

interface Play {
  turns: number
  /** How many calls a turn makes. */
  width(turn: number): number
  first: string
}

// The last turn of a session in memory, with a model that answers at once: what is left is what the engine does.
async function playTurns({ turns, width, first }: Play): Promise<{ ms: number; bytes: number; outputs: number }> {
  const blobs = createMemoryBlobs()
  const log = createMemoryLog({ now: () => 0, blobs })
  const built: { ms: number; bytes: number; outputs: number }[] = []
  let ended = performance.now()
  let ids = 0
  const look: Tool = {
    spec: { name: 'Look', description: 'Looks', schema: { type: 'object' }, effect: 'none' },
    prepare: async (args) => ({
      access: [],
      basis: [],
      async run() {
        ended = performance.now()
        return { ok: true, stdout: `${JSON.stringify(args)}\n${words(2_000)}` }
      },
    }),
  }
  const answer = (request: ModelRequest): ModelEvent => {
    const ms = performance.now() - ended
    const bytes = JSON.stringify(request).length
    const usage = { input: Math.ceil(bytes / 4), output: 10 }
    if (request.tools.length === 0)
      return { type: 'finish', stop: 'end', parts: [{ type: 'text', text: 'so far' }], usage }
    const outputs = request.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'result')).length
    built.push({ ms, bytes, outputs })
    if (built.length >= turns) return { type: 'finish', stop: 'end', parts: [{ type: 'text', text: 'done' }], usage }
    const parts = Array.from({ length: width(built.length) }, (_, at) => ({
      type: 'call' as const,
      callId: `v${at}`,
      tool: 'Look',
      args: { turn: built.length, at },
    }))
    return { type: 'finish', stop: 'calls', parts, usage }
  }
  const deps: SessionDeps = {
    log,
    blobs,
    live: createLiveBus(),
    provider: {
      async *stream(request) {
        yield answer(request)
      },
    },
    tools: { list: () => [look], onChange: () => () => undefined },
    decide: async () => ({ verdict: 'allow', rule: 'bench', reason: 'a bench' }),
    settings: {
      provider: 'bench',
      model: 'bench',
      system: 'You are a bench.',
      params: {},
      limits: { turns: turns + 1 },
      isUnattended: true,
      isDryRun: false,
      forceFirstTool: false,
      context: { limit: LIMIT, canCompact: true, canPrune: true },
    },
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    now: () => performance.now(),
    newId: () => `id${++ids}`,
  }
  await log.create('s', start)
  await runSession(deps, 's', new AbortController().signal, input('first', `Look around. ${first}`))
  const last = built.at(-1)
  if (built.length !== turns || !last) throw new Error(`${built.length} turns instead of ${turns}`)
  return last
}

const NEW = 'a new log'
const LONG = '2,000 turns, 20 MB'
const TURNS = 2_000
const LOG_BYTES = 20_000_000

// From the start of the process to the first request, against the same vendor.
async function benchResume(root: string): Promise<Verdict> {
  const { path, dispose } = await temporaryDirectory()
  let receivedAt = 0
  const model = await startScriptedModel({
    script: (_request: ReceivedRequest) => {
      receivedAt = performance.now()
      return { reply: [{ text: 'Here.' }] }
    },
  })
  const repo = join(path, 'repo')
  const long = join(path, 'long.jsonl')
  await mkdir(repo)
  await writeFile(long, longLog())
  const env = {
    PATH: process.env['PATH'],
    MARU_HOME: join(path, 'home'),
    MARU_LANG: 'en',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: model.url,
  }
  let runs = 0
  const toRequest = async (log: string) => {
    const startedAt = performance.now()
    const args = [
      join(root, 'packages/cli/bin/maru.cjs'),
      'run',
      'Where were we?',
      '--repo',
      repo,
      '--model',
      'claude-test',
      '--session',
      log,
    ]
    await new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
      child.once('error', reject)
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`maru ended with ${code}`))))
    })
    return receivedAt - startedAt
  }
  try {
    if ((await stat(long)).size < LOG_BYTES) throw new Error('the log is too short')
    const [fresh = [], resumed = []] = await inTurn(
      [() => toRequest(join(path, `new-${++runs}.jsonl`)), () => toRequest(long)],
      { rounds: 15, warmups: 3 },
    )
    const text = '(b) maru run, from process start to the first request, going on with a long log'
    return judge([summarize(NEW, fresh), summarize(LONG, resumed)], { text, of: LONG, against: NEW, atMost: 1.5 })
  } finally {
    await model.close()
    await dispose()
  }
}

// As the engine writes it: a compaction in every hundred turns, outputs of ten thousand characters.
function longLog(): string {
  const lines: string[] = []
  const add = (fact: Fact) =>
    lines.push(JSON.stringify({ ...fact, seq: lines.length + 1, at: 1_700_000_000_000 + lines.length, v: 1 }))
  add({ type: 'session-start', ...start })
  for (let turn = 0; turn < TURNS; turn++) {
    const runId = `r${turn}`
    add({ ...input(`k${turn}`, `Task ${turn}: ${words(200)}`), by: person } as Fact)
    add({ type: 'run-start', runId, inputs: [lines.length] })
    add({ type: 'turn-start', turnId: `t${turn}`, runId, model: 'claude-test' })
    const args = { path: `src/file-${turn}.ts` }
    const usage = { input: 20_000 + (turn % 100) * 200, output: 40 }
    add({
      type: 'turn-end',
      turnId: `t${turn}`,
      stop: 'calls',
      usage,
      parts: [{ type: 'call', callId: `c${turn}`, tool: 'ReadFile', args }],
    })
    const end = lines.length
    add({ type: 'tool-start', callId: `c${turn}`, tool: 'ReadFile', args, effect: 'none' })
    add({
      type: 'tool-end',
      callId: `c${turn}`,
      outcome: 'ok',
      result: { ms: 1 },
      parts: [{ type: 'text', text: `ok\n${words(9_300)}` }],
    })
    add({ type: 'run-end', runId, reason: 'done', usage })
    if (turn % 100 === 80) {
      const summary = [{ type: 'text' as const, text: words(8_000) }]
      add({ type: 'context-compact', keepFromSeq: end, summary, tokens: { before: 92_000, after: 6_000 } })
    }
  }
  return `${lines.join('\n')}\n`
}
