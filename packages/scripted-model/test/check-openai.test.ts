import { expect, test } from 'vitest'
import type { ScriptedModel, WireName } from '../src/index.ts'
import { ask, send, start } from './client.ts'

type Refusal = { status: number; message: string; param: unknown; code: unknown } | 'accepted'

async function refusal(model: ScriptedModel, wire: WireName, body: object): Promise<Refusal> {
  const { status, text } = await send(model, ask(wire, body as Record<string, unknown>))
  if (status === 200) return 'accepted'
  const { message, type, param, code } = (JSON.parse(text) as { error: Record<string, unknown> }).error
  expect(type).toBe('invalid_request_error')
  return { status, message: String(message), param, code }
}

const user = { role: 'user', content: 'hi' }
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'Go', arguments: '{}' })
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' })

test.each([
  [{ model: undefined }, "Missing required parameter: 'model'.", 'model', 'missing_required_parameter'],
  [{ max_tokens: 5 }, "Unknown parameter: 'max_tokens'.", 'max_tokens', 'unknown_parameter'],
  [{ include: ['reasoning'] }, "Invalid value: 'reasoning'.", 'include', 'invalid_value'],
  [
    { tools: [{ type: 'function', name: 'a b' }] },
    "Invalid 'tools[0].name': must match ^[a-zA-Z0-9_-]+$ and be at most 64 long.",
    'tools[0].name',
    'invalid_value',
  ],
  [
    { previous_response_id: 'resp_x' },
    "Previous response with id 'resp_x' not found.",
    'previous_response_id',
    'previous_response_not_found',
  ],
  [{ input: [user, call('c1')] }, 'No tool output found for function call c1.', 'input', null],
  [{ input: [user, output('c1')] }, 'No tool call found for function call output with call_id c1.', 'input', null],
  [
    { input: [user, call('c1'), output('c1'), output('c1')] },
    'No tool call found for function call output with call_id c1.',
    'input',
    null,
  ],
  [
    { input: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] },
    "Invalid value: 'text'. Supported values are: input_text, input_image, input_file.",
    'input[0].content[0]',
    'invalid_value',
  ],
])('responses: %j is refused: %s', async (body, message, param, code) => {
  const model = await start({ script: [{ reply: [] }] })
  expect(await refusal(model, 'responses', body)).toEqual({ status: 400, message, param, code })
  expect(model.problems).toMatchObject([{ kind: 'refused', message }])
})

type Item = { [key: string]: unknown }

const sealed = { stream: false, store: false, include: ['reasoning.encrypted_content'] }

async function reasonAndCall(
  model: ScriptedModel,
  body: Record<string, unknown>,
): Promise<{ id: string; output: Item[] }> {
  return JSON.parse((await send(model, ask('responses', body))).text) as { id: string; output: Item[] }
}

test('responses: reasoning comes back sealed, with the item that followed it', async () => {
  const reply = [{ thinking: 'deep' }, { call: 'Go', args: {} }]
  const model = await start({
    script: (request) => (request.view.toolResults.length === 0 ? { reply } : { reply: [] }),
  })
  const [reasoning = {}, made = {}] = (await reasonAndCall(model, sealed)).output
  const { id: made_id, ...bare } = made
  const done = output(String(made['call_id']))
  const back = (...items: object[]) => refusal(model, 'responses', { ...sealed, input: [user, ...items] })
  expect(await back(reasoning, made, done)).toBe('accepted')
  expect(await back(reasoning, bare, done)).toBe('accepted')
  expect(await back(bare, done)).toBe('accepted')
  const id = String(reasoning['id'])
  expect(await back(made, done)).toMatchObject({
    message: `Item '${String(made_id)}' of type 'function_call' was provided without its required 'reasoning' item: '${id}'.`,
  })
  expect(await back(reasoning)).toMatchObject({
    message: `Item '${id}' of type 'reasoning' was provided without its required following item.`,
  })
  expect(await back({ ...reasoning, encrypted_content: 'made up' }, made, done)).toEqual({
    status: 400,
    message: `The encrypted content for item ${id} could not be verified.`,
    param: null,
    code: 'invalid_encrypted_content',
  })
  const { encrypted_content: _, ...open } = reasoning
  expect(await back(open, made, done)).toMatchObject({ status: 404, param: 'input' })
})

test('responses: the content of an added item is refused, that of the finished one is not', async () => {
  const reply = [{ thinking: 'deep' }, { text: 'a' }]
  const model = await start({ script: () => ({ reply }) })
  const { text } = await send(model, ask('responses', { ...sealed, stream: true }))
  const tokens = [...text.matchAll(/"encrypted_content":"([^"]+)"/g)].map((match) => match[1])
  const items = text.split('\n').filter((line) => /^data: .*output_item\.done/.test(line))
  const [reasoning, message] = items.map((line) => (JSON.parse(line.slice(6)) as { item: Item }).item)
  const back = (token: unknown) =>
    refusal(model, 'responses', { ...sealed, input: [user, { ...reasoning, encrypted_content: token }, message, user] })
  expect(await back(tokens[0])).toMatchObject({ code: 'invalid_encrypted_content' })
  expect(await back(tokens[1])).toBe('accepted')
})

test('responses: a stored response can be gone on from, by id or by reference', async () => {
  const reply = [{ thinking: 'deep' }, { call: 'Go', args: {} }]
  const model = await start({
    script: (request) => (request.view.toolResults.length === 0 ? { reply } : { reply: [] }),
  })
  const { id, output: items } = await reasonAndCall(model, { stream: false })
  const done = output(String(items[1]?.['call_id']))
  expect(await refusal(model, 'responses', { previous_response_id: id, input: [done] })).toBe('accepted')
  expect(await refusal(model, 'responses', { previous_response_id: id, input: [user] })).toMatchObject({
    message: `No tool output found for function call ${done.call_id}.`,
  })
  const references = items.map((item) => ({ type: 'item_reference', id: item['id'] }))
  expect(await refusal(model, 'responses', { input: [user, ...references, done] })).toBe('accepted')
  expect(await refusal(model, 'responses', { input: [{ type: 'item_reference', id: 'rs_x' }] })).toMatchObject({
    status: 404,
  })
})

test('responses: what is not stored cannot be gone on from', async () => {
  const model = await start({ script: () => ({ reply: [{ text: 'a' }] }) })
  const { id, output: items } = await reasonAndCall(model, { stream: false, store: false })
  expect(await refusal(model, 'responses', { previous_response_id: id })).toMatchObject({
    param: 'previous_response_id',
  })
  const reference = { type: 'item_reference', id: items[0]?.['id'] }
  expect(await refusal(model, 'responses', { input: [reference] })).toMatchObject({ status: 404 })
})

test('responses: reasoning of one reply cannot stand in for that of another', async () => {
  const model = await start({ script: () => ({ reply: [{ thinking: 'deep' }, { text: 'a' }] }) })
  const [first = {}, said = {}] = (await reasonAndCall(model, sealed)).output
  const [second = {}, other = {}] = (await reasonAndCall(model, sealed)).output
  const back = (...items: object[]) => refusal(model, 'responses', { ...sealed, input: [user, ...items, user] })
  expect(await back(first, said, second, other)).toBe('accepted')
  const { id: _, ...bare } = other
  expect(await back(second, bare)).toBe('accepted')
  expect(await back(second, said)).toMatchObject({
    message: `Item '${String(second['id'])}' of type 'reasoning' was provided without its required following item.`,
  })
  expect(await back({ ...first, encrypted_content: second['encrypted_content'] }, said)).toMatchObject({
    code: 'invalid_encrypted_content',
  })
})

const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'Go', arguments: '{}' } })
const calls = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(toolCall) })
const toolResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' })
const unanswered = (id: string) =>
  `An assistant message with 'tool_calls' must be followed by tool messages for each id; missing: ${id}`

test.each([
  [{ model: undefined }, 'you must provide a model parameter', null],
  [{ messages: [] }, "Invalid 'messages': at least one message is needed.", 'messages'],
  [{ messages: [{ role: 'robot', content: 'a' }] }, "Invalid value: 'robot'.", 'messages.[0].role'],
  [
    { messages: [{ role: 'assistant', content: null }] },
    "Invalid value for 'content': expected a string, got null.",
    'messages.[0].content',
  ],
  [{ messages: [user, calls('c1')] }, unanswered('c1'), 'messages.[2].role'],
  [{ messages: [user, calls('c1', 'c2'), toolResult('c1'), user] }, unanswered('c2'), 'messages.[3].role'],
  [
    { messages: [user, toolResult('c1')] },
    "A message with role 'tool' must answer a tool call before it; none is open with id 'c1'.",
    'messages.[1].role',
  ],
  [
    { messages: [user, calls('c1'), toolResult('c1'), toolResult('c1')] },
    "A message with role 'tool' must answer a tool call before it; none is open with id 'c1'.",
    'messages.[3].role',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }] },
    "Invalid content type 'input_text' for the role 'user'.",
    'messages.[0].content',
  ],
  [
    { stream: false, stream_options: { include_usage: true } },
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    'stream_options',
  ],
  [{ tools: [] }, "Invalid 'tools': empty array.", 'tools'],
])('chat: %j is refused: %s', async (body, message, param) => {
  const model = await start({ script: [{ reply: [] }] })
  expect(await refusal(model, 'chat', body)).toMatchObject({ status: 400, message, param })
  expect(model.stepsLeft).toBe(1)
})

test('chat: answered calls, images and fields of compatible servers are accepted', async () => {
  const model = await start({ script: () => ({ reply: [] }) })
  const messages = [user, calls('c1', 'c2'), toolResult('c2'), toolResult('c1'), user]
  expect(await refusal(model, 'chat', { messages })).toBe('accepted')
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  expect(await refusal(model, 'chat', { messages: [{ role: 'user', content: [image] }], enable_thinking: true })).toBe(
    'accepted',
  )
})
