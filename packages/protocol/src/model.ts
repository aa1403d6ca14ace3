import { Json } from './json.ts'
import { Part } from './part.ts'
import * as s from './shape.ts'
import type { ToolSpec } from './tool.ts'

const count = s.int(0)

/** Tokens of one request; `input` includes what the cache gave. */
export const Usage = s.object({
  input: count,
  output: count,
  cacheRead: s.optional(count),
  cacheWrite: s.optional(count),
  reasoning: s.optional(count),
})
export type Usage = s.Infer<typeof Usage>

/** Why a model stopped, whatever its vendor calls it. */
export const Stop = s.oneOf([
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
export type Stop = s.Infer<typeof Stop>

/** A request that did not end well. `code` is stable; `message` is for people. */
export const Failure = s.object({
  code: s.oneOf([
    'refused',
    // The vendor judged the conversation too long for the model: less of it may pass.
    'context-too-long',
    'rate-limit',
    'overloaded',
    'server',
    'network',
    'timeout',
    'cut',
    'protocol',
    'aborted',
  ]),
  message: s.string(),
  status: s.optional(s.int()),
  retryAfterMs: s.optional(count),
})
export type Failure = s.Infer<typeof Failure>

const call = { callId: s.string(), tool: s.string() }

/**
 * What a provider says while a model answers: deltas, then exactly one `finish` or `failure`. A `callId` here is the
 * vendor's own; the loop gives each call one of ours. `retry` comes before anything else was said: nothing is repeated.
 */
export const ModelEvent = s.union('type', [
  s.object({ type: s.literal('text-delta'), part: s.int(), text: s.string() }),
  s.object({ type: s.literal('reasoning-delta'), part: s.int(), text: s.string() }),
  s.object({ type: s.literal('call-start'), part: s.int(), ...call }),
  s.object({ type: s.literal('call-delta'), callId: s.string(), text: s.string() }),
  // Arguments are parsed only here, never from a fragment.
  s.object({ type: s.literal('call-ready'), ...call, args: Json }),
  s.object({ type: s.literal('retry'), failure: Failure, attempt: s.int(), waitMs: count }),
  // Unknown or for debugging: it never ends a run.
  s.object({ type: s.literal('trace'), name: s.string(), data: Json }),
  s.object({
    type: s.literal('finish'),
    stop: Stop,
    parts: s.array(Part),
    usage: s.optional(Usage),
    metadata: s.optional(Json),
  }),
  // `parts` is what had arrived whole: text as far as it came, no call that was not ready.
  s.object({ type: s.literal('failure'), failure: Failure, parts: s.array(Part) }),
])
export type ModelEvent = s.Infer<typeof ModelEvent>

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
