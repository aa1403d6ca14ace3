import type { Part, Projection, RecordedOf } from '@maru/protocol'
import { addMeasure, type Measure, measurePart } from './measure.ts'
import { estimate, learn, priorRates, type Rates } from './rates.ts'

/**
 * How full the model's context is: what the vendor counted for what it has seen, and a measure of what came since. How
 * many tokens that is, is learned from each answer.
 */
export interface GaugeState {
  model: string
  /** By model, as far as they have told something. */
  rates: { [model: string]: Rates }
  /** Tokens of what the model has seen and said; absent before its first answer. */
  seen?: { tokens: number; isExact: boolean }
  /** What came since. */
  tail: Measure
  /** Inputs that no turn has taken yet, by seq. */
  waiting: { [seq: string]: Measure }
  /** The tail as it was sent with the turn under way. */
  sent?: Measure
  /** Tokens of the system text and the tools, as the vendor counts them. */
  prompt?: number
  /** A vendor refused a context of this size. */
  ceiling?: number
}

export const gauge: Projection<GaugeState> = {
  name: 'gauge',
  version: 1,
  create: () => ({ model: '', rates: {}, tail: [0, 0, 0, 0], waiting: {} }),
  apply(state, record) {
    switch (record.type) {
      case 'input-admit':
        state.waiting[record.seq] = measureAll(record.parts)
        return
      case 'message-add':
        addMeasure(state.tail, measureAll(record.parts))
        return
      case 'run-start':
        take(state, record.inputs)
        return
      case 'turn-start':
        take(state, record.inputs ?? [])
        changeModel(state, record.model ?? state.model)
        state.sent = [...state.tail]
        return
      case 'turn-end':
        endTurn(state, record)
        return
      case 'turn-fail':
        if (record.failure.code === 'context-too-long')
          state.ceiling = Math.min(
            tokensOf(state) ?? Number.POSITIVE_INFINITY,
            state.ceiling ?? Number.MAX_SAFE_INTEGER,
          )
        addMeasure(state.tail, measureAll(record.parts))
        delete state.sent
        return
      case 'tool-end':
        addMeasure(state.tail, measureResult(record))
        return
      case 'context-prune':
      case 'context-compact':
        recount(state, record.tokens?.after)
        return
      case 'context-reset':
        recount(state, state.prompt)
        return
      default:
      // Nothing else is seen by the model.
    }
  },
}

/** Tokens of the next request, as far as the vendor has counted any; what waits is part of it. */
export function tokensOf({ model, rates, seen, tail, waiting }: GaugeState): number | undefined {
  if (!seen) return undefined
  const rest: Measure = [...tail]
  for (const measure of Object.values(waiting)) addMeasure(rest, measure)
  return Math.round(seen.tokens + estimate(rates[model] ?? priorRates(model), rest))
}

/** The rates of a model: learned, or assumed. */
export function ratesOf({ rates }: GaugeState, model: string): Rates {
  return rates[model] ?? priorRates(model)
}

function endTurn(state: GaugeState, { usage, parts }: RecordedOf<'turn-end'>): void {
  const { seen, sent, model } = state
  delete state.sent
  if (!usage || usage.input === 0) {
    addMeasure(state.tail, measureAll(parts))
    return
  }
  const rates = ratesOf(state, model)
  if (sent && seen?.isExact) {
    learn(rates, sent, usage.input - seen.tokens)
    state.rates[model] = rates
  } else if (sent && state.prompt === undefined) {
    // Only in the first turn is everything that was sent in the tail.
    state.prompt = Math.max(0, Math.round(usage.input - estimate(rates, sent)))
  }
  // Thoughts come back only inside the vendor's own parts.
  const isReturned = parts.some(({ type }) => type === 'opaque')
  const said = usage.output - (isReturned ? 0 : (usage.reasoning ?? 0))
  state.seen = { tokens: usage.input + said, isExact: true }
  // What came while the model answered was not sent yet.
  const rest = state.tail
  state.tail = [0, 0, 0, 0]
  if (sent) {
    addMeasure(state.tail, rest)
    addMeasure(state.tail, sent, -1)
  }
}

function measureResult({ parts: [first, ...rest] }: RecordedOf<'tool-end'>): Measure {
  const shown: Part[] = first?.type === 'text' ? [first, ...rest] : []
  return measureAll(shown.filter(({ type }) => type === 'text' || type === 'image'))
}

function measureAll(parts: Part[]): Measure {
  const total: Measure = [0, 0, 0, 0]
  for (const part of parts) addMeasure(total, measurePart(part))
  return total
}

function take(state: GaugeState, seqs: number[]): void {
  for (const seq of seqs) {
    const measure = state.waiting[seq]
    if (measure) addMeasure(state.tail, measure)
    delete state.waiting[seq]
  }
}

// Another model counts otherwise, and nothing it has counted is here.
function changeModel(state: GaugeState, model: string): void {
  if (state.model === model) return
  if (state.model !== '') delete state.seen
  delete state.ceiling
  state.model = model
}

function recount(state: GaugeState, tokens: number | undefined): void {
  state.tail = [0, 0, 0, 0]
  delete state.sent
  if (tokens === undefined) delete state.seen
  else state.seen = { tokens, isExact: false }
}
