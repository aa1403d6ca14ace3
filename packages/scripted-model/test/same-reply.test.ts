import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Chunking, ReplyPart, WireName } from '../src/index.ts'
import { ask, payloadsOf, send, start } from './client.ts'

type Said = { text: string; calls: { name: string; args: unknown }[] }

const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/)
const part: fc.Arbitrary<ReplyPart> = fc.oneof(
  fc.record({ text: fc.string({ unit: 'binary', maxLength: 40 }) }),
  fc.record({ thinking: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }) }),
  fc.record({ redacted: fc.string() }),
  fc.record({
    call: name,
    args: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }) as fc.Arbitrary<never>,
  }),
)
const chunk = fc.oneof(fc.constantFrom<Chunking>('none', 'every-event'), fc.integer({ min: 5, max: 200 }))

test('any reply is put together to the same texts and calls on all wires, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 5 }),
      fc.record({
        deltaSize: fc.integer({ min: 1, max: 20 }),
        chunk,
        interleaveCalls: fc.boolean(),
        crlf: fc.boolean(),
      }),
      async (reply, delivery) => {
        const model = await start({ script: () => ({ reply }), delivery })
        const whole: Said = {
          text: reply.map((one) => ('text' in one ? one.text : '')).join(''),
          calls: reply.flatMap((one) =>
            'args' in one ? [{ name: one.call, args: json(JSON.stringify(one.args)) }] : [],
          ),
        }
        for (const wire of ['anthropic', 'responses', 'chat'] as const) {
          const { text } = await send(model, ask(wire))
          expect({ wire, ...assemble[wire](payloadsOf(text) as Payload[]) }).toEqual({ wire, ...whole })
        }
        await model.close()
      },
    ),
    { numRuns: 40 },
  )
})

/** As much of the three vendors' payloads as the parts below read. */
type Payload = {
  readonly type: string
  readonly index: number
  readonly output_index: number
  readonly content_block: { readonly name?: string }
  readonly item: { readonly type: string; readonly name?: string; readonly arguments?: string }
  readonly choices?: readonly { readonly delta: ChatDelta }[]
  readonly delta?: string | { readonly type: string; readonly text: string; readonly partial_json: string }
}

type ChatDelta = {
  readonly content?: string
  readonly tool_calls?: readonly {
    readonly index: number
    readonly id?: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

type Draft = { readonly name: string | undefined; text: string }

function json(text: string): unknown {
  return text === '' ? {} : JSON.parse(text)
}

const assemble: Record<WireName, (payloads: Payload[]) => Said> = {
  anthropic(payloads) {
    const blocks = new Map<number, Draft>()
    for (const data of payloads) {
      if (data.type === 'content_block_start') blocks.set(data.index, { name: data.content_block.name, text: '' })
      const block = blocks.get(data.index)
      if (block === undefined || typeof data.delta !== 'object') continue
      if (data.delta.type === 'text_delta') block.text += data.delta.text
      if (data.delta.type === 'input_json_delta') block.text += data.delta.partial_json
    }
    const all = [...blocks.values()]
    return {
      text: all.map((block) => (block.name === undefined ? block.text : '')).join(''),
      calls: all.flatMap((block) => (block.name === undefined ? [] : [{ name: block.name, args: json(block.text) }])),
    }
  },
  responses(payloads) {
    const items: Draft[] = []
    for (const { type, item, output_index: index, delta } of payloads) {
      if (type === 'response.output_item.added') items[index] = { name: item.name, text: '' }
      const target = items[index]
      const isText = /^response\.(output_text|function_call_arguments)\.delta$/.test(type)
      if (target && isText && typeof delta === 'string') target.text += delta
      if (type === 'response.output_item.done' && item.type === 'function_call')
        expect(target?.text).toBe(item.arguments)
    }
    return {
      text: items.map((item) => (item.name === undefined ? item.text : '')).join(''),
      calls: items.flatMap((item) => (item.name === undefined ? [] : [{ name: item.name, args: json(item.text) }])),
    }
  },
  chat(payloads) {
    const calls: { name: string; text: string }[] = []
    let text = ''
    for (const data of payloads) {
      const delta: ChatDelta = data.choices?.[0]?.delta ?? {}
      text += delta.content ?? ''
      for (const { index, id, function: made } of delta.tool_calls ?? []) {
        if (id !== undefined) calls[index] = { name: made.name, text: '' }
        const call = calls[index]
        if (call) call.text += made.arguments
      }
    }
    return { text, calls: calls.map((call) => ({ name: call.name, args: json(call.text) })) }
  },
}
