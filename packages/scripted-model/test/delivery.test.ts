import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Chunk } from '../src/chunks.ts'
import { cutJson, cutText } from '../src/fragments.ts'
import type { Step } from '../src/index.ts'
import { play, sleepInTime } from '../src/player.ts'
import { ask, eventsOf, payloadsOf, send, start } from './client.ts'

const wires = ['anthropic', 'responses', 'chat'] as const
const reply = [{ thinking: '음…' }, { text: '안녕하세요 👩‍💻 세상' }, { call: 'Go', args: { a: '값', b: [1, 2] } }]
const step: Step = { reply, usage: { input: 1, output: 1 } }

test.each(wires)(
  '%s: an end, a FIN or a RST at any byte comes after that many bytes of the intact stream',
  async (wire) => {
    const whole = Buffer.from((await send(await start({ script: [step] }), ask(wire))).text)
    const kinds = { end: 'end', close: 'aborted', reset: 'read ECONNRESET' } as const
    for (const afterBytes of [0, 1, 120, 333, whole.length - 1]) {
      for (const [kind, outcome] of Object.entries(kinds)) {
        const fault = { afterBytes, kind: kind as keyof typeof kinds }
        // A fresh model each time: ids must be the same for bytes to be.
        const received = await send(await start({ script: [{ ...step, fault }] }), ask(wire))
        expect({ kind, outcome: received.outcome }).toEqual({ kind, outcome })
        expect(Buffer.concat(received.pieces).equals(whole.subarray(0, afterBytes))).toBe(true)
      }
    }
  },
)

test('a stall sends its bytes and then nothing, until the client or the model closes', async () => {
  const fault = { afterBytes: 300, kind: 'stall' } as const
  const model = await start({
    script: [
      { ...step, fault },
      { ...step, fault },
    ],
  })
  const left = await send(model, { ...ask('anthropic'), hangUp: (text) => Buffer.byteLength(text) >= 300 })
  expect(left.outcome).toBe('hung-up')
  expect(Buffer.byteLength(left.text)).toBe(300)
  const closed = await send(model, {
    ...ask('anthropic'),
    hangUp: (text) => {
      if (Buffer.byteLength(text) >= 300) void model.close()
      return false
    },
  })
  expect(closed.outcome).toBe('aborted')
})

test.each(['every-byte', 'every-event', 7, 'none'] as const)(
  'chunk %s groups the bytes and changes none',
  async (chunk) => {
    const whole = (await send(await start({ script: [step] }), ask('anthropic'))).text
    const { pieces, text } = await send(await start({ script: [step], delivery: { chunk } }), ask('anthropic'))
    expect(text).toBe(whole)
    const sizes = new Set(pieces.slice(0, -1).map((piece) => piece.length))
    if (chunk === 'every-byte') expect(sizes).toEqual(new Set([1]))
    if (chunk === 7) expect(sizes).toEqual(new Set([7]))
    if (chunk === 'every-event')
      expect(pieces.map((piece) => eventsOf(piece.toString()).length)).toEqual(pieces.map(() => 1))
    if (chunk === 'none') expect(pieces).toHaveLength(1)
  },
)

test('fetch too sees a reset as an error, after all bytes before it', async () => {
  const body = Buffer.from('data: 1\n\n')
  const model = await start({ script: [{ raw: { status: 200, body, end: 'reset' } }] })
  const { path, headers = {}, body: asked } = ask('chat')
  const response = await fetch(model.url + path, { method: 'POST', headers, body: JSON.stringify(asked) })
  const reader = response.body?.getReader()
  expect((await reader?.read())?.value).toEqual(new Uint8Array(body))
  await expect(reader?.read()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
})

test('pauses come before the first byte and after each delta', async () => {
  const slept: number[] = []
  const delivery = { firstDelayMs: 500, deltaDelayMs: 20, deltaSize: 2 }
  const sleep = async (ms: number) => {
    slept.push(ms)
  }
  const model = await start({ script: [{ reply: [{ text: 'abcdef' }] }], delivery, sleep })
  const { pieces } = await send(model, ask('chat'))
  expect(slept).toEqual([500, 20, 20, 20])
  expect(pieces.map((piece) => eventsOf(piece.toString()).length)).toEqual([2, 1, 1, 2])
})

test('a pause ends early when the model closes', async () => {
  let woken = false
  const sleep = async (ms: number, signal: AbortSignal) => {
    await sleepInTime(ms, signal)
    woken = signal.aborted
  }
  const model = await start({ script: [{ ...step, delivery: { deltaDelayMs: 600_000 } }], sleep })
  const { outcome } = await send(model, {
    ...ask('chat'),
    hangUp: () => {
      void model.close()
      return false
    },
  })
  expect(outcome).toBe('aborted')
  expect(woken).toBe(true)
})

test('text is never cut inside a character, arguments are cut anywhere', () => {
  expect([...cutText('a👩‍💻b', 2)]).toEqual(['a👩', '\u200d💻', 'b'])
  expect([...cutText('👩👩', 1)]).toEqual(['👩', '👩'])
  expect([...cutJson('"👩"', 2)]).toEqual(['"\ud83d', '\udc69"'])
})

test('line ends, pings, comments and unknown events are strewn in as asked', async () => {
  const delivery = { crlf: true, noise: ['ping', 'comment', 'unknown-event'], noiseEvery: 2, deltaSize: 1 } as const
  const script: Step[] = wires.map(() => ({ reply: [{ text: 'abc' }], delivery }))
  const model = await start({ script })
  const anthropic = (await send(model, ask('anthropic'))).text
  expect(anthropic.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(anthropic).toContain('\r\n\r\n: keep-alive\r\n\r\n')
  expect(eventsOf(anthropic).map((event) => event.event)).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'content_block_delta',
    'content_block_delta',
    'ping',
    'future_event',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  const responses = payloadsOf((await send(model, ask('responses'))).text) as {
    type: string
    sequence_number: number
  }[]
  expect(responses.map((data) => data.sequence_number)).toEqual(responses.map((_, at) => at))
  expect(responses[6]).toEqual({ type: 'response.future_event', note: 'not known yet', sequence_number: 6 })
  const chat = (await send(model, ask('chat'))).text
  expect(payloadsOf(chat)[3]).toMatchObject({ object: 'chat.completion.future', choices: [] })
})

test('twenty thousand deltas arrive whole', async () => {
  const text = '가나다라마바사아자차'.repeat(20_000)
  const model = await start({ script: [{ reply: [{ text }], delivery: { deltaSize: 10 } }] })
  const received = await send(model, ask('responses'))
  const deltas = payloadsOf(received.text).flatMap((data) => (data as { delta?: string }).delta ?? [])
  expect(deltas).toHaveLength(20_000)
  expect(deltas.join('')).toBe(text)
})

test('raw bytes are played as they are, and end as asked', async () => {
  const bytes = Buffer.from('\ufeffevent:x\ndata:{"a":"값"}\n\n')
  const headers = { 'content-type': 'text/event-stream', 'x-y': 'z' }
  const raw = { status: 200, headers, body: bytes.toString('base64'), chunk: 'every-byte' } as const
  const slept: number[] = []
  const model = await start({
    script: [
      { raw: { ...raw, end: 'close' } },
      { raw: { ...raw, body: bytes, end: 'reset' } },
      { raw: { status: 302, headers: { location: 'https://evil.example/' }, body: '' } },
      { raw: { ...raw, chunk: 8, delayMs: 10_000 } },
      { raw: { ...raw, end: 'stall' } },
    ],
    sleep: async (ms) => {
      slept.push(ms)
    },
  })
  const closed = await send(model, ask('anthropic'))
  expect(closed.outcome).toBe('end')
  expect(Buffer.concat(closed.pieces)).toEqual(bytes)
  expect(closed.headers).toEqual({ ...headers, connection: 'close' })
  expect(model.stepsLeft).toBe(4)
  const reset = await send(model, ask('chat'))
  expect(reset.outcome).toBe('read ECONNRESET')
  expect(Buffer.concat(reset.pieces)).toEqual(bytes)
  const moved = await send(model, ask('responses'))
  expect([moved.status, moved.headers.location, moved.text]).toEqual([302, 'https://evil.example/', ''])
  await send(model, ask('responses'))
  expect(slept).toEqual(Array.from({ length: Math.ceil(bytes.length / 8) }, () => 10_000))
  const stalled = await send(model, { ...ask('chat'), hangUp: (text) => Buffer.byteLength(text) === bytes.length })
  expect(stalled.outcome).toBe('hung-up')
})

test('a client that does not read holds the stream back', async () => {
  let made = 0
  const total = 4000
  function* chunks(): Generator<Chunk> {
    for (; made < total; made += 1) yield { bytes: Buffer.alloc(32_768), pauseMs: 0 }
  }
  const stop = new AbortController()
  const server = createServer((_incoming, response) => {
    const performance = { chunks: chunks(), end: 'end', isSeparate: false, firstDelayMs: 0 } as const
    void play(response, performance, { sleep: sleepInTime, signal: stop.signal })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const incoming = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve))
  // Nobody reads: what is made stays the same over many turns of the loop once the kernel is full.
  let before = -1
  for (let calm = 0; calm < 200; calm = made === before ? calm + 1 : 0) {
    before = made
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(made).toBeGreaterThan(0)
  expect(made).toBeLessThan(total)
  let length = 0
  for await (const piece of incoming) length += (piece as Buffer).length
  expect(length).toBe(total * 32_768)
  server.close()
})
