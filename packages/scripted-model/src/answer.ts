import type { ServerResponse } from 'node:http'
import { chunkBytes, chunkFrames, cutChunks } from './chunks.ts'
import type { Performance } from './player.ts'
import { prepareReply } from './reply.ts'
import type { Delivery, RawStep, ReplyStep, VendorError } from './script.ts'
import { streamFrames } from './stream.ts'
import type { Exchange, Wire } from './wire.ts'

/** The head of a response, and the body to play. */
export type Answer = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** Only the end of the connection ends the body, so that what is cut off is not framed as whole. */
  readonly isUnframed?: boolean
  readonly body: Performance
}

export function errorAnswer(wire: Wire, error: VendorError, requestId: string): Answer {
  const headers = { 'content-type': 'application/json', [wire.requestIdHeader]: requestId, ...error.headers }
  return { status: error.status, headers, body: wholeBody(jsonBytes(wire.errorBody(error, requestId))) }
}

export function jsonAnswer(value: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: wholeBody(jsonBytes(value)) }
}

export function rawAnswer({ raw }: RawStep): Answer {
  const bytes = typeof raw.body === 'string' ? Buffer.from(raw.body, 'base64') : Buffer.from(raw.body)
  const chunk = raw.chunk ?? 'none'
  const chunks = chunkBytes(bytes, chunk, raw.delayMs ?? 0)
  const end = raw.end === undefined || raw.end === 'close' ? 'end' : raw.end
  return {
    status: raw.status,
    headers: raw.headers ?? {},
    // Some clients take a reset for the end of a body that nothing else would end; a chunked one tells them.
    isUnframed: end === 'end',
    body: { chunks, end, isSeparate: chunk !== 'none', firstDelayMs: 0 },
  }
}

/** Everything a reply needs besides its step. */
export type ReplySetting = Omit<Exchange, 'reply'> & {
  readonly wire: Wire
  readonly delivery: Delivery
  readonly requestBytes: number
  readonly requestId: string
}

export function replyAnswer(step: ReplyStep, setting: ReplySetting): Answer {
  const { wire, requestId, body } = setting
  const delivery = { ...setting.delivery, ...step.delivery }
  const reply = prepareReply(step, delivery, setting.requestBytes)
  const { failure } = reply
  if (body['stream'] !== true && failure !== undefined) {
    const { type, message = 'The server had an error' } = failure
    return errorAnswer(wire, { status: 500, message, ...(type === undefined ? {} : { type }) }, requestId)
  }
  const open = wire.open({ ...setting, reply })
  const { chunk = 'none', deltaDelayMs = 0, firstDelayMs = 0 } = delivery
  const isStream = body['stream'] === true
  const chunks = isStream
    ? chunkFrames(streamFrames(open, reply, delivery), chunk, deltaDelayMs)
    : chunkBytes(jsonBytes(open.whole()), chunk, 0)
  const type = isStream ? 'text/event-stream; charset=utf-8' : 'application/json'
  return {
    status: 200,
    headers: {
      'content-type': type,
      [wire.requestIdHeader]: requestId,
      ...(isStream ? { 'cache-control': 'no-cache' } : {}),
    },
    body: {
      chunks: step.fault === undefined ? chunks : cutChunks(chunks, step.fault.afterBytes),
      end: step.fault?.kind ?? 'end',
      isSeparate: chunk !== 'none',
      firstDelayMs,
    },
  }
}

function wholeBody(bytes: Buffer): Performance {
  return { chunks: chunkBytes(bytes, 'none', 0), end: 'end', isSeparate: false, firstDelayMs: 0 }
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Writes the head. The same script gives the same bytes: no date. */
export function writeHead(response: ServerResponse, answer: Answer): void {
  response.sendDate = false
  if (answer.isUnframed === true) {
    response.useChunkedEncodingByDefault = false
    response.shouldKeepAlive = false
  }
  response.writeHead(answer.status, answer.headers)
}
