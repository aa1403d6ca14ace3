import { addUsage, gauge, tokensOf, type WorkState, work } from '@maru/agent'
import type { Recorded, Usage } from '@maru/protocol'

/** What a session has used and where it stands, kept with each fact. */
export interface Tally {
  /** The last seq that it includes. */
  readonly last: number
  readonly work: WorkState
  readonly tokens: Usage
  /** Dollars; absent where the price of a model is not known. */
  readonly money: number | undefined
  /** Tokens of the next request, as far as they were ever counted. */
  readonly contextTokens: number
  /** Something was said in it. */
  readonly isUsed: boolean
  take(record: Recorded): void
}

export function createTally(price: (model: string, usage: Usage) => number | undefined): Tally {
  const seen = { work: work.create(), gauge: gauge.create() }
  const tokens: Usage = { input: 0, output: 0 }
  let money: number | undefined = 0
  let last = 0
  let counted = 0
  let isUsed = false
  const spend = (model: string, usage: Usage | undefined) => {
    if (!usage) return
    addUsage(tokens, usage)
    const cost = price(model, usage)
    money = money === undefined || cost === undefined ? undefined : money + cost
  }
  return {
    get last() {
      return last
    },
    work: seen.work,
    tokens,
    get money() {
      return money
    },
    get contextTokens() {
      // Another model has counted nothing yet: what the last one said is nearer than nothing.
      counted = tokensOf(seen.gauge) ?? counted
      return counted
    },
    get isUsed() {
      return isUsed
    },
    take(record) {
      last = record.seq
      work.apply(seen.work, record)
      gauge.apply(seen.gauge, record)
      if (record.type === 'input-admit' || record.type === 'message-add') isUsed = true
      if (record.type === 'turn-end') spend(seen.gauge.model, record.usage)
      if (record.type === 'context-compact') spend(record.asked?.model ?? '', record.asked?.usage)
      // Asked for now, so that it is known when another model is chosen.
      if (record.type === 'turn-end') counted = tokensOf(seen.gauge) ?? counted
    },
  }
}
