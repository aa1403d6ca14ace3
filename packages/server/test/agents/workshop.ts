import { createHash } from 'node:crypto'
import type { Decision, SessionDeps } from '@maru/agent'
import type { Json, ModelEvent, ModelProvider, ModelRequest, Part, Tool, ToolResult } from '@maru/protocol'
import { uniqueHex } from '@maru/store'
import type { AgentWish, Workshop } from '../../src/ports.ts'

/** What the model says in one turn. */
export type Reply = ModelEvent[] | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>)

export const say = (text: string): ModelEvent[] => [
  { type: 'text-delta', part: 0, text },
  { type: 'finish', stop: 'end', parts: [{ type: 'text', text }], usage: { input: 1, output: 1 } },
]

export const call = (tool: string, args: Json = {}): ModelEvent[] => {
  const part: Part = { type: 'call', callId: 'v', tool, args }
  return [{ type: 'finish', stop: 'calls', parts: [part], usage: { input: 1, output: 1 } }]
}

/** A tool with an effect, in memory. */
export function tool(name: string, run: () => Promise<ToolResult> | ToolResult): Tool {
  return {
    spec: { name, description: name, schema: { type: 'object' }, effect: 'once' },
    prepare: async () => ({ access: [{ kind: 'process' }], basis: [], run: async () => run() }),
  }
}

export interface TestWorkshop extends Workshop {
  /** What each session's model says next. */
  replies: Map<string, Reply[]>
  opened: AgentWish[]
  closed: string[]
  facts: string[]
}

/** Agents of the real engine whose model says what it is told to. */
export function createTestWorkshop({
  tools = [],
  verdict = 'allow',
  script = () => [],
}: {
  tools?: Tool[]
  verdict?: Decision['verdict']
  script?(wish: AgentWish): Reply[]
} = {}): TestWorkshop {
  const replies = new Map<string, Reply[]>()
  const opened: AgentWish[] = []
  const closed: string[] = []
  const facts: string[] = []
  const unused = () => Promise.reject(new Error('not part of this test'))
  return {
    replies,
    opened,
    closed,
    facts,
    async openAgent(wish) {
      opened.push(wish)
      if (wish.model === 'no such model') throw new Error('there is no model "no such model"')
      if (!replies.has(wish.id)) replies.set(wish.id, script(wish))
      const provider: ModelProvider = {
        async *stream(request, signal) {
          const reply = replies.get(wish.id)?.shift()
          if (!reply) throw new Error('the model has nothing more to say')
          yield* typeof reply === 'function' ? reply(request, signal) : reply
        },
      }
      const deps: SessionDeps = {
        log: wish.log,
        blobs: wish.blobs,
        live: wish.live,
        provider,
        tools: { list: () => tools, onChange: () => () => undefined },
        decide: async () => ({ verdict, rule: 'test', reason: 'a test' }),
        settings: {
          provider: 'test',
          model: wish.model ?? 'test-model',
          system: 'You are a test.',
          params: {},
          limits: { turns: 20 },
          isUnattended: false,
          isDryRun: false,
          forceFirstTool: false,
        },
        hash: (text) => createHash('sha256').update(text).digest('hex'),
        now: () => performance.now(),
        newId: () => uniqueHex(16),
      }
      return {
        deps,
        fact: (record) => facts.push(`${wish.id} ${record.seq}`),
        close: async () => {
          closed.push(wish.id)
        },
      }
    },
    diff: unused,
    undo: unused,
    importUpload: unused,
    exportConversation: () => {
      throw new Error('not part of this test')
    },
  }
}
