import type { Level } from './equality.ts'
import type { Hunk, HunkLine, Tolerance } from './patch.ts'

/** A diff begins and ends each hunk with this many lines of context, unless the file begins or ends there. */
export const USUAL_CONTEXT = 3

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
}

/**
 * The ways to read a hunk, the most literal first. What stands at its end without signs is context if the file knows it,
 * and else what was written behind the patch.
 */
export function readingsOf(hunk: Hunk, isKnown: (text: string) => boolean): Reading[] {
  const { lines, counted } = hunk
  const isInFile = ({ text }: HunkLine) => text.trim() !== '' && isKnown(text)
  const end = lines.findLastIndex((line) => !line.isLoose || isInFile(line)) + 1
  const prose = lines.findIndex(({ text }, at) => at >= end && text.trim() !== '')
  const isFollowed = prose >= 0
  const upTo = (at: number, isBare: boolean) =>
    toReading(isBare ? lines.slice(0, at).map(withoutSign) : lines.slice(0, at), { isFollowed, isBare })
  // Blank lines at the end are context only if the header counts them; anybody leaves a line free behind a patch.
  const blanks = (isFollowed ? prose : lines.length) - end
  const shortest = upTo(end, false)
  const missing = (hunk.header?.oldCount ?? 0) - shortest.old.length
  const isCounted = missing > 0 && missing <= blanks && hunk.header?.newCount === shortest.fresh.length + missing
  const last = isCounted ? end + missing : end
  const readings = [isCounted ? upTo(last, false) : shortest]
  if (lines.some(({ sign, isLoose, text }) => sign === ' ' && !isLoose && text !== '')) readings.push(upTo(last, true))
  const rest = lines.slice(counted)
  if (counted !== undefined && counted < end && rest.every(isProse) && !rest.some(isInFile))
    readings.push(toReading(lines.slice(0, counted), { isFollowed: true }))
  return readings
}

/** Whether the header counts just the lines that this reading has. */
export function countsAgree({ header }: Hunk, { old, fresh }: Reading): boolean {
  return header?.oldCount === old.length && header.newCount === fresh.length
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

/**
 * Whether there is enough in a reading to be found at that level: brackets alone fit everywhere, but for their blanks; and
 * lines that are only taken away leave nothing by which to see later that they are gone.
 */
export function mayFit({ old, lines }: Pick<Reading, 'old' | 'lines'>, level: Level): boolean {
  if (level === 'exact' || level === 'trailing-space') return true
  return isTelling({ old }) && lines.some(({ sign }) => sign !== '-')
}

/** Whether any old line has a word in it. */
export function isTelling({ old }: Pick<Reading, 'old'>): boolean {
  return old.some((line) => /\w\w/.test(line))
}

/** Whether the file is to end with a newline, if the hunk says that this changes. */
export function newlineAfter({ lines }: Pick<Reading, 'lines'>): boolean | undefined {
  const old = lines.findLast(({ sign }) => sign !== '+')
  const fresh = lines.findLast(({ sign }) => sign !== '-')
  if (old === fresh || (!old?.isUnended && !fresh?.isUnended)) return undefined
  return !fresh?.isUnended
}
