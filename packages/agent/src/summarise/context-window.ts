import { addMeasure, type Measure, measurePart, measureText } from '../tokens/measure.ts'
import { estimate, priorRates, type Rates } from '../tokens/rates.ts'
import type { Spoken } from './render-conversation.ts'

/** A message with its place in the conversation. */
export interface Placed extends Spoken {
  seq: number
}

/** What a summary covers, and its words. */
export interface StoredSummary {
  covers: { from: number; to: number }
  text: string
}

export interface WindowOptions {
  /** Tokens in all. */
  budget?: number
  /** The newest wins where several cover the same. */
  summaries?: readonly StoredSummary[]
  /** Whose tokens are meant. */
  model?: string
  rates?: Rates
}

export interface ContextWindow<M extends Placed> {
  summary?: StoredSummary
  messages: M[]
  tokens: number
}

const BUDGET = 8_000

/** The newest messages that fit a budget of tokens, with the summary in place of what it covers. */
export function contextWindow<M extends Placed>(
  messages: readonly M[],
  { budget = BUDGET, summaries = [], model = '', rates = priorRates(model) }: WindowOptions = {},
): ContextWindow<M> {
  const latest = summaries.reduce<StoredSummary | undefined>(
    (best, one) => (best && best.covers.to > one.covers.to ? best : one),
    undefined,
  )
  const summaryTokens = latest ? countText(latest.text, rates) : 0
  // A summary that leaves no room for what was said last is of no use.
  const summary = summaryTokens <= budget / 2 ? latest : undefined
  let tokens = summary ? summaryTokens : 0
  const kept: M[] = []
  for (const message of messages.toReversed()) {
    if (summary && message.seq >= summary.covers.from && message.seq <= summary.covers.to) continue
    const more = countMessage(message, rates)
    if (tokens + more > budget) break
    tokens += more
    kept.push(message)
  }
  return { ...(summary && { summary }), messages: kept.toReversed(), tokens: Math.round(tokens) }
}

/** Tokens of a text for a model, by what is known of its kind: good for Korean, English and code. */
export function estimateTokens(text: string, model = ''): number {
  return Math.round(countText(text, priorRates(model)))
}

const countText = (text: string, rates: Rates) => estimate(rates, measureText(text))

function countMessage({ parts }: Spoken, rates: Rates): number {
  const total: Measure = [0, 0, 0, 0]
  for (const part of parts) addMeasure(total, measurePart(part))
  return estimate(rates, total)
}
