import { checkChat } from './check-chat.ts'
import { cutJson, cutText, takeTurns } from './fragments.ts'
import { type Fields, fieldsOf } from './json.ts'
import type { Block, CallBlock } from './reply.ts'
import { viewChat } from './request-view.ts'
import type { Noise, Stop } from './script.ts'
import type { SseEvent } from './sse.ts'
import { openaiErrorBody } from './vendor-error.ts'
import type { Exchange, OpenReply, Wire } from './wire.ts'

/** OpenAI-compatible chat completions; thinking goes out as `reasoning_content`, redacted thinking not at all. */
export const chatWire: Wire = {
  name: 'chat',
  path: '/v1/chat/completions',
  requestIdHeader: 'x-request-id',
  check: checkChat,
  view: viewChat,
  open,
  errorBody: openaiErrorBody,
}

type Call = CallBlock & { readonly id: string; readonly index: number }

function open(exchange: Exchange): OpenReply {
  const { body, reply, createdAt } = exchange
  const { blocks, calls } = numberCalls(exchange)
  const same = { id: exchange.ids.next('chatcmpl-'), created: createdAt, model: body['model'], service_tier: 'default' }
  const hasUsage = fieldsOf(body['stream_options'])['include_usage'] === true
  const finish = typeof reply.stop === 'object' ? reply.stop.other : finishReasons[reply.stop]

  const chunk = (rest: Fields) => JSON.stringify({ ...same, object: 'chat.completion.chunk', ...rest })
  // Deltas are many: all but the delta itself is printed once.
  const head = `${chunk({}).slice(0, -1)},"choices":[{"index":0,"delta":`
  const tail = hasUsage ? '}],"usage":null}' : '}]}'
  const choice = (delta: string, reason: string | null) =>
    `${head}${delta},"logprobs":null,"finish_reason":${JSON.stringify(reason)}${tail}`

  return {
    *events() {
      const content = blocks.some((block) => block.kind === 'text') ? '' : null
      yield { data: choice(JSON.stringify({ role: 'assistant', content, refusal: null }), null) }
      for (const delta of deltasOf(blocks, exchange)) yield { data: choice(delta, null), isDelta: true }
      yield { data: choice('{}', finish), isEnd: true }
      if (hasUsage) yield { data: chunk({ choices: [], usage: usageOf(exchange) }) }
      yield { data: '[DONE]' }
    },
    whole() {
      const message = messageOf(blocks, calls)
      const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }]
      return { ...same, object: 'chat.completion', choices, usage: usageOf(exchange) }
    },
    noise: (kind) => noise(kind, chunk),
    *fail({ type = 'server_error', message = 'The server had an error while processing the request' }) {
      yield { data: JSON.stringify({ error: { message, type, param: null, code: null } }) }
    },
  }
}

function noise(kind: Noise, chunk: (rest: Fields) => string): SseEvent {
  if (kind !== 'unknown-event') return { comment: 'keep-alive' }
  return { event: 'future', data: chunk({ object: 'chat.completion.future', choices: [], note: 'not known yet' }) }
}

/** Gives each call its id and its place among the calls. */
function numberCalls({ reply, ids }: Exchange): { blocks: readonly (Block | Call)[]; calls: readonly Call[] } {
  const calls: Call[] = []
  const blocks = reply.blocks.map((block) => {
    if (block.kind !== 'call') return block
    const call = { ...block, id: block.id ?? ids.next('call_'), index: calls.length }
    calls.push(call)
    return call
  })
  return { blocks, calls }
}

function* deltasOf(blocks: readonly (Block | Call)[], { reply }: Exchange): Generator<string> {
  for (let at = 0; at < blocks.length; at += 1) {
    const run = reply.interleaveCalls ? callsFrom(blocks, at) : callsFrom(blocks, at).slice(0, 1)
    const block = blocks[at]
    if (run.length > 0) {
      yield* takeTurns(run.map((call) => callDeltas(call, reply.deltaSize)))
      at += run.length - 1
    } else if (block !== undefined) yield* blockDeltas(block, reply.deltaSize)
  }
}

function callsFrom(blocks: readonly (Block | Call)[], at: number): Call[] {
  const calls: Call[] = []
  for (const block of blocks.slice(at)) {
    if (!('index' in block)) break
    calls.push(block)
  }
  return calls
}

function* callDeltas({ index, id, name, json }: Call, size: number): Generator<string> {
  yield JSON.stringify({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
  for (const part of cutJson(json, size)) {
    yield `{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(part)}}}]}`
  }
}

function* blockDeltas(block: Block, size: number): Generator<string> {
  if (block.kind === 'call' || block.kind === 'redacted') return
  const text = block.kind === 'thinking' ? block.texts.join('\n\n') : block.text
  const field = { text: 'content', refusal: 'refusal', thinking: 'reasoning_content' }[block.kind]
  for (const part of cutText(text, size)) yield `{"${field}":${JSON.stringify(part)}}`
}

function messageOf(blocks: readonly Block[], calls: readonly Call[]): Fields {
  const join = (kind: 'text' | 'refusal') =>
    blocks.some((block) => block.kind === kind)
      ? blocks.map((block) => (block.kind === kind ? block.text : '')).join('')
      : null
  const thinking = blocks.flatMap((block) => (block.kind === 'thinking' ? [block.texts.join('\n\n')] : []))
  return {
    role: 'assistant',
    content: join('text'),
    refusal: join('refusal'),
    annotations: [],
    ...(thinking.length === 0 ? {} : { reasoning_content: thinking.join('') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toToolCall) }),
  }
}

function toToolCall({ id, name, json }: Call): Fields {
  return { id, type: 'function', function: { name, arguments: json } }
}

const finishReasons = {
  end: 'stop',
  calls: 'tool_calls',
  length: 'length',
  'stop-sequence': 'stop',
  pause: 'stop',
  refusal: 'stop',
  filter: 'content_filter',
  'context-full': 'length',
} satisfies Record<Stop & string, string>

function usageOf({ reply: { usage } }: Exchange): Fields {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
