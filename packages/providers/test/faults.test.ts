import type { ModelEvent } from '@maru/protocol'
import { corpus } from '@maru/testkit'
import { describe, expect, test } from 'vitest'
import { isRetriable, type VendorName } from '../src/index.ts'
import {
  type FakeTimers,
  fakeTimers,
  KEY,
  last,
  retriesOf,
  runHastily,
  serve,
  textOfEvents,
  until,
  VENDORS,
} from './support.ts'

interface Expected {
  outcome: string
  kind?: 'overloaded' | 'rate_limit' | 'invalid_request'
  text?: string
  stop?: string
  textIsPrefixOf?: string
  toolInput?: unknown
  retry?: boolean
  waitSecondsAtLeast?: number
  waitCapped?: boolean
  mustNotRunTool?: boolean
  mustNotFollowWithKey?: boolean
}

interface Row {
  id: string
  fault: string
  provider: 'anthropic' | 'openai' | 'any'
  status: number
  headers: { [name: string]: string }
  bytes_b64: string
  cuts: 'every-byte' | 'none' | number
  delayMs?: number
  end: 'close' | 'reset' | 'stall'
  expected: Expected
}

const rows = corpus<Row>('faults/sse.jsonl')
const vendorsOf = { anthropic: ['anthropic'], openai: ['openai-chat'], any: VENDORS } as const

describe('each row of faults/sse ends as it says', () => {
  test('there are rows', (context) => {
    if (!rows) context.skip('$MARU_CORPORA does not name the test corpora')
    expect(rows?.length).toBeGreaterThan(0)
  })

  for (const row of rows ?? []) {
    for (const vendor of vendorsOf[row.provider]) {
      test(`${row.id} ${row.fault} (${vendor})`, async () => {
        const { events, requests } = await play(row, vendor)
        check(row.expected, events)
        expect(requests).toBe(1 + retriesOf(events).length)
        expect(JSON.stringify(events)).not.toContain(KEY)
        expect(textOfEvents(events)).not.toContain('\uFFFD')
      })
    }
  }
})

async function play(row: Row, vendor: VendorName): Promise<{ events: ModelEvent[]; requests: number }> {
  const { status, headers, cuts, delayMs, end } = row
  const raw = { status, headers, body: row.bytes_b64, chunk: cuts, end, ...(delayMs === undefined ? {} : { delayMs }) }
  // The slow bytes of a row come at once: what time does to them is tested with the time in hand, in idle.test.ts.
  const { model, provider } = await serve({ script: () => ({ raw }), sleep: async () => undefined })
  const timers = fakeTimers()
  const maru = provider(vendor, { timers, limits: { retries: 1, idleMs: 120_000 } })
  const pushing = end === 'stall' ? letIdle(timers, () => model.requests.length) : undefined
  const events = await runHastily(maru, timers)
  await pushing
  return { events, requests: model.requests.length }
}

/** Lets two minutes pass twice, each time when a request has arrived. */
async function letIdle(timers: FakeTimers, requests: () => number): Promise<void> {
  for (const count of [1, 2]) {
    await until(() => requests() === count && timers.waits.includes(120_000))
    timers.advance(120_000)
  }
}

const kinds = { overloaded: 'overloaded', rate_limit: 'rate-limit', invalid_request: 'refused' } as const

function check(expected: Expected, events: readonly ModelEvent[]): void {
  const end = last(events)
  expect(outcomesOf(end)).toContain(expected.outcome)
  const text = textOfEvents(events)
  if (expected.text !== undefined) expect(text).toBe(expected.text)
  if (expected.textIsPrefixOf !== undefined) expect(expected.textIsPrefixOf.startsWith(text)).toBe(true)
  if (expected.stop === 'end_turn') expect(end).toMatchObject({ stop: 'end' })
  if (expected.kind !== undefined) expect(end).toMatchObject({ failure: { code: kinds[expected.kind] } })
  if (expected.toolInput !== undefined) {
    expect(end).toMatchObject({ parts: [{ type: 'call', args: expected.toolInput }] })
  }
  if (expected.mustNotRunTool === true) expect(runnable(events)).toEqual([])
  if (expected.mustNotFollowWithKey === true) expect(end).toMatchObject({ failure: { code: 'refused', status: 302 } })
  checkRetry(expected, events)
}

/** A call whose arguments are an object is one the loop may run. */
function runnable(events: readonly ModelEvent[]): ModelEvent[] {
  return events.filter((event) => event.type === 'call-ready' && typeof event.args === 'object')
}

function checkRetry({ retry, waitSecondsAtLeast, waitCapped }: Expected, events: readonly ModelEvent[]): void {
  const end = last(events)
  const retries = retriesOf(events)
  if (retry === true) expect(retries.length > 0 || (end.type === 'failure' && isRetriable(end.failure))).toBe(true)
  if (retry === false) expect([retries, end.type === 'failure' && isRetriable(end.failure)]).toEqual([[], false])
  if (waitSecondsAtLeast !== undefined) expect(retries[0]?.waitMs).toBeGreaterThanOrEqual(waitSecondsAtLeast * 1000)
  if (waitCapped === true) expect(retries.map((event) => event.waitMs)).toEqual([60_000])
}

/** The words of the corpus that fit an ending. */
function outcomesOf(end: ModelEvent): string[] {
  if (end.type === 'failure') {
    if (end.failure.code === 'cut') return ['interrupted']
    return end.failure.code === 'timeout' && end.failure.status === undefined
      ? ['timeout', 'timeout-or-complete']
      : ['error']
  }
  if (end.type !== 'finish') return []
  if (end.stop === 'length') return ['truncated']
  const isBroken = end.parts.some((part) => part.type === 'call' && typeof part.args === 'string')
  return isBroken ? ['tool-error'] : ['complete', 'timeout-or-complete']
}
