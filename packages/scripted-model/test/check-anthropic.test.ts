import { expect, test } from 'vitest'
import type { ScriptedModel } from '../src/index.ts'
import { ask, send, start } from './client.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more })
const use = (id: string, more = {}) => ({ type: 'tool_use', id, name: 'Go', input: {}, ...more })
const result = (id: string, more = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...more })
const tool = (name: string) => ({ name, input_schema: { type: 'object' } })
const image = (source: object) => ({ type: 'image', source })
const mark = { cache_control: { type: 'ephemeral' } }

async function refusal(model: ScriptedModel, body: object): Promise<string> {
  const { status, text: answer } = await send(model, ask('anthropic', body as Record<string, unknown>))
  if (status === 200) return 'accepted'
  const parsed = JSON.parse(answer) as { error: { message: string } }
  expect({ status, parsed }).toEqual({
    status: 400,
    parsed: {
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.any(String) },
      request_id: expect.stringMatching(/^req_/),
    },
  })
  return parsed.error.message
}

const talk = (...messages: object[]) => ({ messages: [user('hi'), ...messages] })

test.each([
  [{ max_tokens: undefined }, 'max_tokens: Field required'],
  [{ max_tokens: 1.5 }, 'max_tokens: must be an integer of at least 0'],
  [{ model: '' }, 'model: must be a non-empty string'],
  [{ colour: 1 }, 'colour: Extra inputs are not permitted'],
  [{ messages: [] }, 'messages: at least one message is required'],
  [{ messages: [assistant('a'), user('b')] }, 'messages: first message must use the "user" role'],
  [{ messages: [{ role: 'system', content: 'a' }] }, 'messages.0.role: unexpected role "system"'],
  [{ messages: [user('')] }, 'messages.0: content must not be empty'],
  [{ messages: [user([text(' ')])] }, 'messages.0.content.0: text content blocks must be non-empty'],
  [{ messages: [user([text('a', { id: 1 })])] }, 'messages.0.content.0.text.id: Extra inputs are not permitted'],
  [{ messages: [user([{ type: 'output_text' }])] }, 'messages.0.content.0: unknown block type "output_text"'],
  [talk(assistant('a ')), 'messages: final assistant content cannot end with trailing whitespace'],
  [talk(assistant([use('t1')]), user('b')), 'messages.1: tool_use ids without a tool_result in the next message: t1'],
  [
    talk(assistant([use('t1'), use('t2')]), user([result('t1')]), user([result('t2')])),
    'messages.1: tool_use ids without a tool_result in the next message: t2',
  ],
  [talk(assistant([use('t1')])), 'messages.1: tool_use ids without a tool_result in the next message: t1'],
  [{ messages: [user([result('t1')])] }, 'messages.0.content.0: unexpected tool_use_id in a tool_result: t1'],
  [
    talk(assistant([use('t1')]), user([result('t1'), result('t1')])),
    'messages.2.content.1: each tool_use takes a single tool_result, twice: t1',
  ],
  [
    talk(assistant([use('t1')]), user([text('a'), result('t1')])),
    'messages.2.content.1: tool_result blocks must come first in their message',
  ],
  [talk(assistant([use('t1'), use('t1')]), user([result('t1')])), 'messages.1: tool_use ids must be unique, twice: t1'],
  [
    talk(assistant([use('t1', { input: '{}' })]), user([result('t1')])),
    'messages.1.content.0.tool_use.input: Input should be an object',
  ],
  [{ messages: [user([use('t1')])] }, 'messages.0.content.0: tool_use blocks belong in assistant messages'],
  [
    { messages: [user([image({ type: 'base64', media_type: 'image/bmp', data: 'AA==' })])] },
    'messages.0.content.0.image.source.base64.media_type: not supported',
  ],
  [{ tools: [tool('read file')] }, 'tools.0.custom.name: must match ^[a-zA-Z0-9_-]{1,128}$'],
  [{ tools: [tool('a'), tool('a')] }, 'tools: names must be unique, twice: a'],
  [{ tools: [{ name: 'a', input_schema: {} }] }, 'tools.0.custom.input_schema.type: must be "object"'],
  [{ tool_choice: { type: 'any' } }, 'tool_choice: may only be given with tools'],
  [{ thinking: { type: 'enabled', budget_tokens: 9000 } }, 'max_tokens: must be greater than thinking.budget_tokens'],
  [{ thinking: { type: 'enabled', budget_tokens: 10 } }, 'thinking.enabled.budget_tokens: must be at least 1024'],
  [{ thinking: { type: 'adaptive' }, temperature: 0 }, 'temperature: may only be 1 when thinking is on'],
  [
    { thinking: { type: 'adaptive' }, tools: [tool('a')], tool_choice: { type: 'any' } },
    'thinking: cannot go with a tool_choice that forces tool use',
  ],
  [
    {
      system: [text('a', mark)],
      tools: [{ ...tool('a'), ...mark }],
      messages: [user([text('a', mark), text('b', mark), text('c', mark)])],
    },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
  [
    { system: [text('a', { cache_control: { type: 'ephemeral', ttl: '2h' } })] },
    'cache_control.ttl: must be "5m" or "1h"',
  ],
])('%j is refused: %s', async (body, message) => {
  const model = await start({ script: [{ reply: [] }] })
  expect(await refusal(model, body)).toBe(message)
  expect(model.problems).toMatchObject([{ kind: 'refused', message }])
  expect(model.stepsLeft).toBe(1)
})

test.each([
  [{ messages: [user('a'), user('b'), assistant('c'), assistant('d'), user('e')] }],
  [
    talk(
      assistant([text('a'), use('t1'), use('t2')]),
      user([result('t2', { is_error: true }), result('t1'), text('go on')]),
    ),
  ],
  [talk(assistant('Sure:'))],
  [{ system: [text('a', mark)], tools: [tool('a')], tool_choice: { type: 'tool', name: 'a' } }],
  [{ messages: [user([image({ type: 'base64', media_type: 'image/png', data: 'AA==' })])] }],
])('%j is accepted', async (body) => {
  const model = await start({ script: [{ reply: [{ text: 'a' }] }] })
  expect(await refusal(model, body)).toBe('accepted')
})

test('the version header is required', async () => {
  const model = await start({ script: [{ reply: [] }] })
  const sent = ask('anthropic')
  const { status, text: answer } = await send(model, { ...sent, headers: { 'x-api-key': 'k' } })
  expect([status, JSON.parse(answer)]).toMatchObject([
    400,
    { error: { message: 'anthropic-version: header is required' } },
  ])
})

type Blocks = { content: { type: string; [key: string]: unknown }[] }

async function thinkAndCall(model: ScriptedModel): Promise<Blocks['content']> {
  const { text: answer } = await send(model, ask('anthropic', { stream: false }))
  return (JSON.parse(answer) as Blocks).content
}

test('thinking ahead of a tool_use must come back as it was sent', async () => {
  const model = await start({
    script: (request) =>
      request.view.toolResults.length === 0
        ? { reply: [{ thinking: 'deep' }, { redacted: 'dark' }, { call: 'Go', args: {} }] }
        : { reply: [{ text: 'done' }] },
  })
  const content = await thinkAndCall(model)
  const [thinking, redacted, call] = content
  const back = (...blocks: unknown[]) => talk(assistant(blocks), user([result(String(call?.['id']))]))
  expect(await refusal(model, back(...content))).toBe('accepted')
  expect(await refusal(model, { ...back(call), thinking: { type: 'disabled' } })).toBe('accepted')
  expect(await refusal(model, back(call))).toBe(
    `messages.1.content.0.type: Expected thinking or redacted_thinking ahead of tool_use ${String(call?.['id'])}`,
  )
  const modified = 'messages.1: thinking or redacted_thinking blocks in the latest assistant message cannot be modified'
  expect(await refusal(model, back(thinking, call))).toBe(modified)
  expect(await refusal(model, back(redacted, thinking, call))).toBe(modified)
  expect(await refusal(model, back({ ...thinking, thinking: 'deeper' }, redacted, call))).toBe(
    'messages.1.content.0: Invalid signature in thinking block',
  )
  expect(await refusal(model, back({ ...thinking, signature: 'made up' }, redacted, call))).toBe(
    'messages.1.content.0: Invalid signature in thinking block',
  )
  // The turn is over once the user speaks again.
  const later = back(call).messages.concat(assistant('done'), user('next'))
  expect(await refusal(model, { messages: later })).toBe('accepted')
})

test('thinking from another instance is known by its signature', async () => {
  const first = await start({ script: [{ reply: [{ thinking: 'deep' }, { call: 'Go', args: {} }] }] })
  const content = await thinkAndCall(first)
  const second = await start({ script: [{ reply: [{ text: 'a' }] }] })
  const body = talk(assistant(content), user([result(String(content[1]?.['id']))]))
  expect(await refusal(second, body)).toBe('accepted')
})
