import type { Timing } from './side-by-side.ts'

/**
 * What a bench promises of `of`: how many times, or how much more than, `against` in the same run; or a bound of its
 * own, where the machine has little say.
 */
export type Claim = { text: string; of: string } & (
  | { against: string; atMost: number }
  | { against: string; atMostMore: number }
  | { under: number }
)

type Compared = { min: number; median: number }

/** What a bench found: the measurements, and its claim with the ratios or differences measured. */
export type Verdict = { timings: Timing[]; claim: Claim; ratio?: Compared; difference?: Compared; holds: boolean }

/** The claim holds when it does for the medians; what the minima say is shown to tell noise from change. */
export function judge(timings: Timing[], claim: Claim): Verdict {
  const of = find(timings, claim.of)
  if ('under' in claim) return { timings, claim, holds: of.median < claim.under }
  const against = find(timings, claim.against)
  if ('atMost' in claim) {
    const ratio = { min: of.min / against.min, median: of.median / against.median }
    return { timings, claim, ratio, holds: ratio.median <= claim.atMost }
  }
  const difference = { min: of.min - against.min, median: of.median - against.median }
  return { timings, claim, difference, holds: difference.median <= claim.atMostMore }
}

/** A small table for people. */
export function describe({ timings, claim, ratio, difference, holds }: Verdict): string {
  const width = Math.max(...timings.map(({ name }) => name.length), 'difference'.length)
  const row = (name: string, min: string, median: string) =>
    `${name.padEnd(width)}  ${min.padStart(10)}  ${median.padStart(10)}`
  const unit = timings[0]?.unit ?? 'ms'
  const amount = (value: number) => `${value.toFixed(1)} ${unit}`
  return [
    row('', 'min', 'median'),
    ...timings.map(({ name, min, median }) => row(name, amount(min), amount(median))),
    ...(ratio ? [row('ratio', ratio.min.toFixed(2), ratio.median.toFixed(2))] : []),
    ...(difference ? [row('difference', amount(difference.min), amount(difference.median))] : []),
    `${holds ? 'holds' : 'DOES NOT HOLD'}: ${claim.text} (${boundOf(claim, unit)}, by the medians)`,
  ].join('\n')
}

function boundOf(claim: Claim, unit: Timing['unit']): string {
  if ('under' in claim) return `under ${claim.under} ${unit}`
  if ('atMost' in claim) return `at most ${Number(claim.atMost.toFixed(2))} times`
  return `at most ${claim.atMostMore} ${unit} more`
}

function find(timings: Timing[], name: string): Timing {
  const timing = timings.find((candidate) => candidate.name === name)
  if (timing === undefined) throw new Error(`the claim names "${name}", which was not timed`)
  return timing
}
