import { expect, test } from 'vitest'
import { ask, eventsOf, payloadsOf, send, start } from './client.ts'

const usage = { input: 10, output: 5, cacheRead: 3, reasoning: 2 }
const asked = { store: false, include: ['reasoning.encrypted_content'], reasoning: { effort: 'high', summary: 'auto' } }

const response = {
  id: 'resp_010000000000000000000002',
  object: 'response',
  created_at: 77,
  status: 'in_progress',
  background: false,
  completed_at: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  model: 'm',
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  reasoning: { effort: 'high', summary: 'auto' },
  safety_identifier: null,
  service_tier: 'auto',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  usage: null,
  user: null,
  metadata: {},
}

const wireUsage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 15,
}

test('a Responses stream has the documented events, numbered without a gap', async () => {
  const model = await start({
    script: [{ reply: [{ thinking: ['하나', 'two'] }, { text: 'done' }, { call: 'ReadFile', args: { p: 1 } }], usage }],
    delivery: { deltaSize: 4 },
    createdAt: 77,
  })

  const { text } = await send(model, ask('responses', asked))

  const events = eventsOf(text)
  for (const { event, data } of events) expect(data).toMatchObject({ type: event })
  const payloads = events.map((event) => event.data as { sequence_number: number })
  expect(payloads.map((data) => data.sequence_number)).toEqual(payloads.map((_, at) => at))

  const rs = 'rs_010000000000000000000003'
  const msg = 'msg_010000000000000000000004'
  const fc = 'fc_010000000000000000000005'
  const token = expect.stringMatching(/^[A-Za-z0-9+/]{40,}=*$/)
  const summary = (value: string) => ({ type: 'summary_text', text: value })
  const part = (value: string) => ({ type: 'output_text', annotations: [], logprobs: [], text: value })
  const inSummary = (index: number) => ({ item_id: rs, output_index: 0, summary_index: index })
  const inText = { item_id: msg, output_index: 1, content_index: 0 }
  const inCall = { item_id: fc, output_index: 2 }
  const padding = (length: number) => 'x'.repeat(length)
  const call = { id: fc, type: 'function_call', call_id: 'call_010000000000000000000006', name: 'ReadFile' }
  const message = { id: msg, type: 'message', role: 'assistant' }
  const output = [
    { id: rs, type: 'reasoning', encrypted_content: token, summary: [summary('하나'), summary('two')] },
    { ...message, status: 'completed', content: [part('done')] },
    { ...call, status: 'completed', arguments: '{"p":1}' },
  ]
  const said = [
    ['response.created', { response }],
    ['response.in_progress', { response }],
    [
      'response.output_item.added',
      { output_index: 0, item: { id: rs, type: 'reasoning', encrypted_content: token, summary: [] } },
    ],
    ['response.reasoning_summary_part.added', { ...inSummary(0), part: summary('') }],
    ['response.reasoning_summary_text.delta', { ...inSummary(0), delta: '하나', obfuscation: padding(14) }],
    ['response.reasoning_summary_text.done', { ...inSummary(0), text: '하나' }],
    ['response.reasoning_summary_part.done', { ...inSummary(0), part: summary('하나') }],
    ['response.reasoning_summary_part.added', { ...inSummary(1), part: summary('') }],
    ['response.reasoning_summary_text.delta', { ...inSummary(1), delta: 'two', obfuscation: padding(13) }],
    ['response.reasoning_summary_text.done', { ...inSummary(1), text: 'two' }],
    ['response.reasoning_summary_part.done', { ...inSummary(1), part: summary('two') }],
    ['response.output_item.done', { output_index: 0, item: output[0] }],
    ['response.output_item.added', { output_index: 1, item: { ...message, status: 'in_progress', content: [] } }],
    ['response.content_part.added', { ...inText, part: part('') }],
    ['response.output_text.delta', { ...inText, logprobs: [], delta: 'done', obfuscation: padding(12) }],
    ['response.output_text.done', { ...inText, logprobs: [], text: 'done' }],
    ['response.content_part.done', { ...inText, part: part('done') }],
    ['response.output_item.done', { output_index: 1, item: output[1] }],
    ['response.output_item.added', { output_index: 2, item: { ...call, status: 'in_progress', arguments: '' } }],
    ['response.function_call_arguments.delta', { ...inCall, delta: '{"p"', obfuscation: padding(12) }],
    ['response.function_call_arguments.delta', { ...inCall, delta: ':1}', obfuscation: padding(13) }],
    ['response.function_call_arguments.done', { ...inCall, arguments: '{"p":1}' }],
    ['response.output_item.done', { output_index: 2, item: output[2] }],
    [
      'response.completed',
      {
        response: {
          ...response,
          status: 'completed',
          completed_at: 77,
          output,
          service_tier: 'default',
          usage: wireUsage,
        },
      },
    ],
  ] as const
  expect(payloads).toEqual(said.map(([type, fields], at) => ({ type, ...fields, sequence_number: at })))
  expect(model.problems).toEqual([])
})

test('the encrypted content of an item that is only added is not yet the one that counts', async () => {
  const model = await start({ script: [{ reply: [{ thinking: 'a' }, { text: 'b' }] }] })
  const { text } = await send(model, ask('responses', asked))
  const items = payloadsOf(text).flatMap((data) => {
    const { item } = data as { item?: { type: string; encrypted_content: string } }
    return item?.type === 'reasoning' ? [item.encrypted_content] : []
  })
  expect(new Set(items).size).toBe(2)
})

test('reasoning is told only as far as it was asked for', async () => {
  const reply = [{ thinking: 'a' }, { text: 'b' }]
  const model = await start({ script: [{ reply }, { reply }] })
  const bare = await send(model, ask('responses', { stream: false }))
  expect(JSON.parse(bare.text)).toMatchObject({
    output: [{ id: expect.any(String), type: 'reasoning', summary: [] }, {}],
  })
  expect(bare.text).not.toContain('encrypted_content')
  const none = await send(model, ask('responses', { stream: false, reasoning: { effort: 'none' } }))
  expect(JSON.parse(none.text)).toMatchObject({ output: [{ type: 'message' }] })
})

test('a refusal has its own part and its own events', async () => {
  const model = await start({ script: [{ reply: [{ refusal: 'no' }] }] })
  const { text } = await send(model, ask('responses', { stream_options: { include_obfuscation: false } }))
  const at = { item_id: 'msg_010000000000000000000003', output_index: 0, content_index: 0 }
  expect(payloadsOf(text).slice(3, 7)).toEqual([
    { type: 'response.content_part.added', ...at, part: { type: 'refusal', refusal: '' }, sequence_number: 3 },
    { type: 'response.refusal.delta', ...at, delta: 'no', sequence_number: 4 },
    { type: 'response.refusal.done', ...at, refusal: 'no', sequence_number: 5 },
    { type: 'response.content_part.done', ...at, part: { type: 'refusal', refusal: 'no' }, sequence_number: 6 },
  ])
})

test.each([
  ['length', 'max_output_tokens'],
  ['filter', 'content_filter'],
] as const)('the stop %s ends with response.incomplete and an incomplete item', async (stop, reason) => {
  const model = await start({ script: [{ reply: [{ call: 'Go', rawArgs: '{"a' }], stop }] })
  const { text } = await send(model, ask('responses'))
  expect(payloadsOf(text).at(-1)).toMatchObject({
    type: 'response.incomplete',
    response: {
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ type: 'function_call', status: 'incomplete', arguments: '{"a' }],
    },
  })
})

test('a failure is an error event and response.failed, or only the latter', async () => {
  const step = (failedOnly: boolean) => ({
    reply: [{ text: 'abc' }],
    failure: { afterDeltas: 1, type: 'rate_limit_exceeded', message: 'slow down', failedOnly },
    delivery: { deltaSize: 1 },
  })
  const model = await start({ script: [step(false), step(true)] })
  const both = payloadsOf((await send(model, ask('responses'))).text)
  const error = { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', message: 'slow down', param: null }
  expect(both.at(-2)).toEqual({ type: 'error', error, sequence_number: 5 })
  expect(both.at(-1)).toMatchObject({
    type: 'response.failed',
    sequence_number: 6,
    response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow down' }, output: [] },
  })
  const one = payloadsOf((await send(model, ask('responses'))).text)
  expect(one.at(-2)).toMatchObject({ type: 'response.output_text.delta', sequence_number: 4 })
  expect(one.at(-1)).toMatchObject({ type: 'response.failed', sequence_number: 5 })
})

test('a Responses reply without stream is the object of response.completed', async () => {
  const reply = [{ text: 'a' }]
  const model = await start({
    script: [
      { reply, usage },
      { reply, usage },
    ],
    createdAt: 77,
  })
  const whole = JSON.parse((await send(model, ask('responses', { ...asked, stream: false }))).text) as object
  const part = { type: 'output_text', annotations: [], logprobs: [], text: 'a' }
  const id = 'msg_010000000000000000000003'
  const output = [{ id, type: 'message', role: 'assistant', status: 'completed', content: [part] }]
  expect(whole).toEqual({
    ...response,
    status: 'completed',
    completed_at: 77,
    service_tier: 'default',
    output,
    usage: wireUsage,
  })
})

test('arguments of neighbouring calls take turns when asked', async () => {
  const calls = [
    { call: 'A', args: [1, 2] },
    { call: 'B', args: [3] },
  ]
  const model = await start({ script: [{ reply: calls, delivery: { interleaveCalls: true, deltaSize: 3 } }] })
  const { text } = await send(model, ask('responses'))
  const order = payloadsOf(text).flatMap((data) => {
    const { type, output_index, delta } = data as { type: string; output_index?: number; delta?: string }
    return output_index === undefined ? [] : [[type.replace(/^response\./, ''), output_index, delta]]
  })
  expect(order).toEqual([
    ['output_item.added', 0, undefined],
    ['output_item.added', 1, undefined],
    ['function_call_arguments.delta', 0, '[1,'],
    ['function_call_arguments.delta', 1, '[3]'],
    ['function_call_arguments.delta', 0, '2]'],
    ['function_call_arguments.done', 0, undefined],
    ['output_item.done', 0, undefined],
    ['function_call_arguments.done', 1, undefined],
    ['output_item.done', 1, undefined],
  ])
})
