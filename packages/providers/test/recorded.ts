import type { SseEvent } from '../src/sse.ts'

// Streams as the vendors send them, each holding every kind of event their documentation names and a few invented ones.

export function named(data: { type: string; [key: string]: unknown }): SseEvent {
  return { event: data.type, data: JSON.stringify(data) }
}

export function unnamed(data: unknown): SseEvent {
  return { data: JSON.stringify(data) }
}

const block = (index: number, content_block: object) => named({ type: 'content_block_start', index, content_block })
const delta = (index: number, change: object) => named({ type: 'content_block_delta', index, delta: change })
const stop = (index: number) => named({ type: 'content_block_stop', index })
const json = (index: number, partial_json: string) => delta(index, { type: 'input_json_delta', partial_json })

export const anthropicStream: readonly SseEvent[] = [
  named({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 10, cache_creation_input_tokens: 11, cache_read_input_tokens: 90, output_tokens: 1 },
    },
  }),
  block(0, { type: 'thinking', thinking: '', signature: '' }),
  named({ type: 'ping' }),
  delta(0, { type: 'thinking_delta', thinking: 'Let me ' }),
  delta(0, { type: 'thinking_delta', thinking: 'think.' }),
  delta(0, { type: 'signature_delta', signature: 'sig-part-1' }),
  delta(0, { type: 'signature_delta', signature: '-part-2' }),
  stop(0),
  block(1, { type: 'redacted_thinking', data: 'REDACTED' }),
  stop(1),
  named({ type: 'server_started_dreaming', of: 'sheep' }),
  { event: 'odd', data: 'not json' },
  block(2, { type: 'text', text: '' }),
  delta(2, { type: 'text_delta', text: 'Hello ' }),
  delta(2, { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'x' } }),
  delta(2, { type: 'text_delta', text: '세계' }),
  stop(2),
  block(3, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
  json(3, '{}'),
  stop(3),
  block(4, { type: 'tool_use', id: 'toolu_1', name: 'ReadFile', input: {} }),
  json(4, ''),
  json(4, '{"path": "a'),
  delta(4, { type: 'smell_delta', smell: 'smoke' }),
  json(4, '.ts"}'),
  stop(4),
  block(5, { type: 'tool_use', id: 'toolu_2', name: 'ReadFile', input: {} }),
  stop(5),
  block(6, { type: 'tool_use', id: 'toolu_3', name: 'ReadFile', input: {} }),
  json(6, '{"path": '),
  stop(6),
  named({
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 57, output_tokens_details: { thinking_tokens: 7 } },
  }),
  named({ type: 'message_stop' }),
]

const at = { item_id: 'i', output_index: 0 }
const message = { id: 'msg_1', type: 'message', role: 'assistant' }
const call = (n: number) => ({ id: `fc_${n}`, type: 'function_call', call_id: `call_${n}`, name: 'ReadFile' })
const added = (output_index: number, item: object) => named({ type: 'response.output_item.added', output_index, item })
const done = (output_index: number, item: object) => named({ type: 'response.output_item.done', output_index, item })
const args = (output_index: number, change: string) =>
  named({ type: 'response.function_call_arguments.delta', output_index, delta: change })
const summary = [
  { type: 'summary_text', text: 'First.' },
  { type: 'summary_text', text: 'Second.' },
]

export const responsesStream: readonly SseEvent[] = [
  named({ type: 'response.queued', response: {} }),
  named({ type: 'response.created', response: { id: 'resp_1', model: 'gpt-x', status: 'in_progress' } }),
  named({ type: 'response.in_progress', response: {} }),
  added(0, { id: 'rs_1', type: 'reasoning', encrypted_content: 'PART', summary: [] }),
  named({ type: 'response.reasoning_summary_part.added', ...at, summary_index: 0, part: {} }),
  named({ type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta: 'First.' }),
  named({ type: 'response.reasoning_summary_text.done', ...at, summary_index: 0, text: 'First.' }),
  named({ type: 'response.reasoning_summary_part.done', ...at, summary_index: 0, part: {} }),
  named({ type: 'response.reasoning_summary_part.added', ...at, summary_index: 1, part: {} }),
  named({ type: 'response.reasoning_summary_text.delta', ...at, summary_index: 1, delta: 'Second.' }),
  named({ type: 'keepalive', sequence_number: 9 }),
  done(0, { type: 'reasoning', id: 'rs_1', encrypted_content: 'WHOLE', summary, status: 'completed' }),
  named({ type: 'response.web_search_call.searching', output_index: 9 }),
  named({ type: 'response.dreamed', of: 'sheep' }),
  { data: 'not json' },
  added(1, { ...message, status: 'in_progress', content: [] }),
  named({ type: 'response.content_part.added', output_index: 1, content_index: 0, part: {} }),
  named({ type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Hello ' }),
  named({ type: 'response.output_text.annotation.added', output_index: 1, annotation: {} }),
  named({ type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: '세계' }),
  named({ type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'Hello 세계' }),
  named({ type: 'response.content_part.done', output_index: 1, content_index: 0, part: {} }),
  done(1, { ...message, status: 'completed', content: [{ type: 'output_text', text: 'Hello 세계' }] }),
  done(2, { ...message, status: 'completed', content: [{ type: 'output_text', text: 'Only in the end.' }] }),
  added(3, { ...call(1), status: 'in_progress', arguments: '' }),
  added(4, { ...call(2), status: 'in_progress', arguments: '' }),
  args(3, '{"path":'),
  args(4, '{"path":"b"'),
  args(3, '"a"}'),
  args(4, '}'),
  named({ type: 'response.function_call_arguments.done', output_index: 3, arguments: '{"path":"a"}' }),
  done(4, { ...call(2), status: 'completed', arguments: '{"path":"b"}' }),
  done(3, { ...call(1), status: 'completed', arguments: '{"path":"a"}' }),
  added(5, { type: 'image_generation_call', id: 'ig_1' }),
  done(5, { type: 'image_generation_call', id: 'ig_1' }),
  added(6, { ...call(3), status: 'in_progress', arguments: '' }),
  done(6, { ...call(3), status: 'incomplete', arguments: '{"path' }),
  named({
    type: 'response.completed',
    response: {
      status: 'completed',
      incomplete_details: null,
      usage: {
        input_tokens: 75,
        input_tokens_details: { cached_tokens: 64, cache_write_tokens: 3 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 5 },
      },
    },
  }),
  { data: '[DONE]' },
]

const chunk = (change: object, finish_reason: string | null = null) =>
  unnamed({
    id: 'c1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: change, finish_reason }],
    usage: null,
  })
const part = (index: number, made: object, id?: string) =>
  chunk({ tool_calls: [{ index, ...(id === undefined ? {} : { id, type: 'function' }), function: made }] })

export const chatStream: readonly SseEvent[] = [
  chunk({ role: 'assistant', content: '', refusal: null }),
  chunk({ reasoning_content: 'Let me ' }),
  chunk({ reasoning_content: 'think.' }),
  unnamed({ dreaming: 'of sheep' }),
  { data: 'not json' },
  chunk({ content: 'Hello ' }),
  chunk({ content: '세계' }),
  part(0, { name: 'ReadFile', arguments: '' }, 'call_1'),
  part(1, { name: 'ReadFile', arguments: '' }, 'call_2'),
  part(0, { arguments: '{"path":' }),
  part(1, { arguments: '{"path":"b"' }),
  part(0, { arguments: '"a"}' }),
  part(1, { arguments: '}' }),
  chunk({}, 'tool_calls'),
  unnamed({
    id: 'c1',
    choices: [],
    usage: {
      prompt_tokens: 30,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  }),
  { data: '[DONE]' },
  { data: '[DONE]' },
]
