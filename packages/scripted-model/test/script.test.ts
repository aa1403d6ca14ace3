import { expect, test } from 'vitest'
import { parseScript, type Step } from '../src/index.ts'
import { ask, send, start } from './client.ts'

const png = { type: 'base64', media_type: 'image/png', data: 'AA==' }
const wires = ['anthropic', 'responses', 'chat'] as const

/** The same conversation on each wire: an image shown, a tool called, its result returned. */
const requests = {
  anthropic: {
    system: 'be kind',
    tools: [{ name: 'Look', input_schema: { type: 'object' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: png },
          { type: 'text', text: '이것은?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Look', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a cat' }] }],
      },
    ],
  },
  responses: {
    instructions: 'be kind',
    tools: [{ type: 'function', name: 'Look', parameters: { type: 'object' } }],
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:' },
          { type: 'input_text', text: '이것은?' },
        ],
      },
      { type: 'function_call', call_id: 't1', name: 'Look', arguments: '{}' },
      { type: 'function_call_output', call_id: 't1', output: 'a cat' },
    ],
  },
  chat: {
    tools: [{ type: 'function', function: { name: 'Look' } }],
    messages: [
      { role: 'system', content: 'be kind' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:' } },
          { type: 'text', text: '이것은?' },
        ],
      },
      { role: 'assistant', tool_calls: [{ id: 't1', type: 'function', function: { name: 'Look', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 't1', content: 'a cat' },
    ],
  },
}

test.each(wires)('%s: what a model would read is seen in a request', async (wire) => {
  const model = await start({ script: [{ reply: [] }], now: () => 42 })
  await send(model, ask(wire, requests[wire]))
  const [request] = model.requests
  expect(request?.view).toEqual({
    model: 'm',
    texts: ['be kind', '이것은?', 'a cat'],
    toolResults: [{ callId: 't1', text: 'a cat', isError: false }],
    images: 1,
    tools: ['Look'],
  })
  const sent = ask(wire, requests[wire])
  expect(request).toMatchObject({
    wire,
    method: 'POST',
    path: sent.path,
    headers: sent.headers,
    body: sent.body,
    time: 42,
  })
  expect(Buffer.from(request?.rawBody ?? []).toString()).toBe(JSON.stringify(sent.body))
})

test.each(wires)('%s: a step waits for the request it expects', async (wire) => {
  const held = { text: '이것', lacks: 'dog', matches: 'c.t$', toolResult: 'cat', image: true, tool: 'Look', model: 'm' }
  const model = await start({ script: [{ expect: held, reply: [] }] })
  const plain = await send(model, ask(wire))
  const message =
    'The script expected a text with "이것"; texts to match /c.t$/u; a tool result with "cat"; an image; the tool "Look" (offered: )'
  expect(plain.status).toBe(400)
  expect(JSON.parse(plain.text)).toMatchObject({ error: { type: 'invalid_request_error', message } })
  expect(model.problems).toEqual([{ kind: 'unexpected', message, request: model.requests[0] }])
  expect((await send(model, ask(wire, requests[wire]))).status).toBe(200)
  expect(model.stepsLeft).toBe(0)
})

test.each(wires)('%s: a script used up answers 500 and says so', async (wire) => {
  const model = await start({ script: [] })
  const { status, text } = await send(model, ask(wire))
  const type = wire === 'anthropic' ? 'api_error' : 'server_error'
  const message = `The script is used up: no step is left for POST ${ask(wire).path}`
  expect([status, JSON.parse(text)]).toMatchObject([500, { error: { type, message } }])
  expect(model.problems).toMatchObject([{ kind: 'used-up', message }])
})

test('errors have the shape, the type and the headers of the vendor', async () => {
  const error = { error: { status: 429, retryAfter: 1, retryAfterMs: 900, message: 'slow down' } }
  const model = await start({
    script: [error, error, { error: { status: 529 } }, { error: { status: 500, code: 'x' } }],
  })
  const limited = await send(model, ask('anthropic'))
  expect(limited.status).toBe(429)
  expect(limited.headers).toMatchObject({
    'retry-after': '1',
    'retry-after-ms': '900',
    'request-id': 'req_010000000000000000000001',
  })
  expect(JSON.parse(limited.text)).toEqual({
    type: 'error',
    error: { type: 'rate_limit_error', message: 'slow down' },
    request_id: 'req_010000000000000000000001',
  })
  const other = await send(model, ask('chat'))
  expect(other.headers).toMatchObject({ 'retry-after': '1', 'x-request-id': 'req_010000000000000000000002' })
  expect(JSON.parse(other.text)).toEqual({
    error: { message: 'slow down', type: 'requests', param: null, code: 'rate_limit_exceeded' },
  })
  expect(JSON.parse((await send(model, ask('anthropic'))).text)).toMatchObject({ error: { type: 'overloaded_error' } })
  expect(JSON.parse((await send(model, ask('responses'))).text)).toMatchObject({
    error: { type: 'server_error', code: 'x' },
  })
  expect(model.problems).toEqual([])
})

test('an image in a tool result counts as an image', async () => {
  const model = await start({ script: [{ expect: { image: true }, reply: [] }] })
  const messages = [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'image', source: png }] }] },
  ]
  expect((await send(model, ask('anthropic', { messages }))).status).toBe(200)
})

test.each(wires)('%s: a failure that waits for more deltas than there are still comes', async (wire) => {
  const model = await start({ script: [{ reply: [{ text: 'a' }], failure: { afterDeltas: 99, message: 'broken' } }] })
  const { text } = await send(model, ask(wire))
  expect(text).toContain('broken')
  expect(text).not.toMatch(/message_stop|response\.completed|\[DONE\]/)
})

test('a failure without a stream is an HTTP error', async () => {
  const model = await start({ script: [{ reply: [], failure: { afterDeltas: 1, message: 'broken' } }] })
  const { status, text } = await send(model, ask('chat', { stream: false }))
  expect([status, JSON.parse(text)]).toMatchObject([500, { error: { message: 'broken', type: 'server_error' } }])
})

test('a function answers open-ended; what it throws is a problem', async () => {
  const model = await start({
    script: async ({ view }) => {
      if (view.texts.includes('hi')) return { reply: [{ text: `${view.model} says hi` }] }
      throw new Error('lost')
    },
  })
  expect((await send(model, ask('chat', { stream: false }))).text).toContain('m says hi')
  const { status } = await send(model, ask('chat', { messages: [{ role: 'user', content: 'bye' }] }))
  expect(status).toBe(500)
  expect(model.problems).toMatchObject([{ kind: 'script-threw', message: 'The script threw: lost' }])
})

test('the same script gives the same bytes', async () => {
  const script: Step[] = wires.map(() => ({ reply: [{ thinking: 'a' }, { text: 'b' }, { call: 'C', args: {} }] }))
  const run = async () => {
    const model = await start({ script })
    const texts: string[] = []
    for (const wire of wires) texts.push((await send(model, ask(wire))).text)
    return texts
  }
  expect(await run()).toEqual(await run())
})

test('usage left out is guessed from the sizes', async () => {
  const model = await start({ script: [{ reply: [{ text: '12345678' }] }] })
  const sent = ask('chat', { stream: false })
  const { usage } = JSON.parse((await send(model, sent)).text) as { usage: Record<string, unknown> }
  const prompt_tokens = Math.ceil(JSON.stringify(sent.body).length / 4)
  expect(usage).toMatchObject({ prompt_tokens, completion_tokens: 2, total_tokens: prompt_tokens + 2 })
})

test.each([
  ['{}', 'script: must be a list of steps'],
  ['[1]', 'script[0]: must be an object'],
  ['[{}]', 'script[0]: must have exactly one of reply, error, raw'],
  ['[{"reply":[],"error":{"status":500}}]', 'script[0]: must have exactly one of reply, error, raw'],
  [
    '[{"reply":[]},{"reply":[],"usge":1}]',
    'script[1]: unknown key "usge"; known: reply, usage, stop, delivery, failure, fault, expect',
  ],
  ['[{"reply":[{"txt":"a"}]}]', 'script[0].reply[0]: must have one of text, thinking, redacted, refusal, call'],
  ['[{"reply":[{"text":1}]}]', 'script[0].reply[0].text: must be a string'],
  ['[{"reply":[{"call":"A"}]}]', 'script[0].reply[0]: "args" is missing'],
  [
    '[{"reply":[],"stop":"tired"}]',
    'script[0].stop: must be one of end, calls, length, stop-sequence, pause, refusal, filter, context-full',
  ],
  [
    '[{"reply":[],"fault":{"afterBytes":-1,"kind":"end"}}]',
    'script[0].fault.afterBytes: must be a whole number, 0 or more',
  ],
  ['[{"reply":[],"delivery":{"deltaSize":0}}]', 'script[0].delivery.deltaSize: must be a whole number, 1 or more'],
  [
    '[{"reply":[],"usage":{"input":1,"output":1,"cacheRead":2}}]',
    'script[0].usage: input includes cacheRead and cacheWrite, so it cannot be less',
  ],
  [
    '[{"reply":[],"expect":{"matches":"("}}]',
    'script[0].expect.matches: Invalid regular expression: /(/u: Unterminated group',
  ],
  ['[{"error":{"status":42}}]', 'script[0].error.status: must be an HTTP status from 200 to 599'],
  ['[{"raw":{"status":200}}]', 'script[0].raw: "body" is missing'],
])('the script %s is refused: %s', (json, message) => {
  expect(() => parseScript(JSON.parse(json))).toThrow(expect.objectContaining({ name: 'ScriptError', message }))
})

test('a script read from JSON plays as the one it was printed from', async () => {
  const script: Step[] = [
    {
      reply: [{ thinking: ['a', 'b'] }, { call: 'A', rawArgs: '{"' }],
      stop: { other: 'x' },
      usage: { input: 1, output: 1 },
    },
    { error: { status: 503, retryAfter: 'Wed, 21 Oct 2037 07:28:00 GMT', headers: { 'x-should-retry': 'false' } } },
    { raw: { status: 200, body: 'AA==', end: 'reset', chunk: 'every-byte', delayMs: 1 } },
  ]
  expect(parseScript(JSON.parse(JSON.stringify(script)))).toEqual(script)
})
