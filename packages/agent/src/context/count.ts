import type { Part, ToolSpec } from '@maru/protocol'
import { type GaugeState, ratesOf, tokensOf } from '../tokens/gauge.ts'
import { addMeasure, type Measure, measurePart, measureText } from '../tokens/measure.ts'
import { estimate } from '../tokens/rates.ts'
import type { ContextState } from './context.ts'

/** What the model is told before anything is said. */
export interface Prompt {
  system: string
  tools: readonly ToolSpec[]
}

/** Counts for one model, by what it has told so far. */
export interface Counter {
  ofText(text: string): number
  ofParts(parts: readonly Part[]): number
  ofPrompt(prompt: Prompt): number
}

export function createCounter(gauge: GaugeState, model: string): Counter {
  const rates = ratesOf(gauge, model)
  return {
    ofText: (text) => estimate(rates, measureText(text)),
    ofParts: (parts) => estimate(rates, sumOf(parts)),
    ofPrompt: ({ system, tools }) =>
      gauge.prompt ?? estimate(rates, measureText(`${system}\n${JSON.stringify(tools)}`)),
  }
}

/** Tokens of the next request: the vendor's count and what came since, else an estimate of everything. */
export function countContext(
  gauge: GaugeState,
  context: ContextState,
  { model, system, tools }: { model: string; system: string; tools(): readonly ToolSpec[] },
): number {
  // Another model counts otherwise.
  const counted = gauge.model === model ? tokensOf(gauge) : undefined
  if (counted !== undefined) return counted
  const counter = createCounter(gauge, model)
  let tokens = counter.ofPrompt({ system, tools: tools() })
  for (const { parts } of [...context.messages, ...context.added]) tokens += counter.ofParts(parts)
  for (const parts of Object.values(context.waiting)) tokens += counter.ofParts(parts)
  return Math.round(tokens)
}

function sumOf(parts: readonly Part[]): Measure {
  const total: Measure = [0, 0, 0, 0]
  for (const part of parts) addMeasure(total, measurePart(part))
  return total
}
