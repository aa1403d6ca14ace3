import { looseTail } from './hunk-lines.ts'
import type { Hunk, HunkLine, Tolerance } from './patch.ts'

/** One way to understand what was written: which lines are context, and what they say. */
export interface Reading {
  readonly lines: readonly HunkLine[]
  /** The lines that have to be there: context and what is taken away. */
  readonly old: readonly string[]
  /** The lines that are there afterwards. */
  readonly fresh: readonly string[]
  readonly tolerances: readonly Tolerance[]
  /** Context lines are taken to have lost their sign, even if they begin with a blank. */
  readonly isBare: boolean
  /** Prose stands behind the hunk, so its end is not missing. */
  readonly isFollowed: boolean
  /** A line that this reading takes for prose; were it in the file, it would be context. */
  readonly prose?: string
}

/** The ways to read a hunk, the most literal first; the more context the better. */
export function readingsOf(hunk: Hunk): Reading[] {
  const { lines, counted } = hunk
  const tail = looseTail(lines)
  const isProse = lines.slice(lines.length - tail).some(({ text }) => text !== '')
  const withoutTail = lines.slice(0, lines.length - tail)
  const bare = lines.map(withoutSign)
  const readings = [toReading(lines, { isFollowed: false })]
  if (tail > 0) readings.push(toReading(withoutTail, { isFollowed: isProse }))
  if (lines.some(({ sign, isLoose, text }) => sign === ' ' && !isLoose && text !== '')) {
    readings.push(toReading(bare, { isFollowed: false, isBare: true }))
    if (tail > 0) readings.push(toReading(bare.slice(0, lines.length - tail), { isFollowed: isProse, isBare: true }))
  }
  if (counted === undefined || counted >= lines.length - tail) return readings
  const prose = lines.slice(counted).find(({ text, sign }) => sign !== ' ' || text !== '')
  if (prose?.isLoose) readings.push({ ...toReading(lines.slice(0, counted), { isFollowed: true }), prose: prose.text })
  return readings
}

/** A context line whose first blank is part of its text. */
function withoutSign(line: HunkLine): HunkLine {
  return line.sign !== ' ' || line.isLoose || line.text === '' ? line : { ...line, text: ` ${line.text}` }
}

function toReading(
  lines: readonly HunkLine[],
  { isFollowed, isBare = false }: { isFollowed: boolean; isBare?: boolean },
): Reading {
  const isLoose = isBare || lines.some((line) => line.isLoose && line.text !== '')
  return {
    lines,
    old: lines.filter(({ sign }) => sign !== '+').map(({ text }) => text),
    fresh: lines.filter(({ sign }) => sign !== '-').map(({ text }) => text),
    tolerances: isLoose ? ['missing-prefix'] : [],
    isBare,
    isFollowed,
  }
}

/** How many lines of context stand before the first change and behind the last. */
export function contextAround({ lines }: Pick<Reading, 'lines'>): { lead: number; trail: number } {
  const isChange = ({ sign }: HunkLine) => sign !== ' '
  const first = lines.findIndex(isChange)
  if (first < 0) return { lead: lines.length, trail: 0 }
  return { lead: first, trail: lines.length - 1 - lines.findLastIndex(isChange) }
}
