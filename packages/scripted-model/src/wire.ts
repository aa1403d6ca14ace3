import type { Ids } from './ids.ts'
import type { Fields } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { Reply } from './reply.ts'
import type { Noise, RequestView, StreamFailure, VendorError, WireName, WireRequest } from './script.ts'
import type { SseEvent } from './sse.ts'

/** One vendor format: how a request is read and checked, and how a reply, or an error, looks. */
export type Wire = {
  readonly name: WireName
  readonly path: string
  readonly requestIdHeader: string
  /** What the vendor would refuse, worst first; only the first is ever asked for. */
  check(request: WireRequest, ledger: Ledger): Iterable<VendorError>
  view(body: Fields): RequestView
  open(exchange: Exchange): OpenReply
  errorBody(error: VendorError, requestId: string): Fields
}

/** A checked request and what the script answers. */
export type Exchange = {
  readonly body: Fields
  readonly reply: Reply
  readonly ids: Ids
  /** Unix seconds, wherever the vendor puts a time. */
  readonly createdAt: number
  readonly ledger: Ledger
}

/** A reply with its ids given, to be sent as events or as one body. */
export type OpenReply = {
  events(): Iterable<SseEvent>
  whole(): Fields
  noise(kind: Noise): SseEvent
  /** The events that take the place of the one just taken from `events`, and of all after it. */
  fail(failure: StreamFailure): Iterable<SseEvent>
}
