import type { Measure } from './measure.ts'

const SIZE = 4

/** How many tokens a model makes of each unit, and how sure that is: a covariance, row by row. */
export interface Rates {
  mean: number[]
  spread: number[]
}

// Per unit of `Measure`, by what public tokenizers make of it; where none is public, a careful guess.
const FAMILIES: { readonly pattern: RegExp; readonly mean: readonly number[] }[] = [
  { pattern: /^(?:gpt-4o|gpt-4\.|gpt-[5-9]|o\d|chatgpt)/, mean: [0.3, 1.22, 1, 1] },
  { pattern: /^(?:gpt-4|gpt-3|text-embedding)/, mean: [0.94, 0.69, 1, 1] },
  { pattern: /^claude/, mean: [0.8, 0.9, 1.12, 1.15] },
]
const UNKNOWN = [0.55, 1, 1.03, 1.05]

// One standard deviation of what a model may differ from its family by.
const DOUBT = [0.3, 0.35, 0.2, 0.25]

/** What is assumed of a model before it has told anything. */
export function priorRates(model: string): Rates {
  const { mean } = FAMILIES.find(({ pattern }) => pattern.test(model)) ?? { mean: UNKNOWN }
  const spread = Array.from({ length: SIZE * SIZE }, (_, at) =>
    at % (SIZE + 1) === 0 ? (DOUBT[at / (SIZE + 1)] as number) ** 2 : 0,
  )
  return { mean: [...mean], spread }
}

/** Tokens of what was measured. */
export function estimate({ mean }: Rates, measure: Readonly<Measure>): number {
  return measure.reduce((sum, units, at) => sum + units * (mean[at] as number), 0)
}

// Frames and rounding differ from turn to turn, by a few tokens and by a share.
const NOISE_TOKENS = 12
const NOISE_SHARE = 0.04
const LEAST = 0.05

/** Takes in what the vendor counted: one step of a linear regression that starts from the prior. */
export function learn(rates: Rates, measure: Readonly<Measure>, tokens: number): void {
  const { mean, spread } = rates
  const gain = Array.from({ length: SIZE }, (_, row) =>
    measure.reduce((sum, units, column) => sum + (spread[row * SIZE + column] as number) * units, 0),
  )
  const noise = (NOISE_TOKENS + NOISE_SHARE * Math.abs(tokens)) ** 2
  const variance = measure.reduce((sum, units, at) => sum + units * (gain[at] as number), noise)
  const surprise = tokens - estimate(rates, measure)
  // What no text can explain (a vendor that counts otherwise, a lost message) teaches nothing.
  if (!(variance > 0) || Math.abs(surprise) > Math.max(200, 2 * tokens)) return
  for (let row = 0; row < SIZE; row++) {
    mean[row] = Math.max(LEAST, (mean[row] as number) + ((gain[row] as number) / variance) * surprise)
    for (let column = 0; column < SIZE; column++) {
      const at = row * SIZE + column
      spread[at] = (spread[at] as number) - ((gain[row] as number) * (gain[column] as number)) / variance
    }
  }
}
