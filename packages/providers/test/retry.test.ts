import { describe, expect, test } from 'vitest'
import { readRetryAfter, waitBefore } from '../src/retry.ts'
import { ask, failureOf, fakeTimers, finishOf, KEY, retriesOf, run, runHastily, serve, VENDORS } from './support.ts'

const plan = { retries: 4, baseMs: 500, maxMs: 8_000, capMs: 60_000 }

describe('the wait before another try', () => {
  test('doubles from half a second to eight, with up to a quarter off', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempt) => waitBefore(attempt, { plan, asked: undefined, chance: 0 }))
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000])
    expect(waitBefore(2, { plan, asked: undefined, chance: 1 })).toBe(750)
  })

  test('is what the vendor asks for, up to a minute', () => {
    const now = Date.UTC(2026, 0, 1)
    const ask = (headers: { [name: string]: string }) => readRetryAfter(headers, now)
    expect(ask({ 'retry-after-ms': '1500', 'retry-after': '9' })).toBe(1_500)
    expect(ask({ 'retry-after': '2.5' })).toBe(2_500)
    expect(ask({ 'retry-after': new Date(now + 7_000).toUTCString() })).toBe(7_000)
    expect(ask({ 'retry-after': new Date(now - 7_000).toUTCString() })).toBe(0)
    expect([ask({}), ask({ 'retry-after': 'soon' }), ask({ 'retry-after': '-1' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(waitBefore(1, { plan, asked: 3_600_000, chance: 1 })).toBe(60_000)
  })
})

for (const vendor of VENDORS) {
  test(`${vendor}: statuses that may pass are tried again, with the waits told before they begin`, async () => {
    const { model, provider } = await serve({
      script: [
        { error: { status: 429, retryAfterMs: 1_234 } },
        { error: { status: 500 } },
        { error: { status: 529 } },
        { error: { status: 409 } },
        { reply: [{ text: 'at last' }] },
      ],
    })
    const timers = fakeTimers()
    const events = await runHastily(provider(vendor, { timers }), timers)
    expect(
      retriesOf(events).map(({ attempt, waitMs, failure }) => [attempt, waitMs, failure.code, failure.status]),
    ).toEqual([
      [1, 1_234, 'rate-limit', 429],
      [2, 1_000, 'server', 500],
      [3, 2_000, 'overloaded', 529],
      [4, 4_000, 'server', 409],
    ])
    expect(events.findLastIndex((event) => event.type === 'retry')).toBe(3)
    expect(finishOf(events).parts).toEqual([{ type: 'text', text: 'at last' }])
    expect(model.requests.map((request) => Buffer.from(request.rawBody).toString())).toEqual(
      Array.from({ length: 5 }, () => Buffer.from(model.requests[0]?.rawBody ?? []).toString()),
    )
  })

  test.each([400, 401, 402, 403, 404, 413, 422])(`${vendor}: %i is final`, async (status) => {
    const { model, provider } = await serve({ script: () => ({ error: { status, message: `bad ${KEY} thing` } }) })
    const { failure } = failureOf(await run(provider(vendor)))
    expect(failure).toMatchObject({ code: status === 413 ? 'context-too-long' : 'refused', status })
    expect(failure.message).toContain('127.0.0.1')
    expect(failure.message).not.toContain(KEY)
    expect(model.requests.length).toBe(1)
  })

  test(`${vendor}: money that is used up is no rate limit`, async () => {
    const code = 'enforced_spend_limit_reached'
    const { model, provider } = await serve({ script: () => ({ error: { status: 429, type: code, code } }) })
    expect(failureOf(await run(provider(vendor))).failure).toMatchObject({ code: 'refused', status: 429 })
    expect(model.requests.length).toBe(1)
  })

  test(`${vendor}: x-should-retry decides`, async () => {
    const { model, provider } = await serve({
      script: [
        { error: { status: 400, headers: { 'x-should-retry': 'true' } } },
        { error: { status: 500, headers: { 'x-should-retry': 'false' } } },
      ],
    })
    const timers = fakeTimers()
    const events = await runHastily(provider(vendor, { timers }), timers)
    expect([retriesOf(events).length, failureOf(events).failure.code]).toEqual([1, 'server'])
    expect(model.stepsLeft).toBe(0)
  })

  test(`${vendor}: an error inside the stream is tried again if nothing was said before it`, async () => {
    const type = vendor === 'anthropic' ? 'overloaded_error' : 'rate_limit_exceeded'
    const { provider } = await serve({
      script: [{ reply: [{ text: 'x' }], failure: { afterDeltas: 0, type } }, { reply: [{ text: 'ok' }] }],
    })
    const timers = fakeTimers()
    const events = await runHastily(provider(vendor, { timers }), timers)
    expect(retriesOf(events).length).toBe(1)
    expect(finishOf(events).parts).toEqual([{ type: 'text', text: 'ok' }])
  })

  test(`${vendor}: a connection that breaks before any output is tried again, after it never`, async () => {
    const { model, provider } = await serve({
      script: [
        { reply: [{ text: 'one' }], fault: { afterBytes: 10, kind: 'reset' } },
        { reply: [{ text: 'one' }], fault: { afterBytes: 0, kind: 'close' } },
        { reply: [{ text: 'a'.repeat(9_000) }], fault: { afterBytes: 6_000, kind: 'close' } },
      ],
    })
    const timers = fakeTimers()
    const events = await runHastily(provider(vendor, { timers }), timers)
    expect(retriesOf(events).map((event) => event.failure.code)).toEqual(['network', 'network'])
    const end = failureOf(events)
    expect(end.failure.code).toBe('cut')
    expect(end.parts).toEqual([{ type: 'text', text: expect.stringMatching(/^a+$/) }])
    expect(model.stepsLeft).toBe(0)
  })
}

test('tries are counted and then given up', async () => {
  const { model, provider } = await serve({ script: () => ({ error: { status: 503 } }) })
  const timers = fakeTimers()
  const events = await runHastily(provider('anthropic', { timers, limits: { retries: 2 } }), timers)
  expect(model.requests.length).toBe(3)
  expect(failureOf(events).failure.message).toContain('tried 3 times')
})

test('nobody listens: the message says what to do', async () => {
  const { model, provider } = await serve({ script: [] })
  await model.close()
  const timers = fakeTimers()
  const { failure } = failureOf(await runHastily(provider('openai', { timers, limits: { retries: 0 } }), timers, ask()))
  expect(failure.code).toBe('network')
  expect(failure.message).toMatch(/no connection to 127\.0\.0\.1:\d+ \(ECONNREFUSED\): is the server running there\?/)
})
