import { describe, expect, test } from 'vitest'
import { cutAfter, FACT_VERSION, type Fact, type Part, type Recorded } from '../src/index.ts'

async function* recorded(...facts: Fact[]): AsyncGenerator<Recorded, void> {
  for (const [at, fact] of facts.entries()) yield { ...fact, v: FACT_VERSION, seq: at + 1, at: 0 }
}

const call = (callId: string): Part => ({ type: 'call', callId, tool: 'ReadFile', args: {} })
const turnEnd = (...parts: Part[]): Fact => ({ type: 'turn-end', turnId: 't', parts, stop: 'calls' as never })
const toolEnd = (callId: string): Fact => ({ type: 'tool-end', callId, outcome: 'ok', result: {}, parts: [] })
const turnStart: Fact = { type: 'turn-start', turnId: 'u', runId: 'r' }

describe('where a fork begins', () => {
  test('behind what is no turn, right there', async () => {
    expect(await cutAfter(recorded(turnStart, toolEnd('a')), 1)).toBe(1)
  })

  test('behind a turn, after the results of its own calls', async () => {
    const facts = [turnEnd(call('a'), call('b')), toolEnd('x'), toolEnd('b'), toolEnd('a'), toolEnd('y'), turnStart]
    expect(await cutAfter(recorded(...facts), 1)).toBe(4)
    expect(await cutAfter(recorded(turnEnd({ type: 'text', text: 'done' }), turnStart), 1)).toBe(1)
  })

  test('calls that never ended hold nothing back', async () => {
    expect(await cutAfter(recorded(turnEnd(call('a'), call('b')), toolEnd('b'), turnStart, toolEnd('a')), 1)).toBe(2)
    expect(await cutAfter(recorded(turnEnd(call('a'))), 1)).toBe(1)
  })
})
