import type { Fields, Json } from './json.ts'

/** The vendor formats served: Anthropic Messages, OpenAI Responses, OpenAI-compatible chat completions. */
export type WireName = 'anthropic' | 'responses' | 'chat'

/** One thing the model says. Several `thinking` texts are the summary parts of one reasoning item. */
export type ReplyPart =
  | { readonly text: string }
  | { readonly thinking: string | readonly string[] }
  | { readonly redacted: string }
  | { readonly refusal: string }
  | { readonly call: string; readonly args: Json; readonly id?: string }
  // Arguments as the model wrote them, for JSON that is cut or broken.
  | { readonly call: string; readonly rawArgs: string; readonly id?: string }

/** Tokens of one request; `input` includes what the cache gave and took, `output` includes `reasoning`. */
export type Usage = {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
}

/** Why the model stops; `{ other }` puts a vendor word of your own on the wire. */
export type Stop =
  | 'end'
  | 'calls'
  | 'length'
  | 'stop-sequence'
  | 'pause'
  | 'refusal'
  | 'filter'
  | 'context-full'
  | { readonly other: string }

/** How bytes are grouped: batches, one write per event, one per byte, or this many bytes each. */
export type Chunking = 'none' | 'every-event' | 'every-byte' | number

/** What may be strewn between events; on the OpenAI wires a ping is a comment, since those vendors have no ping. */
export type Noise = 'ping' | 'comment' | 'unknown-event'

/** How a reply travels. Given for the whole script, or for one step, which then wins field by field. */
export type Delivery = {
  /** Characters per delta; 16 unless said. */
  readonly deltaSize?: number
  readonly firstDelayMs?: number
  readonly deltaDelayMs?: number
  readonly chunk?: Chunking
  readonly crlf?: boolean
  readonly noise?: readonly Noise[]
  /** Noise comes after each of this many deltas; 1 unless said. */
  readonly noiseEvery?: number
  /** Argument deltas of neighbouring calls take turns (Responses and chat; Anthropic has no such thing). */
  readonly interleaveCalls?: boolean
}

/** The response breaks at a byte: a clean early end, a FIN without an end, a RST, or silence. */
export type Fault = { readonly afterBytes: number; readonly kind: 'end' | 'close' | 'reset' | 'stall' }

/** The vendor reports an error inside the stream after some deltas; `failedOnly` leaves out Responses' `error` event. */
export type StreamFailure = {
  readonly afterDeltas: number
  readonly type?: string
  readonly message?: string
  readonly failedOnly?: boolean
}

/** What a request must hold for its step to be played; all fields given must hold. */
export type Expect = {
  /** Some text the model reads (system, message or tool result) contains this. */
  readonly text?: string
  /** No text the model reads contains this. */
  readonly lacks?: string
  /** The texts the model reads, joined by line feeds, match this regular expression. */
  readonly matches?: string
  /** Some tool result contains this. */
  readonly toolResult?: string
  /** At least one image is present, or none. */
  readonly image?: boolean
  /** A tool of this name is offered. */
  readonly tool?: string
  readonly model?: string
}

type Common = { readonly expect?: Expect }

/** The model answers. */
export type ReplyStep = Common & {
  readonly reply: readonly ReplyPart[]
  readonly usage?: Usage
  readonly stop?: Stop
  readonly delivery?: Delivery
  readonly failure?: StreamFailure
  readonly fault?: Fault
}

/** The vendor answers with an HTTP error; type and code follow the status unless given. */
export type ErrorStep = Common & {
  readonly error: {
    readonly status: number
    readonly message?: string
    readonly type?: string
    readonly code?: string
    /** The `retry-after` header: seconds, or a date. */
    readonly retryAfter?: number | string
    readonly retryAfterMs?: number
    readonly headers?: { readonly [name: string]: string }
  }
}

/** Bytes played as they are; with `close` only the end of the connection ends the body. */
export type RawStep = Common & {
  readonly raw: {
    readonly status: number
    readonly headers?: { readonly [name: string]: string }
    /** Bytes, or base64 of them. */
    readonly body: Uint8Array | string
    readonly chunk?: Chunking
    /** Pause between chunks. */
    readonly delayMs?: number
    readonly end?: 'close' | 'reset' | 'stall'
  }
}

export type Step = ReplyStep | ErrorStep | RawStep

/** A request as it was received, and what a model would read in it. */
export type ReceivedRequest = {
  /** Undefined for a path that belongs to no wire, such as the list of models. */
  readonly wire: WireName | undefined
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** Undefined when the body is not JSON. */
  readonly body: unknown
  readonly rawBody: Uint8Array
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly view: RequestView
}

/** What a model would read in a request, whatever the wire. */
export type RequestView = {
  readonly model: string
  readonly texts: readonly string[]
  readonly toolResults: readonly { readonly callId: string; readonly text: string; readonly isError: boolean }[]
  readonly images: number
  readonly tools: readonly string[]
}

/** Answers each request by itself; what it throws becomes a problem. */
export type ScriptFunction = (request: ReceivedRequest) => Step | Promise<Step>

/** Steps in the order of requests, or a function. */
export type Script = readonly Step[] | ScriptFunction

/** A vendor's refusal, before it takes the vendor's shape. */
export type VendorError = {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly param?: string
  readonly code?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Something a test should know: a refused or unexpected request, a script that ran out or threw. */
export type Problem = {
  readonly kind: 'refused' | 'unexpected' | 'used-up' | 'script-threw'
  readonly message: string
  readonly request: ReceivedRequest
}

/** A JSON request on its way through one wire. */
export type WireRequest = { readonly headers: { readonly [name: string]: string }; readonly body: Fields }
