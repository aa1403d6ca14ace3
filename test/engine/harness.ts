import { createHash } from 'node:crypto'
import { type Decision, runSession, type SessionDeps, type Settings, verifySession } from '@maru/agent'
import type {
  DoorFact,
  EndReason,
  Json,
  Live,
  ModelEvent,
  ModelProvider,
  ModelRequest,
  Part,
  Recorded,
  Tool,
  ToolResult,
} from '@maru/protocol'
import { createLiveBus, createMemoryBlobs, createMemoryLog } from '@maru/store'
import { collect, input, start } from '@maru/testkit'

/** What the model says in one turn: parts and how it ends, or a function of the request. */
export type Reply =
  | ModelEvent[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent> | ModelEvent[])

export const say = (text: string): ModelEvent[] => [
  { type: 'text-delta', part: 0, text },
  { type: 'finish', stop: 'end', parts: [{ type: 'text', text }], usage: { input: 10, output: 5 } },
]

export const call = (...calls: [tool: string, args: Json][]): ModelEvent[] => {
  const parts = calls.map(([tool, args], n): Part => ({ type: 'call', callId: `v${n}`, tool, args }))
  return [{ type: 'finish', stop: 'calls', parts, usage: { input: 10, output: 5 } }]
}

/** A tool that does what the test says. */
export function tool(
  name: string,
  run: (args: Json, signal: AbortSignal) => Promise<ToolResult> | ToolResult,
  {
    effect = 'once',
    schema = { type: 'object' },
  }: { effect?: Tool['spec']['effect']; schema?: Tool['spec']['schema'] } = {},
): Tool {
  return {
    spec: { name, description: name, schema, effect },
    prepare: async (args) => ({
      access: [effect === 'none' ? { kind: 'read', path: 'a', where: 'inside' } : { kind: 'process' }],
      basis: [],
      run: async ({ signal }) => run(args, signal),
    }),
  }
}

export interface EngineOptions {
  replies: Reply[]
  tools?: Tool[]
  decide?(...call: Parameters<SessionDeps['decide']>): Decision
  settings?: Partial<Settings>
  now?: () => number
}

const made: SessionDeps[] = []

/** Verifies the logs of all engines made since the last time. */
export async function expectVerified(): Promise<void> {
  for (const { log, blobs, hash } of made.splice(0)) {
    const found = await verifySession(log.read('s'), { id: 's', blobs, hash })
    if ('message' in found) throw new Error(`fact ${found.seq}: ${found.message}`)
  }
}

/** A session in memory with a model that says what it is told to. */
export async function createEngine({ replies, tools = [], decide, settings = {}, now = () => 0 }: EngineOptions) {
  const blobs = createMemoryBlobs()
  const log = createMemoryLog({ now: () => 1_700_000_000_000, blobs })
  const live = createLiveBus()
  const requests: ModelRequest[] = []
  const shown: Live[] = []
  live.subscribe('s', (event) => shown.push(event))
  let ids = 0
  let inputs = 0
  const provider: ModelProvider = {
    async *stream(request, signal) {
      requests.push(structuredClone(request))
      const reply = replies.shift()
      if (!reply) throw new Error('the model has nothing more to say')
      yield* typeof reply === 'function' ? reply(request, signal) : reply
    },
  }
  const allow: Decision = { verdict: 'allow', rule: 'test', reason: 'a test' }
  const deps: SessionDeps = {
    log,
    blobs,
    live,
    provider,
    tools: { list: () => tools, onChange: () => () => undefined },
    decide: async (call) => (decide ? decide(call) : allow),
    settings: {
      provider: 'test',
      model: 'test-model',
      system: 'You are a test.',
      params: {},
      limits: { turns: 20 },
      isUnattended: false,
      isDryRun: false,
      forceFirstTool: false,
      ...settings,
    },
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    now,
    newId: () => `id${++ids}`,
  }
  made.push(deps)
  await log.create('s', start)
  const stop = new AbortController()
  return {
    deps,
    replies,
    log,
    live,
    requests,
    shown,
    stop,
    admit: (fact: DoorFact) => log.admit('s', fact),
    run: (): Promise<EndReason> => runSession(deps, 's', stop.signal),
    async ask(text: string): Promise<EndReason> {
      await log.admit('s', input(`input ${++inputs}`, text))
      return runSession(deps, 's', stop.signal)
    },
    facts: (): Promise<Recorded[]> => collect(log.read('s')),
    kinds: async () => (await collect(log.read('s'))).map(({ type }) => type),
  }
}
