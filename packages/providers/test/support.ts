import type { ModelEvent, ModelMessage, ModelPart, ModelProvider, ModelRequest, Part, ToolSpec } from '@maru/protocol'
import { type ScriptedModelOptions, startScriptedModel } from '@maru/scripted-model'
import { onTestFinished } from 'vitest'
import { createProvider, type ProviderOptions, type Timers, type VendorName } from '../src/index.ts'

export const VENDORS: readonly VendorName[] = ['anthropic', 'openai', 'openai-chat']

export const readFile: ToolSpec = {
  name: 'ReadFile',
  description: 'Reads a file.',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  effect: 'none',
}

/** A request with one line of a person in it, and what the test says otherwise. */
export function ask(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'test-model',
    system: 'You are a test.',
    tools: [readFile],
    messages: [user('hello')],
    params: {},
    ...over,
  }
}

export function user(...said: (string | ModelPart)[]): ModelMessage {
  return { role: 'user', parts: said.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)) }
}

/** An answer as the loop would keep it: the vendor's ids beside our own. */
export function assistant(parts: readonly Part[], ids: { next: number } = { next: 1 }): ModelMessage {
  return {
    role: 'assistant',
    parts: parts.flatMap((part): ModelPart[] => {
      if (part.type === 'call') return [{ ...part, callId: `c${ids.next++}`, vendorId: part.callId }]
      return part.type === 'text' || part.type === 'reasoning' || part.type === 'opaque' ? [part] : []
    }),
  }
}

/** Time that passes only when told, and no chance at all. */
export interface FakeTimers extends Timers {
  /** The waits asked for and not yet over or given up. */
  readonly waits: readonly number[]
  advance(ms: number): void
}

export function fakeTimers(start = Date.UTC(2026, 10, 16)): FakeTimers {
  let now = start
  const waiting = new Set<{ at: number; ms: number; callback: () => void }>()
  return {
    now: () => now,
    random: () => 0,
    after(ms, callback) {
      const timer = { at: now + ms, ms, callback }
      waiting.add(timer)
      return () => waiting.delete(timer)
    },
    get waits() {
      return [...waiting].map((timer) => timer.ms)
    },
    advance(ms) {
      now += ms
      for (const timer of [...waiting]) {
        if (timer.at > now) continue
        waiting.delete(timer)
        timer.callback()
      }
    },
  }
}

export const KEY = 'sk-test-0123456789'

/** A scripted model that ends with the test, and providers for it. */
export async function serve(options: ScriptedModelOptions) {
  const model = await startScriptedModel(options)
  onTestFinished(() => model.close())
  const provider = (vendor: VendorName, over: Partial<ProviderOptions> = {}) =>
    createProvider({ vendor, key: KEY, baseUrl: model.url, ...over })
  return { model, provider }
}

/** All events of a request. */
export async function run(
  provider: ModelProvider,
  request: ModelRequest = ask(),
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, signal)) events.push(event)
  return events
}

export function last(events: readonly ModelEvent[]): ModelEvent {
  const event = events.at(-1)
  if (event === undefined) throw new Error('nothing was said')
  return event
}

export function finishOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'finish' }> {
  const event = last(events)
  if (event.type !== 'finish') throw new Error(`not finished: ${JSON.stringify(event)}`)
  return event
}

export function failureOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'failure' }> {
  const event = last(events)
  if (event.type !== 'failure') throw new Error(`not failed: ${JSON.stringify(event)}`)
  return event
}

export function textOfEvents(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
}

/** All events of a request, each wait between tries being over as soon as it has begun. */
export async function runHastily(
  provider: ModelProvider,
  timers: FakeTimers,
  request: ModelRequest = ask(),
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, new AbortController().signal)) {
    events.push(event)
    if (event.type === 'retry') setImmediate(() => timers.advance(event.waitMs))
  }
  return events
}

/** Lets the event loop turn until something holds; a test that waits for nothing is ended by its limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

export function retriesOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'retry' }>[] {
  return events.filter((event) => event.type === 'retry')
}
