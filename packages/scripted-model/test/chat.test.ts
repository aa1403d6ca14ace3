import { expect, test } from 'vitest'
import { ask, payloadsOf, send, start } from './client.ts'

const usage = { input: 10, output: 5, cacheRead: 3, reasoning: 2 }
const same = {
  id: 'chatcmpl-010000000000000000000004',
  created: 77,
  model: 'm',
  service_tier: 'default',
  object: 'chat.completion.chunk',
}
const wireUsage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 2,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
}
const reply = [
  { thinking: 'hm' },
  { redacted: 'never sent here' },
  { text: '안녕' },
  { call: 'A', args: { a: 1 } },
  { call: 'B', args: {} },
]
const a = { index: 0, id: 'call_010000000000000000000002', type: 'function', function: { name: 'A', arguments: '' } }
const b = { index: 1, id: 'call_010000000000000000000003', type: 'function', function: { name: 'B', arguments: '' } }
const more = (index: number, text: string) => ({ tool_calls: [{ index, function: { arguments: text } }] })

function chunks(deltas: readonly object[], finish: string, extra: object) {
  const last = deltas.length
  return [...deltas, {}].map((delta, at) => ({
    ...same,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: at === last ? finish : null }],
    ...extra,
  }))
}

test('a chat stream is role, deltas, finish, usage when asked, and [DONE]', async () => {
  const model = await start({ script: [{ reply, usage }], delivery: { deltaSize: 4 }, createdAt: 77 })
  const { text } = await send(model, ask('chat', { stream_options: { include_usage: true } }))
  const deltas = [
    { role: 'assistant', content: '', refusal: null },
    { reasoning_content: 'hm' },
    { content: '안녕' },
    { tool_calls: [a] },
    more(0, '{"a"'),
    more(0, ':1}'),
    { tool_calls: [b] },
    more(1, '{}'),
  ]
  expect(payloadsOf(text)).toEqual([
    ...chunks(deltas, 'tool_calls', { usage: null }),
    { ...same, choices: [], usage: wireUsage },
    '[DONE]',
  ])
  expect(text).not.toContain('event:')
  expect(model.problems).toEqual([])
})

test('without include_usage no chunk speaks of usage; interleaved calls take turns', async () => {
  const delivery = { deltaSize: 4, interleaveCalls: true }
  const model = await start({ script: [{ reply: reply.slice(3), usage, delivery }], createdAt: 77 })
  const { text } = await send(model, ask('chat'))
  const deltas = [
    { role: 'assistant', content: null, refusal: null },
    { tool_calls: [a] },
    { tool_calls: [b] },
    more(0, '{"a"'),
    more(1, '{}'),
    more(0, ':1}'),
  ]
  expect(payloadsOf(text)).toEqual([...chunks(deltas, 'tool_calls', {}), '[DONE]'])
})

test('a chat reply without stream is one completion', async () => {
  const model = await start({ script: [{ reply, usage }], createdAt: 77 })
  const { text } = await send(model, ask('chat', { stream: false }))
  expect(JSON.parse(text)).toEqual({
    ...same,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: '안녕',
          refusal: null,
          annotations: [],
          reasoning_content: 'hm',
          tool_calls: [
            { id: a.id, type: 'function', function: { name: 'A', arguments: '{"a":1}' } },
            { id: b.id, type: 'function', function: { name: 'B', arguments: '{}' } },
          ],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: wireUsage,
  })
})

test('a refusal comes in refusal deltas; a late error is a data line without [DONE]', async () => {
  const model = await start({
    script: [{ reply: [{ refusal: 'no' }] }, { reply: [{ text: 'ab' }], failure: { afterDeltas: 0, message: 'gone' } }],
  })
  const refusal = payloadsOf((await send(model, ask('chat'))).text)
  expect(refusal[1]).toMatchObject({ choices: [{ delta: { refusal: 'no' } }] })
  expect(refusal[2]).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
  const failed = payloadsOf((await send(model, ask('chat'))).text)
  expect(failed.slice(1)).toEqual([{ error: { message: 'gone', type: 'server_error', param: null, code: null } }])
})
