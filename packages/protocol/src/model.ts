import * as z from 'zod/mini'
import { Json } from './json.ts'
import { Part } from './part.ts'
import type { ToolSpec } from './tool.ts'

const count = z.int().check(z.nonnegative())

/** Tokens of one request; `input` includes what the cache gave. */
export const Usage = z.object({
  input: count,
  output: count,
  cacheRead: z.exactOptional(count),
  cacheWrite: z.exactOptional(count),
  reasoning: z.exactOptional(count),
})
export type Usage = z.infer<typeof Usage>

/** Why a model stopped, whatever its vendor calls it. */
export const Stop = z.enum([
  'end',
  'calls',
  'length',
  'stop-sequence',
  'pause',
  'refusal',
  'filter',
  'context-full',
  'other',
])
export type Stop = z.infer<typeof Stop>

/** A request that did not end well. `code` is stable; `message` is for people. */
export const Failure = z.object({
  code: z.enum(['refused', 'rate-limit', 'overloaded', 'server', 'network', 'timeout', 'cut', 'protocol', 'aborted']),
  message: z.string(),
  status: z.exactOptional(z.int()),
  retryAfterMs: z.exactOptional(count),
})
export type Failure = z.infer<typeof Failure>

const call = { callId: z.string(), tool: z.string() }

/** What a provider says while a model answers: deltas, then exactly one `finish` or `failure`. */
export const ModelEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text-delta'), part: z.int(), text: z.string() }),
  z.object({ type: z.literal('reasoning-delta'), part: z.int(), text: z.string() }),
  z.object({ type: z.literal('call-start'), part: z.int(), ...call }),
  z.object({ type: z.literal('call-delta'), callId: z.string(), text: z.string() }),
  // Arguments are parsed only here, never from a fragment.
  z.object({ type: z.literal('call-ready'), ...call, args: Json }),
  z.object({ type: z.literal('trace'), name: z.string(), data: Json }),
  z.object({
    type: z.literal('finish'),
    stop: Stop,
    parts: z.array(Part),
    usage: z.exactOptional(Usage),
    metadata: z.exactOptional(Json),
  }),
  z.object({ type: z.literal('failure'), failure: Failure, parts: z.array(Part) }),
])
export type ModelEvent = z.infer<typeof ModelEvent>

export interface ModelMessage {
  role: 'user' | 'assistant'
  parts: Part[]
}

export interface ModelRequest {
  model: string
  system: string
  tools: ToolSpec[]
  messages: ModelMessage[]
  params: Record<string, Json>
}

/** A model vendor. The stream never throws: a failure is its last event. */
export interface ModelProvider {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}
