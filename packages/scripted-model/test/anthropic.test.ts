import { expect, test } from 'vitest'
import { ask, eventsOf, payloadsOf, send, start } from './client.ts'

const usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2, reasoning: 1 }

test('a Messages stream has the documented events in the documented order', async () => {
  const model = await start({
    script: [
      {
        reply: [
          { thinking: '생각' },
          { redacted: 'hidden' },
          { text: '안녕하세요' },
          { call: 'ReadFile', args: { path: 'a.ts' } },
        ],
        usage,
      },
    ],
    delivery: { deltaSize: 4 },
  })

  const { text, headers, status } = await send(model, ask('anthropic'))

  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
  const events = eventsOf(text)
  for (const { event, data } of events) expect(data).toMatchObject({ type: event })
  const signature = expect.stringMatching(/^[A-Za-z0-9+/]+=*$/)
  const delta = (index: number, value: unknown) => ({ type: 'content_block_delta', index, delta: value })
  expect(events.map((event) => event.data)).toEqual([
    {
      type: 'message_start',
      message: {
        id: 'msg_010000000000000000000002',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        stop_details: null,
        usage: {
          input_tokens: 5,
          cache_creation_input_tokens: 2,
          cache_read_input_tokens: 3,
          cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 0 },
          output_tokens: 1,
          service_tier: 'standard',
          inference_geo: 'not_available',
        },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'ping' },
    delta(0, { type: 'thinking_delta', thinking: '생각' }),
    delta(0, { type: 'signature_delta', signature }),
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: signature } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
    delta(2, { type: 'text_delta', text: '안녕하세' }),
    delta(2, { type: 'text_delta', text: '요' }),
    { type: 'content_block_stop', index: 2 },
    {
      type: 'content_block_start',
      index: 3,
      content_block: { type: 'tool_use', id: 'toolu_010000000000000000000005', name: 'ReadFile', input: {} },
    },
    delta(3, { type: 'input_json_delta', partial_json: '' }),
    delta(3, { type: 'input_json_delta', partial_json: '{"pa' }),
    delta(3, { type: 'input_json_delta', partial_json: 'th":' }),
    delta(3, { type: 'input_json_delta', partial_json: '"a.t' }),
    delta(3, { type: 'input_json_delta', partial_json: 's"}' }),
    { type: 'content_block_stop', index: 3 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null },
      usage: {
        input_tokens: 5,
        cache_creation_input_tokens: 2,
        cache_read_input_tokens: 3,
        output_tokens: 5,
        output_tokens_details: { thinking_tokens: 1 },
      },
    },
    { type: 'message_stop' },
  ])
  expect(model.problems).toEqual([])
})

test('a Messages reply without stream is one message', async () => {
  const model = await start({
    script: [{ reply: [{ text: 'a' }, { call: 'Go', args: { n: 1 }, id: 'toolu_x' }], usage }],
  })
  const { text, headers } = await send(model, ask('anthropic', { stream: false }))
  expect(headers['content-type']).toBe('application/json')
  expect(JSON.parse(text)).toEqual({
    id: 'msg_010000000000000000000002',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 'toolu_x', name: 'Go', input: { n: 1 } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    stop_details: null,
    usage: {
      input_tokens: 5,
      cache_creation_input_tokens: 2,
      cache_read_input_tokens: 3,
      cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { thinking_tokens: 1 },
      service_tier: 'standard',
      inference_geo: 'not_available',
    },
  })
})

test('a call without arguments sends only the empty fragment', async () => {
  const model = await start({ script: [{ reply: [{ call: 'Go', args: {} }] }] })
  const { text } = await send(model, ask('anthropic'))
  const deltas = payloadsOf(text).filter((data) => (data as { type: string }).type === 'content_block_delta')
  expect(deltas).toEqual([
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
  ])
})

test('a refusal has no content and tells why in stop_details', async () => {
  const model = await start({ script: [{ reply: [{ refusal: 'no' }], usage: { input: 1, output: 1 } }] })
  const { text } = await send(model, ask('anthropic'))
  expect(payloadsOf(text).slice(1)).toEqual([
    { type: 'ping' },
    {
      type: 'message_delta',
      delta: {
        stop_reason: 'refusal',
        stop_sequence: null,
        stop_details: { type: 'refusal', category: null, explanation: 'no' },
      },
      usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
    },
    { type: 'message_stop' },
  ])
})

test('an error inside the stream is the last event', async () => {
  const model = await start({
    script: [{ reply: [{ text: 'abcdef' }], failure: { afterDeltas: 2 }, delivery: { deltaSize: 2 } }],
  })
  const { text, outcome } = await send(model, ask('anthropic'))
  expect(outcome).toBe('end')
  expect(payloadsOf(text).slice(3)).toEqual([
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ab' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'cd' } },
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ])
})

test.each([
  ['length', 'max_tokens'],
  ['pause', 'pause_turn'],
  ['stop-sequence', 'stop_sequence'],
  ['context-full', 'model_context_window_exceeded'],
  [{ other: 'brand_new' }, 'brand_new'],
] as const)('the stop %j is %s here', async (stop, reason) => {
  const model = await start({ script: [{ reply: [{ text: 'a' }], stop }] })
  const { text } = await send(model, ask('anthropic', { stop_sequences: ['END'] }))
  const sequence = reason === 'stop_sequence' ? 'END' : null
  expect(payloadsOf(text).at(-2)).toMatchObject({ delta: { stop_reason: reason, stop_sequence: sequence } })
})

test('thinking that the request turned off is not sent, omitted thinking has only its signature', async () => {
  const reply = [{ thinking: 'deep' }, { text: 'a' }]
  const model = await start({ script: [{ reply }, { reply }] })
  const off = await send(model, ask('anthropic', { thinking: { type: 'disabled' }, stream: false }))
  expect(JSON.parse(off.text)).toMatchObject({ content: [{ type: 'text', text: 'a' }] })
  const thinking = { type: 'adaptive', display: 'omitted' }
  const omitted = await send(model, ask('anthropic', { thinking, stream: false }))
  const [block] = (JSON.parse(omitted.text) as { content: object[] }).content
  expect(block).toEqual({ type: 'thinking', thinking: '', signature: expect.stringMatching(/./) })
})
