import { checkAnthropic } from './check-anthropic.ts'
import { cutJson, cutText } from './fragments.ts'
import { type Fields, fieldsOf, isFields } from './json.ts'
import { type Block, parseArgs } from './reply.ts'
import { viewAnthropic } from './request-view.ts'
import type { Noise, Stop, StreamFailure } from './script.ts'
import { seal } from './seal.ts'
import type { SseEvent } from './sse.ts'
import { anthropicErrorBody, anthropicErrorType } from './vendor-error.ts'
import type { Exchange, OpenReply, Wire } from './wire.ts'

/** Anthropic Messages. */
export const anthropicWire: Wire = {
  name: 'anthropic',
  path: '/v1/messages',
  requestIdHeader: 'request-id',
  check: checkAnthropic,
  view: viewAnthropic,
  open,
  errorBody: anthropicErrorBody,
}

/** A content block: as a whole, as it starts, and its deltas as JSON. */
type Piece = { readonly whole: Fields; readonly start: Fields; readonly deltas: Iterable<string> }

function open(exchange: Exchange): OpenReply {
  const { reply, body } = exchange
  const message = { id: exchange.ids.next('msg_'), type: 'message', role: 'assistant', model: body['model'] }
  const pieces = reply.blocks.flatMap((block) => toPiece(block, exchange))
  rememberThinking(exchange, pieces)
  const ending = endingOf(exchange)
  return {
    *events() {
      const nothing = { stop_reason: null, stop_sequence: null, stop_details: null }
      yield named({
        type: 'message_start',
        message: { ...message, content: [], ...nothing, usage: startUsage(exchange) },
      })
      if (pieces.length === 0) yield ping
      for (const [index, piece] of pieces.entries()) yield* blockEvents(piece, index)
      yield { ...named({ type: 'message_delta', delta: ending, usage: endUsage(exchange) }), isEnd: true }
      yield named({ type: 'message_stop' })
    },
    whole() {
      const usage = { ...startUsage(exchange), ...endUsage(exchange) }
      return { ...message, content: pieces.map((piece) => piece.whole), ...ending, usage }
    },
    noise,
    *fail(failure) {
      yield named({ type: 'error', error: failureOf(failure) })
    },
  }
}

function* blockEvents(piece: Piece, index: number): Generator<SseEvent> {
  yield named({ type: 'content_block_start', index, content_block: piece.start })
  // The vendor sends its first ping here; a client that counts on the next event being a delta is wrong.
  if (index === 0) yield ping
  const head = `{"type":"content_block_delta","index":${index},"delta":`
  for (const delta of piece.deltas) yield { event: 'content_block_delta', data: `${head}${delta}}`, isDelta: true }
  yield named({ type: 'content_block_stop', index })
}

function named(data: Fields & { readonly type: string }): { event: string; data: string } {
  return { event: data.type, data: JSON.stringify(data) }
}

const ping: SseEvent = { event: 'ping', data: '{"type":"ping"}' }

function noise(kind: Noise): SseEvent {
  if (kind === 'ping') return ping
  return kind === 'comment' ? { comment: 'keep-alive' } : named({ type: 'future_event', note: 'not known yet' })
}

function failureOf({ type, message }: StreamFailure): Fields {
  return { type: type ?? anthropicErrorType(529), message: message ?? 'Overloaded' }
}

function toPiece(block: Block, exchange: Exchange): Piece[] {
  const { deltaSize } = exchange.reply
  switch (block.kind) {
    case 'text': {
      const deltas = fieldDeltas('text_delta', 'text', cutText(block.text, deltaSize))
      return [{ whole: { type: 'text', text: block.text }, start: { type: 'text', text: '' }, deltas }]
    }
    case 'thinking':
      return isThinkingOff(exchange) ? [] : [thinkingPiece(block.texts.join('\n\n'), exchange)]
    case 'redacted': {
      if (isThinkingOff(exchange)) return []
      const whole = { type: 'redacted_thinking', data: seal('redacted', exchange.ids.next('rt_'), block.text) }
      return [{ whole, start: whole, deltas: [] }]
    }
    case 'call': {
      const start = { type: 'tool_use', id: block.id ?? exchange.ids.next('toolu_'), name: block.name, input: {} }
      return [{ whole: { ...start, input: inputOf(block.json) }, start, deltas: inputDeltas(block.json, deltaSize) }]
    }
    // A refusal is told in the ending, not in the content.
    case 'refusal':
      return []
    default:
      return block satisfies never
  }
}

function isThinkingOff({ body }: Exchange): boolean {
  return fieldsOf(body['thinking'])['type'] === 'disabled'
}

function thinkingPiece(text: string, { body, ids, reply }: Exchange): Piece {
  // With `display: omitted` the text stays with the vendor; only its signature travels.
  const shown = fieldsOf(body['thinking'])['display'] === 'omitted' ? '' : text
  const signature = seal('signature', ids.next('sig_'), shown)
  function* deltas(): Generator<string> {
    yield* fieldDeltas('thinking_delta', 'thinking', cutText(shown, reply.deltaSize))
    yield JSON.stringify({ type: 'signature_delta', signature })
  }
  const start = { type: 'thinking', thinking: '', signature: '' }
  return { whole: { type: 'thinking', thinking: shown, signature }, start, deltas: deltas() }
}

function inputOf(json: string): Fields {
  const args = parseArgs(json)
  return isFields(args) ? args : {}
}

/** The first fragment is always empty, and the only one when there are no arguments. */
function* inputDeltas(json: string, size: number): Generator<string> {
  yield '{"type":"input_json_delta","partial_json":""}'
  if (json !== '{}') yield* fieldDeltas('input_json_delta', 'partial_json', cutJson(json, size))
}

function* fieldDeltas(type: string, field: string, texts: Iterable<string>): Generator<string> {
  const head = `{"type":"${type}","${field}":`
  for (const text of texts) yield `${head}${JSON.stringify(text)}}`
}

function rememberThinking({ ledger }: Exchange, pieces: readonly Piece[]): void {
  const thinking: Fields[] = []
  for (const { whole } of pieces) {
    if (whole['type'] === 'thinking' || whole['type'] === 'redacted_thinking') thinking.push(whole)
    if (whole['type'] === 'tool_use') ledger.thinkingBefore.set(String(whole['id']), [...thinking])
  }
}

const stopReasons = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  'stop-sequence': 'stop_sequence',
  pause: 'pause_turn',
  refusal: 'refusal',
  filter: 'refusal',
  'context-full': 'model_context_window_exceeded',
} satisfies Record<Stop & string, string>

function endingOf({ reply, body }: Exchange): Fields {
  const reason = typeof reply.stop === 'object' ? reply.stop.other : stopReasons[reply.stop]
  const sequences = body['stop_sequences']
  const sequence = reason === 'stop_sequence' && Array.isArray(sequences) ? (sequences[0] ?? null) : null
  return {
    stop_reason: reason,
    stop_sequence: sequence,
    stop_details: reason === 'refusal' ? refusalOf(reply.blocks) : null,
  }
}

function refusalOf(blocks: readonly Block[]): Fields {
  const texts = blocks.flatMap((block) => (block.kind === 'refusal' ? [block.text] : []))
  return { type: 'refusal', category: null, explanation: texts.length === 0 ? null : texts.join('\n') }
}

/** Anthropic counts cached input apart; the first count of output is only a beginning. */
function startUsage({ reply: { usage } }: Exchange): Fields {
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: Math.min(1, usage.output),
    service_tier: 'standard',
    inference_geo: 'not_available',
  }
}

function endUsage({ reply: { usage } }: Exchange): Fields {
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
    ...(usage.reasoning === 0 ? {} : { output_tokens_details: { thinking_tokens: usage.reasoning } }),
  }
}
