import type { Json, ModelMessage, ModelRequest } from '@maru/protocol'
import { describe, expect, test } from 'vitest'
import { findModel } from '../src/index.ts'
import { fieldsOf, listOf } from '../src/json.ts'
import { anthropicWire } from '../src/wire/anthropic.ts'
import { chatWire } from '../src/wire/chat.ts'
import { responsesWire } from '../src/wire/responses.ts'
import { isStrictSchema } from '../src/wire/strict-schema.ts'
import { ask, readFile, user } from './support.ts'

const anthropic = (model: string, over: Partial<ModelRequest> = {}) =>
  anthropicWire.body(ask({ model, ...over }), findModel(model))
const openai = (model: string, over: Partial<ModelRequest> = {}) =>
  responsesWire.body(ask({ model, ...over }), findModel(model))

const result = (callId: string): ModelMessage => user({ type: 'result', callId, ok: true, text: 'r' })
const call = (callId: string, args: Json = {}, vendorId?: string): ModelMessage => ({
  role: 'assistant',
  parts: [{ type: 'call', callId, tool: 'ReadFile', args, ...(vendorId === undefined ? {} : { vendorId }) }],
})

describe('how hard a model thinks', () => {
  const thinking = (model: string, params: ModelRequest['params']) => {
    const { thinking: setting, output_config: output, tool_choice: choice } = anthropic(model, { params })
    return { setting, output, choice }
  }

  test('adaptive models are asked for summaries, with the nearest effort they know', () => {
    const setting = { type: 'adaptive', display: 'summarized' }
    expect(thinking('claude-opus-5-5', {})).toEqual({ setting })
    expect(thinking('claude-opus-5-5-20261001', { effort: 'minimal' })).toEqual({ setting, output: { effort: 'low' } })
    expect(thinking('claude-sonnet-5', { effort: 'max' })).toEqual({ setting, output: { effort: 'max' } })
    expect(thinking('claude-sonnet-5', { effort: 'ultra' })).toEqual({ setting, output: { effort: 'ultra' } })
  })

  test('models with a budget get one below the limit of the answer', () => {
    expect(thinking('claude-haiku-4-5', {})).toEqual({})
    expect(thinking('claude-haiku-4-5', { effort: 'high' })).toEqual({
      setting: { type: 'enabled', budget_tokens: 20_480 },
    })
    expect(thinking('claude-haiku-4-5', { effort: 'high', maxOutput: 4_000 })).toEqual({
      setting: { type: 'enabled', budget_tokens: 3_999 },
    })
    expect(thinking('claude-haiku-4-5', { effort: 'high', maxOutput: 1_000 })).toEqual({})
  })

  test('a forced call switches thinking off where that can be done, and is left out where it is refused', () => {
    const any = { type: 'any' }
    expect(thinking('claude-opus-5', { forceTool: true, effort: 'max' })).toEqual({
      setting: { type: 'disabled' },
      output: { effort: 'high' },
      choice: any,
    })
    expect(thinking('claude-haiku-4-5', { forceTool: true, effort: 'high' })).toEqual({ choice: any })
    expect(thinking('claude-opus-5-5', { forceTool: true })).toEqual({
      setting: { type: 'adaptive', display: 'summarized' },
    })
  })

  test('a model that does not reason is not asked to', () => {
    expect(openai('gpt-4.1', { params: { effort: 'high' } })).not.toHaveProperty('reasoning')
    expect(openai('gpt-6.1-sol', { params: { effort: 'none' } })['reasoning']).toEqual({
      effort: 'low',
      summary: 'auto',
    })
  })
})

describe('caches', () => {
  test('marks stand after the system text and on the last two user messages, never more', () => {
    const messages = [user('a'), call('c1'), result('c1'), call('c2'), result('c2'), call('c3'), result('c3')]
    const body = anthropic('claude-opus-5-5', { messages })
    const marked = listOf(body['messages']).map(
      (message) => listOf(fieldsOf(message)['content']).filter((block) => 'cache_control' in fieldsOf(block)).length,
    )
    expect(marked).toEqual([0, 0, 0, 0, 1, 0, 1])
    expect(JSON.stringify(body).split('cache_control').length - 1).toBe(3)
    expect(JSON.stringify(body['system'])).toContain('cache_control')
    const bare = anthropic('claude-opus-5-5', { system: '' })
    expect(JSON.stringify(bare['tools'])).toContain('cache_control')
  })

  test('one key for a conversation, another for the next', () => {
    const key = (messages: ModelMessage[]) => openai('gpt-6.1-sol', { messages })['prompt_cache_key']
    const first = key([user('a')])
    expect(first).toMatch(/^maru-[0-9a-f]{16}$/)
    expect(key([user('a'), call('c1'), result('c1')])).toBe(first)
    expect(key([user('b')])).not.toBe(first)
  })

  test('only OpenAI itself is sent what other servers of chat may refuse', () => {
    const body = (dialect: 'openai' | 'compatible') =>
      chatWire(dialect).body(ask({ params: { maxOutput: 5 } }), findModel('test-model'))
    expect(body('openai')).toMatchObject({ max_completion_tokens: 5, prompt_cache_key: expect.any(String) })
    expect(Object.keys(body('compatible'))).toEqual([
      'model',
      'stream',
      'stream_options',
      'max_tokens',
      'tools',
      'messages',
    ])
  })
})

describe('messages every vendor takes', () => {
  const content = (body: { readonly [key: string]: unknown }, at: number) =>
    fieldsOf(listOf(body['messages'])[at])['content']

  test('neighbours of one role are one, results come first, blank text is left out, the last word is a user’s', () => {
    const messages: ModelMessage[] = [
      user('a'),
      user('  '),
      call('c1'),
      call('c2'),
      user('steer', { type: 'result', callId: 'c2', ok: true, text: 'two' }),
      result('c1'),
      { role: 'assistant', parts: [{ type: 'text', text: 'half' }] },
    ]
    const { messages: sent } = anthropic('m', { messages })
    expect(listOf(sent).map((message) => [fieldsOf(message)['role'], types(message)])).toEqual([
      ['user', ['text']],
      ['assistant', ['tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result', 'text']],
      ['assistant', ['text']],
      ['user', ['text']],
    ])
  })

  function types(message: unknown): unknown[] {
    return listOf(fieldsOf(message)['content']).map((block) => fieldsOf(block)['type'])
  }

  test('ids are the vendor’s where they can be, ours where they come twice, and of signs all vendors take', () => {
    const messages = [
      user('a'),
      call('c1', {}, 'call_0'),
      result('c1'),
      call('c2', {}, 'call_0'),
      result('c2'),
      call('c.3'),
      result('c.3'),
    ]
    const { input } = openai('m', { messages })
    expect(listOf(input).flatMap((item) => fieldsOf(item)['call_id'] ?? [])).toEqual([
      'call_0',
      'call_0',
      'c2',
      'c2',
      'c_3',
      'c_3',
    ])
  })

  test('arguments that were no object are shown to the model as it wrote them', () => {
    const messages = [user('a'), call('c1', '{"path": '), result('c1')]
    expect(content(anthropic('m', { messages }), 1)).toEqual([
      { type: 'tool_use', id: 'c1', name: 'ReadFile', input: { arguments: '{"path": ' } },
    ])
  })

  test('reasoning whose call was dropped is dropped with it', () => {
    const opaque = {
      type: 'opaque' as const,
      vendor: 'openai',
      data: { model: 'm', item: { type: 'reasoning', id: 'rs', summary: [] } },
    }
    const send = (parts: ModelMessage['parts']) =>
      listOf(openai('m', { messages: [user('a'), { role: 'assistant', parts }, user('b')] })['input']).map(
        (item) => fieldsOf(item)['type'],
      )
    expect(send([{ type: 'text', text: 'x' }, opaque])).toEqual(['message', 'message', 'message'])
    expect(send([opaque, { type: 'text', text: 'x' }])).toEqual(['message', 'reasoning', 'message', 'message'])
  })

  test('chat gets thoughts back in the field they came in, while the turn is open', () => {
    const parts: ModelMessage['parts'] = [
      { type: 'reasoning', text: 'hm' },
      { type: 'opaque', vendor: 'openai-chat', data: { model: 'm', item: { field: 'reasoning_content' } } },
      ...call('c1').parts,
    ]
    const messages: ModelMessage[] = [user('a'), { role: 'assistant', parts }, result('c1')]
    const sent = (list: ModelMessage[]) =>
      listOf(chatWire('compatible').body(ask({ model: 'm', messages: list }), findModel('m'))['messages'])[2]
    expect(sent(messages)).toMatchObject({ role: 'assistant', reasoning_content: 'hm' })
    expect(sent([...messages, user('next')])).not.toHaveProperty('reasoning_content')
  })

  test('a schema is strict only where each object is closed and all of it required', () => {
    const strict = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    expect(isStrictSchema(strict)).toBe(true)
    expect(isStrictSchema({ ...strict, required: [] })).toBe(false)
    expect(isStrictSchema({ ...strict, properties: { a: readFile.schema } })).toBe(false)
  })
})
