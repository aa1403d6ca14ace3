import { checkResponses, conversationOf } from './check-responses.ts'
import { takeTurns } from './fragments.ts'
import { type Fields, fieldsOf } from './json.ts'
import { viewResponses } from './request-view.ts'
import { type Item, itemsOf, type Say } from './response-items.ts'
import { finalState, responseObject } from './response-object.ts'
import type { Noise, StreamFailure } from './script.ts'
import type { SseEvent } from './sse.ts'
import { openaiErrorBody } from './vendor-error.ts'
import type { Exchange, OpenReply, Wire } from './wire.ts'

/** OpenAI Responses. */
export const responsesWire: Wire = {
  name: 'responses',
  path: '/v1/responses',
  requestIdHeader: 'x-request-id',
  check: checkResponses,
  view: viewResponses,
  open,
  errorBody: openaiErrorBody,
}

function open(exchange: Exchange): OpenReply {
  const id = exchange.ids.next('resp_')
  const items = itemsOf(exchange)
  const output = items.map((item) => item.done)
  remember(id, exchange, output)
  const final = finalState(exchange.reply.stop, output)
  const numbering = createNumbering(exchange.body)
  return {
    *events() {
      const response = responseObject(id, exchange, { status: 'in_progress' })
      yield numbering.event('response.created', { response })
      yield numbering.event('response.in_progress', { response })
      for (const run of runsOf(items, exchange.reply.interleaveCalls)) yield* runEvents(run, numbering)
      const last = responseObject(id, exchange, final)
      yield { ...numbering.event(`response.${final.status}`, { response: last }), isEnd: true }
    },
    whole: () => responseObject(id, exchange, final),
    noise: (kind) => noise(kind, numbering),
    *fail(failure) {
      numbering.takeBack()
      yield* failureEvents({ id, exchange, failure, numbering })
    },
  }
}

/** Numbers events as they are taken; the next number depends on what noise came between. */
type Numbering = {
  event(type: string, fields: Fields): { event: string; data: string }
  delta(type: string, at: Fields, delta: string): SseEvent
  /** The event just taken is not sent. */
  takeBack(): void
}

function createNumbering(body: Fields): Numbering {
  let next = 0
  let place: Fields | undefined
  let head = ''
  const hasPadding = fieldsOf(body['stream_options'])['include_obfuscation'] !== false
  return {
    event: (type, fields) => ({ event: type, data: JSON.stringify({ type, ...fields, sequence_number: next++ }) }),
    delta(type, at, delta) {
      // Deltas are many and their place is the same object: print it once.
      if (place !== at) head = JSON.stringify({ type, ...at }).slice(0, -1)
      place = at
      const padding = hasPadding ? `,"obfuscation":"${'x'.repeat((16 - (delta.length % 16)) % 16)}"` : ''
      const data = `${head},"delta":${JSON.stringify(delta)}${padding},"sequence_number":${next++}}`
      return { event: type, data, isDelta: true }
    },
    takeBack() {
      next -= 1
    },
  }
}

/** Items one by one, or neighbouring calls together so that they can take turns. */
function runsOf(items: readonly Item[], interleaveCalls: boolean): readonly (readonly Item[])[] {
  const runs: Item[][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (interleaveCalls && item.isCall && run?.[0]?.isCall === true) run.push(item)
    else runs.push([item])
  }
  return runs
}

function* runEvents(run: readonly Item[], numbering: Numbering): Generator<SseEvent> {
  for (const { index, added } of run) {
    yield numbering.event('response.output_item.added', { output_index: index, item: added })
  }
  for (const say of takeTurns(run.map((item) => item.deltas))) yield utter(say, numbering)
  for (const { index, last, done } of run) {
    for (const say of last) yield utter(say, numbering)
    yield numbering.event('response.output_item.done', { output_index: index, item: done })
  }
}

function utter(say: Say, numbering: Numbering): SseEvent {
  return 'delta' in say ? numbering.delta(say.type, say.at, say.delta) : numbering.event(say.type, say.fields)
}

function noise(kind: Noise, numbering: Numbering): SseEvent {
  return kind === 'unknown-event'
    ? numbering.event('response.future_event', { note: 'not known yet' })
    : { comment: 'keep-alive' }
}

type Failing = {
  readonly id: string
  readonly exchange: Exchange
  readonly failure: StreamFailure
  readonly numbering: Numbering
}

function* failureEvents({ id, exchange, failure, numbering }: Failing): Generator<SseEvent> {
  const { type: code = 'server_error', message = 'The model failed to generate a response' } = failure
  if (failure.failedOnly !== true) {
    yield numbering.event('error', { error: { type: code, code, message, param: null } })
  }
  const response = responseObject(id, exchange, { status: 'failed', error: { code, message } })
  yield numbering.event('response.failed', { response })
}

function remember(id: string, { body, ledger }: Exchange, output: readonly Fields[]): void {
  for (const [at, item] of output.entries()) {
    const before = output[at - 1]
    if (before?.['type'] !== 'reasoning') continue
    ledger.reasoningBefore.set(String(item['id']), String(before['id']))
    ledger.itemAfter.set(String(before['id']), item)
  }
  if (body['store'] === false) return
  for (const item of output) ledger.storedItems.set(String(item['id']), item)
  ledger.storedResponses.set(id, [...conversationOf(body, ledger), ...output])
}
