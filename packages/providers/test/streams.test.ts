import type { ModelEvent } from '@maru/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { VendorName } from '../src/index.ts'
import { createSseReader, printSseEvent, type SseEvent } from '../src/sse.ts'
import { anthropicWire } from '../src/wire/anthropic.ts'
import { chatWire } from '../src/wire/chat.ts'
import { responsesWire } from '../src/wire/responses.ts'
import type { Wire } from '../src/wire/wire.ts'
import { anthropicStream, chatStream, named, responsesStream, unnamed } from './recorded.ts'
import { finishOf } from './support.ts'

const wires: Readonly<Record<VendorName, Wire>> = {
  anthropic: anthropicWire,
  openai: responsesWire,
  'openai-chat': chatWire('compatible'),
}
const streams: Readonly<Record<VendorName, readonly SseEvent[]>> = {
  anthropic: anthropicStream,
  openai: responsesStream,
  'openai-chat': chatStream,
}
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** All events of a stream that comes in these chunks. */
function readAll(vendor: VendorName, chunks: Iterable<Uint8Array>): ModelEvent[] {
  const sse = createSseReader()
  const reading = wires[vendor].open('m')
  const events: ModelEvent[] = []
  for (const chunk of chunks) for (const event of sse.push(chunk)) events.push(...reading.step(event))
  return [...events, ...reading.end()]
}

function readEvents(vendor: VendorName, events: readonly SseEvent[]): ModelEvent[] {
  return readAll(vendor, [bytesOf(events.map(printSseEvent).join(''))])
}

function tracesOf(events: readonly ModelEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'trace' ? [event.name] : []))
}

describe('every event kind of the vendors, and some of nobody', () => {
  test('anthropic', () => {
    const events = readEvents('anthropic', anthropicStream)
    expect(tracesOf(events)).toEqual([
      'server_started_dreaming',
      'unparsable',
      'content_block_delta',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_delta',
    ])
    expect(finishOf(events)).toEqual({
      type: 'finish',
      stop: 'calls',
      parts: [
        { type: 'reasoning', text: 'Let me think.' },
        {
          type: 'opaque',
          vendor: 'anthropic',
          data: { model: 'm', item: { type: 'thinking', thinking: 'Let me think.', signature: 'sig-part-1-part-2' } },
        },
        {
          type: 'opaque',
          vendor: 'anthropic',
          data: { model: 'm', item: { type: 'redacted_thinking', data: 'REDACTED' } },
        },
        { type: 'text', text: 'Hello 세계' },
        { type: 'call', callId: 'toolu_1', tool: 'ReadFile', args: { path: 'a.ts' } },
        { type: 'call', callId: 'toolu_2', tool: 'ReadFile', args: {} },
        { type: 'call', callId: 'toolu_3', tool: 'ReadFile', args: '{"path": ' },
      ],
      usage: { input: 111, output: 57, cacheRead: 90, cacheWrite: 11, reasoning: 7 },
      metadata: { id: 'msg_1', model: 'claude-x' },
    })
  })

  test('openai', () => {
    const events = readEvents('openai', responsesStream)
    expect(tracesOf(events)).toEqual([
      'response.web_search_call.searching',
      'response.dreamed',
      'unparsable',
      'response.output_item.added',
      'response.output_item.done',
    ])
    const { parts, stop, usage } = finishOf(events)
    expect(stop).toBe('calls')
    expect(parts).toEqual([
      { type: 'reasoning', text: 'First.\n\nSecond.' },
      {
        type: 'opaque',
        vendor: 'openai',
        data: {
          model: 'm',
          item: {
            type: 'reasoning',
            id: 'rs_1',
            encrypted_content: 'WHOLE',
            summary: [
              { type: 'summary_text', text: 'First.' },
              { type: 'summary_text', text: 'Second.' },
            ],
          },
        },
      },
      { type: 'text', text: 'Hello 세계' },
      { type: 'text', text: 'Only in the end.' },
      { type: 'call', callId: 'call_1', tool: 'ReadFile', args: { path: 'a' } },
      { type: 'call', callId: 'call_2', tool: 'ReadFile', args: { path: 'b' } },
    ])
    expect(usage).toEqual({ input: 75, output: 20, cacheRead: 64, cacheWrite: 3, reasoning: 5 })
  })

  test('openai-chat', () => {
    const events = readEvents('openai-chat', chatStream)
    expect(tracesOf(events)).toEqual(['unknown', 'unparsable'])
    const { parts, stop, usage } = finishOf(events)
    expect(stop).toBe('calls')
    expect(parts).toEqual([
      { type: 'reasoning', text: 'Let me think.' },
      { type: 'opaque', vendor: 'openai-chat', data: { model: 'm', item: { field: 'reasoning_content' } } },
      { type: 'text', text: 'Hello 세계' },
      { type: 'call', callId: 'call_1', tool: 'ReadFile', args: { path: 'a' } },
      { type: 'call', callId: 'call_2', tool: 'ReadFile', args: { path: 'b' } },
    ])
    expect(usage).toEqual({ input: 30, output: 9, cacheRead: 20, reasoning: 2 })
  })
})

describe('however a stream is cut up, it says the same', () => {
  const marked = { '': '', 'a byte order mark': '\uFEFF' }
  for (const vendor of ['anthropic', 'openai', 'openai-chat'] as const) {
    const text = streams[vendor].map(printSseEvent).join('')
    const whole = readAll(vendor, [bytesOf(text)])

    for (const lineEnd of ['\n', '\r\n', '\r']) {
      for (const [name, mark] of Object.entries(marked)) {
        test(`${vendor}: one byte at a time, ${JSON.stringify(lineEnd)} ${name}`, () => {
          const bytes = bytesOf(mark + text.replaceAll('\n', lineEnd))
          expect(
            readAll(
              vendor,
              Array.from(bytes, (byte) => Uint8Array.of(byte)),
            ),
          ).toEqual(whole)
        })
      }
    }

    test(`${vendor}: at any places`, () => {
      const bytes = bytesOf(text.replaceAll('\n', '\r\n'))
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 60 }), (places) => {
          const cuts = [0, ...places.toSorted((a, b) => a - b), bytes.length]
          const chunks = cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end))
          expect(readAll(vendor, chunks)).toEqual(whole)
        }),
        { numRuns: 200 },
      )
    })

    test(`${vendor}: broken off at any byte it ends once, with a beginning of what it would have said`, () => {
      const bytes = bytesOf(text)
      const deltas = (events: readonly ModelEvent[]) => events.filter((event) => event.type !== 'finish').slice(0, -1)
      for (let end = 0; end < bytes.length; end += 1) {
        const events = readAll(vendor, [bytes.subarray(0, end)])
        const endings = events.filter((event) => event.type === 'finish' || event.type === 'failure')
        expect(endings).toEqual([events.at(-1)])
        const said = deltas(events)
        expect(whole.slice(0, said.length)).toEqual(said)
        const ending = events.at(-1)
        if (ending?.type !== 'failure') continue
        expect(ending.failure.code).toBe('cut')
        const ready = events.flatMap((event) => (event.type === 'call-ready' ? [event.callId] : []))
        const kept = ending.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []))
        expect(kept.toSorted()).toEqual(ready.toSorted())
      }
    })
  }

  test('bytes that are no stream at all do no harm', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(['anthropic', 'openai', 'openai-chat'] as const)),
        fc.uint8Array(),
        (vendor, noise) => {
          expect(readAll(vendor, [noise, bytesOf('\n\n')]).at(-1)?.type).toBe('failure')
        },
      ),
    )
  })

  test('events of any JSON do no harm', () => {
    const types = ['message_start', 'content_block_start', 'content_block_delta', 'message_delta', 'response.completed']
    const json = fc.record({ type: fc.constantFrom(...types), x: fc.jsonValue() }, { requiredKeys: [] })
    const odd = fc.oneof(fc.jsonValue(), json, fc.record({ choices: fc.jsonValue(), usage: fc.jsonValue() }))
    fc.assert(
      fc.property(
        fc.constantFrom(...(['anthropic', 'openai', 'openai-chat'] as const)),
        fc.array(odd),
        (vendor, list) => {
          const events = readEvents(
            vendor,
            list.map((value) => ({ data: JSON.stringify(value) })),
          )
          expect(['finish', 'failure']).toContain(events.at(-1)?.type)
        },
      ),
    )
  })
})

describe('why the model stopped', () => {
  const stopOf = (vendor: VendorName, events: readonly SseEvent[]) => finishOf(readEvents(vendor, events)).stop

  test.each([
    ['end_turn', 'end'],
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop-sequence'],
    ['pause_turn', 'pause'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context-full'],
    ['bored', 'other'],
  ])('anthropic: %s is %s', (reason, stop) => {
    expect(stopOf('anthropic', [named({ type: 'message_delta', delta: { stop_reason: reason } })])).toBe(stop)
  })

  test.each([
    ['completed', undefined, 'end'],
    ['incomplete', 'max_output_tokens', 'length'],
    ['incomplete', 'content_filter', 'filter'],
    ['incomplete', 'bored', 'other'],
  ])('openai: %s %s is %s', (status, reason, stop) => {
    const response = { status, incomplete_details: reason === undefined ? null : { reason } }
    expect(stopOf('openai', [named({ type: `response.${status}`, response })])).toBe(stop)
  })

  test.each([
    ['stop', 'end'],
    ['length', 'length'],
    ['content_filter', 'filter'],
    ['bored', 'other'],
  ])('openai-chat: %s is %s', (reason, stop) => {
    expect(stopOf('openai-chat', [unnamed({ choices: [{ delta: {}, finish_reason: reason }] })])).toBe(stop)
  })

  test('a refusal is told as text', () => {
    const chat = [
      unnamed({ choices: [{ delta: { refusal: 'No.' } }] }),
      unnamed({ choices: [{ finish_reason: 'stop' }] }),
    ]
    const responses = [
      named({ type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'No.' }),
      named({ type: 'response.completed', response: { status: 'completed' } }),
    ]
    for (const finish of [finishOf(readEvents('openai-chat', chat)), finishOf(readEvents('openai', responses))]) {
      expect(finish).toMatchObject({ stop: 'refusal', parts: [{ type: 'text', text: 'No.' }] })
    }
  })
})

describe('servers that speak chat in their own way', () => {
  const end = unnamed({ choices: [{ delta: {}, finish_reason: 'stop' }] })
  const calls = (...pieces: unknown[]) =>
    finishOf(
      readEvents('openai-chat', [
        ...pieces.map((piece) => unnamed({ choices: [{ delta: { tool_calls: [piece] } }] })),
        end,
      ]),
    )
  const a = { type: 'call', tool: 'A', args: { x: 1 } }
  const b = { type: 'call', tool: 'B', args: { y: 2 } }

  test('calls whole in one piece, without index, with or without an id, and "stop" as the reason', () => {
    const made = calls(
      { function: { name: 'A', arguments: '{"x":1}' } },
      { function: { name: 'B', arguments: { y: 2 } } },
    )
    expect(made.stop).toBe('calls')
    expect(made.parts).toEqual([
      { ...a, callId: 'call-1' },
      { ...b, callId: 'call-2' },
    ])
    expect(
      calls({ id: 'i', function: { name: 'A', arguments: '{"x"' } }, { id: 'i', function: { arguments: ':1}' } }).parts,
    ).toEqual([{ ...a, callId: 'i' }])
  })

  test('every call with the index 0, or every call with the same id', () => {
    const zero = calls(
      { index: 0, id: 'p', function: { name: 'A', arguments: '{"x":1}' } },
      { index: 0, id: 'q', function: { name: 'B', arguments: '{"y":2}' } },
    )
    expect(zero.parts).toEqual([
      { ...a, callId: 'p' },
      { ...b, callId: 'q' },
    ])
    const same = calls(
      { index: 0, id: 'p', function: { name: 'A', arguments: '{"x":1}' } },
      { index: 1, id: 'p', function: { name: 'B', arguments: '{"y":2}' } },
    )
    expect(same.parts).toEqual([
      { ...a, callId: 'p' },
      { ...b, callId: 'p-2' },
    ])
  })

  test('arguments before the name, and a call that never gets one', () => {
    expect(
      calls(
        { index: 0, id: 'p', function: { arguments: '{"x":' } },
        { index: 0, function: { name: 'A', arguments: '1}' } },
      ).parts,
    ).toEqual([{ ...a, callId: 'p' }])
    expect(calls({ index: 0, id: 'p', function: { arguments: '{}' } })).toMatchObject({ stop: 'end', parts: [] })
  })

  test('thoughts in either field, once', () => {
    const thoughts = [{ reasoning: 'a' }, { reasoning: 'b', reasoning_content: 'b' }, { content: 'c' }]
    const events = readEvents('openai-chat', [...thoughts.map((delta) => unnamed({ choices: [{ delta }] })), end])
    expect(finishOf(events).parts).toEqual([
      { type: 'reasoning', text: 'ab' },
      { type: 'opaque', vendor: 'openai-chat', data: { model: 'm', item: { field: 'reasoning' } } },
      { type: 'text', text: 'c' },
    ])
  })

  test('no usage, no [DONE], and an error that is a string', () => {
    expect('usage' in finishOf(readEvents('openai-chat', [end]))).toBe(false)
    const failed = readEvents('openai-chat', [unnamed({ error: 'out of memory' })]).at(-1)
    expect(failed).toMatchObject({
      type: 'failure',
      failure: { code: 'server', message: expect.stringContaining('out of memory') },
    })
  })
})

test('with max tokens a call that was complete stays, one that was not goes', () => {
  const piece = (index: number, args: string) => ({ index, id: `i${index}`, function: { name: 'A', arguments: args } })
  const delta = { tool_calls: [piece(0, '{"x":1}'), piece(1, '{"x":'), piece(2, '')] }
  const finish = finishOf(readEvents('openai-chat', [unnamed({ choices: [{ delta, finish_reason: 'length' }] })]))
  expect(finish).toMatchObject({ stop: 'length', parts: [{ type: 'call', callId: 'i0', tool: 'A', args: { x: 1 } }] })
  expect(finish.parts.length).toBe(1)
})

test('20,000 deltas are read in time that grows with their number alone', () => {
  const delta = (text: string) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
  const start = named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
  const stop = named({ type: 'message_delta', delta: { stop_reason: 'end_turn' } })
  const read = (count: number) => {
    const bytes = bytesOf(
      [start, ...Array.from({ length: count }, () => delta('0123456789')), stop].map(printSseEvent).join(''),
    )
    const began = performance.now()
    const finish = finishOf(readAll('anthropic', [bytes]))
    expect(finish.parts).toEqual([{ type: 'text', text: '0123456789'.repeat(count) }])
    return performance.now() - began
  }
  // What else the machine does makes some of them slow, a growing copy every one.
  const fastest = (count: number) => Math.min(...[1, 2, 3].map(() => read(count)))
  // Ten times the deltas in far less than the hundred times the time that a growing copy would take.
  expect(fastest(20_000)).toBeLessThan(Math.max(40 * fastest(2_000), 1_000))
})
