import type { ModelEvent } from '@maru/protocol'
import { expect, test } from 'vitest'
import { failureOfConnection } from '../src/failure.ts'
import * as providers from '../src/index.ts'
import { ask, KEY, serve, VENDORS } from './support.ts'

const { costOf, defaultModelOf, findModel, MODELS, readRecorded } = providers

test('each model of the catalogue is one and makes sense', () => {
  expect(new Set(MODELS.map((model) => model.id)).size).toBe(MODELS.length)
  for (const { window, outputLimit, price } of MODELS) {
    expect(window).toBeGreaterThan(outputLimit)
    expect(price?.date).toMatch(/^2026-\d\d-\d\d$/)
    expect(price?.output).toBeGreaterThan(price?.input ?? 0)
  }
  for (const vendor of VENDORS) {
    const id = defaultModelOf(vendor)
    if (id !== undefined) expect(MODELS.map((model) => model.id)).toContain(id)
  }
})

test('a dated id is its model, an unknown one is guessed with care, and the user knows best', () => {
  expect(findModel('claude-haiku-4-5-20251001')).toMatchObject({ id: 'claude-haiku-4-5-20251001', window: 200_000 })
  expect(findModel('gpt-5.4-2026-03-05').price?.input).toBe(2.5)
  expect(findModel('qwen3:32b')).toMatchObject({ id: 'qwen3:32b', window: 128_000, thinking: 'unknown' })
  const models = { 'qwen3:32b': { window: 40_000, price: { input: 0, output: 0 } } }
  expect(findModel('qwen3:32b', models)).toMatchObject({ window: 40_000, outputLimit: 32_000, price: { input: 0 } })
})

test('cost counts what the cache gave at its own price', () => {
  const model = findModel('claude-opus-5-5')
  expect(costOf(model, { input: 1_000_000, output: 100_000, cacheRead: 800_000, cacheWrite: 100_000 })).toBeCloseTo(
    0.1 * 4 + 0.8 * 0.2 + 0.1 * 5 + 2,
  )
  expect(costOf(findModel('unknown'), { input: 1, output: 1 })).toBeUndefined()
})

test.each(VENDORS)('%s: what was recorded gives the same events again', async (vendor) => {
  const { provider } = await serve({
    script: [{ reply: [{ thinking: 'hm' }, { text: '둘\n셋' }, { call: 'ReadFile', args: { path: 'a' } }] }],
    delivery: { noise: ['unknown-event'] },
  })
  const raw: string[] = []
  const events: ModelEvent[] = []
  const maru = provider(vendor)
  const signal = new AbortController().signal
  for await (const event of maru.stream(ask(), signal, (text) => raw.push(text))) events.push(event)
  expect(merged(await readRecorded(vendor, 'test-model', raw))).toEqual(merged(events))
  expect(raw.join('')).not.toContain(KEY)
})

/** Deltas without how they were cut, which is the network's doing. */
function merged(events: readonly ModelEvent[]): unknown[] {
  const texts = new Map<string, string>()
  const others = events.filter((event) => {
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta' && event.type !== 'call-delta') return true
    const key = 'part' in event ? `${event.type} ${event.part}` : event.callId
    texts.set(key, (texts.get(key) ?? '') + event.text)
    return false
  })
  return [...texts, ...others]
}

test('a certificate nobody trusts is told with what to do', () => {
  const to = { host: 'llm.corp', keyName: 'K', urlName: 'U', model: 'm' }
  const error = Object.assign(new Error('self-signed'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' })
  expect(failureOfConnection(error, to)).toEqual({
    code: 'refused',
    message:
      'the certificate of llm.corp is not trusted (SELF_SIGNED_CERT_IN_CHAIN): name its authority in NODE_EXTRA_CA_CERTS',
  })
})

test('the exports are these', () => {
  expect(Object.keys(providers).toSorted()).toEqual([
    'DEFAULT_LIMITS',
    'MODELS',
    'costOf',
    'createNodeTransport',
    'createProvider',
    'defaultModelOf',
    'findModel',
    'isRetriable',
    'readRecorded',
  ])
})
