import type { Level } from './equality.ts'
import type { Tolerance } from './patch.ts'
import type { Reading } from './reading.ts'

/** A place of the file where a hunk fits, read in one way. */
export interface Match {
  readonly reading: Reading
  readonly level: Level
  /** The row (from 0) of its first old line. */
  readonly start: number
  /** Before this old line, one line of the file is missing in the patch. */
  readonly gap?: number
  /** This old line, a context line, says something else than the file. */
  readonly edited?: number
}

/** The row of the file that an old line of the hunk is. */
export function rowOf({ start, gap }: Match, index: number): number {
  return start + index + (gap !== undefined && index >= gap ? 1 : 0)
}

/** The row behind the last old line. */
export function endOf(match: Match): number {
  const { length } = match.reading.old
  return length === 0 ? match.start : rowOf(match, length - 1) + 1
}

/** What had to be tolerated for this match. */
export function tolerancesOf({ reading, level, gap, edited }: Match): Tolerance[] {
  return [
    ...reading.tolerances,
    ...(level === 'exact' ? [] : [level]),
    ...(gap === undefined ? [] : (['missing-context'] as const)),
    ...(edited === undefined ? [] : (['edited-context'] as const)),
  ]
}
