import { createHash } from 'node:crypto'
import type { SessionDeps } from '@maru/agent'
import type { Json, ModelEvent, ModelProvider, Part, Recorded, SessionLog, Tool } from '@maru/protocol'
import { createLiveBus, type JsonlStore, openJsonlStore, uniqueHex } from '@maru/store'
import type { Random } from '../../bench/patches/random.ts'

export const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** One life of a process: its own store, until it ends well or is abandoned. */
export interface Life {
  readonly store: JsonlStore
  readonly deps: SessionDeps
  /** The log, and what it has acknowledged so far. */
  readonly log: SessionLog
  /** Nothing that it still wants to write is written any more, and what it held is free, as when a process dies. */
  abandon(): Promise<void>
}

export interface LifeOptions {
  readonly directory: string
  readonly random: Random
  /** Told of every fact that somebody was promised. */
  onAcknowledged(id: string, records: Recorded[]): void
}

/** The real engine on the real log; only the model's mind and what its tools do are made up. */
export function beginLife({ directory, random, onAcknowledged }: LifeOptions): Life {
  const store = openJsonlStore({ directory, now: Date.now })
  const log = listenTo(store.log, onAcknowledged)
  const tools = [createTool('Look', 'none', random), createTool('Do', 'once', random)]
  const deps: SessionDeps = {
    log,
    blobs: store.blobs,
    states: store.states,
    live: createLiveBus(),
    provider: createMind(random),
    tools: { list: () => tools, onChange: () => () => undefined },
    decide: async () => {
      const isAsked = random.chance(0.15)
      return { verdict: isAsked ? 'ask' : 'allow', rule: 'walk', reason: 'a walk' }
    },
    settings: {
      provider: 'walk',
      model: 'walk',
      system: 'You walk at random.',
      params: {},
      limits: { turns: 6 },
      isUnattended: false,
      isDryRun: false,
      forceFirstTool: false,
      // Small, so that old turns are taken out and condensed all the time.
      context: { limit: 3_000, canCompact: true, canPrune: true },
    },
    hash,
    now: () => performance.now(),
    newId: () => `${Date.now().toString(36)}${uniqueHex(8)}`,
  }
  return { store, deps, log, abandon: () => store.log.close() }
}

function listenTo(log: SessionLog, onAcknowledged: LifeOptions['onAcknowledged']): SessionLog {
  return {
    create: async (id, start) => {
      const record = await log.create(id, start)
      onAcknowledged(id, [record])
      return record
    },
    list: () => log.list(),
    lease: (id) => log.lease(id),
    admit: async (id, fact) => {
      const record = await log.admit(id, fact)
      onAcknowledged(id, [record])
      return record
    },
    append: async (id, holder, facts) => {
      const records = await log.append(id, holder, facts)
      onAcknowledged(id, records)
      return records
    },
    read: (id, after) => log.read(id, after),
    follow: (id, after, signal) => log.follow(id, after, signal),
    watch: (cursor, signal) => log.watch(cursor, signal),
    erase: (id, seq) => log.erase(id, seq),
    close: () => log.close(),
  }
}

/** Lets some turns of the event loop pass: a moment that nobody can foresee. */
export async function pause(random: Random, most: number): Promise<void> {
  for (let turns = random.below(most); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
}

function createMind(random: Random): ModelProvider {
  let calls = 0
  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const words = `${random.pick(WORDS)} `.repeat(1 + random.below(60)).trim()
      for (const word of words.split(' ').slice(0, random.below(8))) {
        await pause(random, 3)
        if (signal.aborted) return yield failure('aborted')
        yield { type: 'text-delta', part: 0, text: `${word} ` }
      }
      await pause(random, 12)
      if (signal.aborted) return yield failure('aborted')
      if (random.chance(0.04)) return yield failure(random.pick(['cut', 'overloaded', 'context-too-long']))
      const parts: Part[] = [{ type: 'text', text: words }]
      const canCall = request.tools.length > 0 && random.chance(0.55)
      for (let n = canCall ? 1 + random.below(3) : 0; n > 0; n--) {
        const args: Json = { n: ++calls, pad: 'x'.repeat(random.below(200)) }
        parts.push({ type: 'call', callId: `v${calls}`, tool: random.pick(['Look', 'Do', 'Do', 'Nothing']), args })
      }
      const usage = { input: Math.ceil(JSON.stringify(request).length / 4), output: Math.ceil(words.length / 4) }
      yield { type: 'finish', stop: parts.length > 1 ? 'calls' : 'end', parts, usage }
    },
  }
}

const WORDS = ['걷는다', 'walk', '쉬어', 'stone', '바람이', 'under', '강가에서']

function failure(code: 'aborted' | 'cut' | 'overloaded' | 'context-too-long'): ModelEvent {
  return {
    type: 'failure',
    failure: { code, message: `${code}, by chance` },
    parts: [{ type: 'text', text: 'half a' }],
  }
}

function createTool(name: string, effect: Tool['spec']['effect'], random: Random): Tool {
  const schema = { type: 'object' } as const
  return {
    spec: { name, description: name, schema, effect },
    prepare: async () => ({
      access: [effect === 'none' ? { kind: 'read', path: 'a', where: 'inside' } : { kind: 'process' }],
      basis: [],
      async run({ signal }) {
        await pause(random, 10)
        if (signal.aborted) return { ok: false, diagnostics: [{ code: 'interrupted', message: 'stopped' }] }
        // Now and then so much that it leaves the fact.
        return { ok: true, stdout: 'out '.repeat(random.chance(0.03) ? 6_000 : random.below(80)) }
      },
    }),
  }
}
