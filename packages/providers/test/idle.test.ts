import type { ModelEvent } from '@maru/protocol'
import { expect, test } from 'vitest'
import { createProvider } from '../src/index.ts'
import type { Transport } from '../src/transport.ts'
import { ask, fakeTimers, KEY, last } from './support.ts'

/** A transport whose body comes when the test says so. */
function openHand(): { transport: Transport; ready(): Promise<void>; push(text: string): Promise<void> } {
  let give: ((text: string) => void) | undefined
  async function* body() {
    for (;;) yield new TextEncoder().encode(await new Promise<string>((resolve) => (give = resolve)))
  }
  async function ready() {
    while (give === undefined) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    transport: async () => ({ status: 200, headers: {}, body: body() }),
    ready,
    async push(text) {
      await ready()
      const take = give
      give = undefined
      take?.(text)
      // What was pushed is read before time goes on.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

async function watch(
  idleMs: number,
  act: (hand: ReturnType<typeof openHand>, advance: (ms: number) => void, events: ModelEvent[]) => Promise<void>,
) {
  const hand = openHand()
  const timers = fakeTimers()
  const limits = { idleMs, retries: 0 }
  const maru = createProvider({ vendor: 'anthropic', key: KEY, transport: hand.transport, timers, limits })
  const events: ModelEvent[] = []
  const reading = (async () => {
    for await (const event of maru.stream(ask(), new AbortController().signal)) events.push(event)
  })()
  await hand.ready()
  await act(hand, timers.advance, events)
  return { events, reading }
}

const ping = 'event: ping\ndata: {"type":"ping"}\n\n'
const unknown = 'event: future\ndata: {"type":"future"}\n\n'
const start = 'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}\n\n'
const delta = 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}\n\n'

test('pings, comments, unknown events and bytes do not keep a silent model alive', async () => {
  const { events, reading } = await watch(120_000, async (hand, advance) => {
    for (const noise of [ping, ': keep-alive\n\n', unknown, delta.slice(0, 20)]) {
      advance(29_000)
      await hand.push(noise)
    }
    advance(4_000)
  })
  await reading
  expect(last(events)).toEqual({
    type: 'failure',
    failure: { code: 'timeout', message: 'api.anthropic.com sent no event for 120 s: try again' },
    parts: [],
  })
})

test('each event of the model gives it the whole time again, and what it said is kept', async () => {
  const { events, reading } = await watch(60_000, async (hand, advance, said) => {
    for (const event of [start, delta, delta]) {
      advance(59_000)
      await hand.push(event)
    }
    advance(59_999)
    expect(said.map((event) => event.type)).toEqual(['text-delta', 'text-delta', 'text-delta'])
    advance(1)
  })
  await reading
  expect(last(events)).toMatchObject({ failure: { code: 'timeout' }, parts: [{ type: 'text', text: 'abb' }] })
})

test('a server that only forgets to hang up has still finished', async () => {
  const { events, reading } = await watch(60_000, async (hand, advance) => {
    await hand.push(`${start}data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n`)
    advance(60_000)
  })
  await reading
  expect(last(events)).toMatchObject({ type: 'finish', stop: 'end', parts: [{ type: 'text', text: 'a' }] })
})
