import { readFileSync } from 'node:fs'
import type { Fact, Recorded, Usage } from '@maru/protocol'
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../src/index.ts'
import { gauge, tokensOf } from '../src/tokens/gauge.ts'

// Public tokenizers stand in for the vendors'.
const MODELS = [
  ['gpt-6-sol', o200k],
  ['gpt-4', cl100k],
] as const

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const korean = read('packages/agent/test/texts/korean.txt')
const TEXTS = {
  korean,
  english: read('docs/architecture.md'),
  code: read('packages/store/src/session-log.ts'),
  json: read('package-lock.json').slice(0, 20_000),
  mixed: `${korean.slice(0, 3000)}\n\n${read('packages/agent/src/ledger.ts')}\n\n${read('docs/glossary.md').slice(0, 4000)}`,
}

describe.each(MODELS)('as %s counts', (model, encode) => {
  test.each(Object.entries(TEXTS))('without any usage, %s is estimated within 15 %%', (_name, text) => {
    const real = encode(text).length
    expect(Math.abs(estimateTokens(text, model) / real - 1)).toBeLessThan(0.15)
  })

  test.each(Object.entries(TEXTS))('after two turns, a session in %s is counted within 5 %%', (_name, text) => {
    for (const error of errorsOf(text, { model, encode })) expect(error).toBeLessThan(0.05)
  })

  test('a model that counts quite otherwise is learned too', () => {
    const strange = (words: string) => encode(words.repeat(2))
    for (const error of errorsOf(TEXTS.mixed, { model: 'unheard-of', encode: strange }))
      expect(error).toBeLessThan(0.05)
  })
})

test('what a vendor read from its cache counts once', () => {
  const usage = { input: 1_000, output: 50, cacheRead: 900, cacheWrite: 80 }
  const state = gauge.create()
  play(state, { type: 'turn-start', turnId: 't', runId: 'r', model: 'gpt-6-sol' })
  play(state, { type: 'turn-end', turnId: 't', parts: [], stop: 'end', usage })
  expect(tokensOf(state)).toBe(1_050)
})

test('thoughts that do not come back are not counted, and those inside a vendor’s part are', () => {
  const after = (parts: Extract<Fact, { type: 'turn-end' }>['parts']) => {
    const state = gauge.create()
    play(state, { type: 'turn-start', turnId: 't', runId: 'r', model: 'm' })
    play(state, { type: 'turn-end', turnId: 't', parts, stop: 'end', usage: { input: 100, output: 60, reasoning: 40 } })
    return tokensOf(state)
  }
  expect(after([])).toBe(120)
  expect(after([{ type: 'opaque', vendor: 'v', data: 'sealed' }])).toBe(160)
})

let seq = 0
function play(state: ReturnType<typeof gauge.create>, fact: Fact): void {
  gauge.apply(state, { ...fact, seq: ++seq, at: 0, v: 1 } as Recorded)
}

// A session of twelve turns: the person asks, the model calls, results come in pieces of the text. After each turn but
// the first two, what the gauge says of the next request is compared with what the vendor then counts.
function errorsOf(text: string, { model, encode }: { model: string; encode(text: string): unknown[] }): number[] {
  const state = gauge.create()
  const errors: number[] = []
  const frame = 7
  const turns = 12
  const size = Math.floor(text.length / turns)
  // System text and tools, which no fact holds.
  let tokens = 1_800
  const say = (words: string) => {
    tokens += encode(words).length + frame
  }
  const asked = text.slice(0, Math.min(size, 400))
  play(state, {
    type: 'input-admit',
    key: `${seq}`,
    by: { kind: 'person', id: 'p' },
    delivery: 'queue',
    parts: [{ type: 'text', text: asked }],
  })
  play(state, { type: 'run-start', runId: 'r', inputs: [seq] })
  say(asked)
  for (let turn = 0; turn < turns; turn++) {
    const estimated = tokensOf(state)
    if (turn > 2) errors.push(Math.abs((estimated ?? 0) / tokens - 1))
    play(state, { type: 'turn-start', turnId: `t${turn}`, runId: 'r', model })
    const args = { path: `src/part-${turn}.ts` }
    const usage: Usage = { input: tokens, output: encode(JSON.stringify(args)).length + frame }
    play(state, {
      type: 'turn-end',
      turnId: `t${turn}`,
      stop: 'calls',
      usage,
      parts: [{ type: 'call', callId: `c${turn}`, tool: 'ReadFile', args }],
    })
    tokens += usage.output
    const piece = text.slice(turn * size, (turn + 1) * size)
    play(state, {
      type: 'tool-end',
      callId: `c${turn}`,
      outcome: 'ok',
      result: {},
      parts: [{ type: 'text', text: piece }],
    })
    say(piece)
  }
  return errors
}
