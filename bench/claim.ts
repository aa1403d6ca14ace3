import type { Timing } from './side-by-side.ts'

/** A ratio that a bench promises to stay under: how `of` compares with `against`, both measured in the same run. */
export type Claim = { text: string; of: string; against: string; atMost: number }

/** What a bench found: the measurements, and its claim with the ratios measured. */
export type Verdict = { timings: Timing[]; claim: Claim; ratio: { min: number; median: number }; holds: boolean }

/** The claim holds when the ratio of the medians does; that of the minima is shown to tell noise from change. */
export function judge(timings: Timing[], claim: Claim): Verdict {
  const of = find(timings, claim.of)
  const against = find(timings, claim.against)
  const ratio = { min: of.min / against.min, median: of.median / against.median }
  return { timings, claim, ratio, holds: ratio.median <= claim.atMost }
}

/** A small table for people. */
export function describe({ timings, claim, ratio, holds }: Verdict): string {
  const width = Math.max(...timings.map(({ name }) => name.length), 'ratio'.length)
  const row = (name: string, min: string, median: string) =>
    `${name.padEnd(width)}  ${min.padStart(10)}  ${median.padStart(10)}`
  return [
    row('', 'min', 'median'),
    ...timings.map(({ name, unit, min, median }) =>
      row(name, `${min.toFixed(1)} ${unit}`, `${median.toFixed(1)} ${unit}`),
    ),
    row('ratio', ratio.min.toFixed(2), ratio.median.toFixed(2)),
    `${holds ? 'holds' : 'DOES NOT HOLD'}: ${claim.text} (at most ${Number(claim.atMost.toFixed(2))} times, by the medians)`,
  ].join('\n')
}

function find(timings: Timing[], name: string): Timing {
  const timing = timings.find((candidate) => candidate.name === name)
  if (timing === undefined) throw new Error(`the claim names "${name}", which was not timed`)
  return timing
}
