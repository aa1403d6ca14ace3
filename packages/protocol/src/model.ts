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

/**
 * What a provider says while a model answers: deltas, then exactly one `finish` or `failure`. A `callId` here is the
 * vendor's own; the loop gives each call one of ours. `retry` comes before anything else was said: nothing is repeated.
 */
export const ModelEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text-delta'), part: z.int(), text: z.string() }),
  z.object({ type: z.literal('reasoning-delta'), part: z.int(), text: z.string() }),
  z.object({ type: z.literal('call-start'), part: z.int(), ...call }),
  z.object({ type: z.literal('call-delta'), callId: z.string(), text: z.string() }),
  // Arguments are parsed only here, never from a fragment.
  z.object({ type: z.literal('call-ready'), ...call, args: Json }),
  z.object({ type: z.literal('retry'), failure: Failure, attempt: z.int(), waitMs: count }),
  // Unknown or for debugging: it never ends a run.
  z.object({ type: z.literal('trace'), name: z.string(), data: Json }),
  z.object({
    type: z.literal('finish'),
    stop: Stop,
    parts: z.array(Part),
    usage: z.exactOptional(Usage),
    metadata: z.exactOptional(Json),
  }),
  // `parts` is what had arrived whole: text as far as it came, no call that was not ready.
  z.object({ type: z.literal('failure'), failure: Failure, parts: z.array(Part) }),
])
export type ModelEvent = z.infer<typeof ModelEvent>

/** Pixels as the vendors take them. */
export interface ModelImage {
  mediaType: string
  /** Base64. */
  data: string
}

/** A part as a model is given it: content in place of blobs, and nothing a vendor would not know. */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; callId: string; vendorId?: string; tool: string; args: Json }
  | { type: 'result'; callId: string; ok: boolean; text: string; images?: ModelImage[] }
  | ({ type: 'image' } & ModelImage)
  | { type: 'opaque'; vendor: string; data: Json }

export interface ModelMessage {
  role: 'user' | 'assistant'
  parts: ModelPart[]
}

export interface ModelParams {
  maxOutput?: number
  effort?: string
  /** The model must call some tool. */
  forceTool?: boolean
  /** The answer must be JSON of this schema. */
  outputSchema?: { [key: string]: Json }
}

/** A request in nobody's wire format. Equal requests are equal bytes, so that vendors' caches hold. */
export interface ModelRequest {
  model: string
  system: string
  tools: ToolSpec[]
  messages: ModelMessage[]
  params: ModelParams
}

/** A model vendor. The stream never throws: a failure is its last event. */
export interface ModelProvider {
  /** `onRaw` is given the vendor's events as they came, one or several at a time, for the raw side of the log. */
  stream(request: ModelRequest, signal: AbortSignal, onRaw?: (events: string) => void): AsyncIterable<ModelEvent>
}
