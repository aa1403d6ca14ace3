import type { Level } from './equality.ts'
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
  /** Lines that this reading takes for prose; were they in the file, they would belong to the hunk. */
  readonly prose?: readonly HunkLine[]
}

/** The ways to read a hunk, the most literal first; the more context the better. */
export function readingsOf(hunk: Hunk): Reading[] {
  const { lines, counted } = hunk
  const tail = looseTail(lines)
  const hasProse = lines.slice(lines.length - tail).some(({ text }) => text !== '')
  const withoutTail = lines.slice(0, lines.length - tail)
  const bare = lines.map(withoutSign)
  const readings = [toReading(lines, { isFollowed: false })]
  if (tail > 0) readings.push(toReading(withoutTail, { isFollowed: hasProse }))
  if (lines.some(({ sign, isLoose, text }) => sign === ' ' && !isLoose && text !== '')) {
    readings.push(toReading(bare, { isFollowed: false, isBare: true }))
    if (tail > 0) readings.push(toReading(bare.slice(0, lines.length - tail), { isFollowed: hasProse, isBare: true }))
  }
  if (counted === undefined || counted >= lines.length - tail) return readings
  const rest = lines.slice(counted)
  if (rest.every(isProse)) readings.push({ ...toReading(lines.slice(0, counted), { isFollowed: true }), prose: rest })
  return readings
}

// A list below the patch looks as if lines were taken away; anything else with a sign is no prose.
function isProse({ sign, text, isLoose }: HunkLine): boolean {
  if (isLoose) return !text.startsWith('@')
  return (sign === '-' && /^ \S/.test(text)) || (sign === ' ' && text.trim() === '')
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

/** Whether there is enough in a reading to be found at that level: brackets alone fit everywhere, but for their blanks. */
export function mayFit({ old }: Pick<Reading, 'old'>, level: Level): boolean {
  return level === 'exact' || level === 'trailing-space' || isTelling({ old })
}

/** Whether any old line has a word in it. */
export function isTelling({ old }: Pick<Reading, 'old'>): boolean {
  return old.some((line) => /\w\w/.test(line))
}
