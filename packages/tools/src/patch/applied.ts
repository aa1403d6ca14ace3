import { LEVELS, type Level } from './equality.ts'
import { hintedRow } from './hint.ts'
import type { LineIndex } from './line-index.ts'
import { endOf, type Match } from './match.ts'
import type { Hunk } from './patch.ts'
import { contextAround, countsAgree, type Reading } from './reading.ts'

/** What a hunk would make is there already; `isSure`, exactly where its numbers say. */
export type Applied = { kind: 'applied'; row: number; isSure: boolean }

/**
 * Whether what a hunk adds stands at its place already. Lines added at an edge of the hunk leave the old ones as they
 * were, and would be added again and again. It is never sure: the same lines may be wanted a second time.
 */
export function appliedAt(hunk: Hunk, match: Match, index: LineIndex): Applied | undefined {
  const { fresh, old } = match.reading
  if (fresh.length <= old.length) return undefined
  const isHinted = countsAgree(hunk, match.reading) && hintedRow(hunk, match.reading, 0) === match.start
  if (isHinted && isAnchored(match, index)) {
    // Among equal lines the new ones seem to be there from the start, and nothing can tell.
    const isThere = index.matching(fresh, match.level, match.start) === fresh.length
    return isThere ? { kind: 'applied', row: match.start, isSure: false } : undefined
  }
  const overlaps = (row: number) => row < Math.max(endOf(match), match.start + 1) && row + fresh.length > match.start
  const row = index.find(fresh, match.level).find(overlaps)
  return row === undefined ? undefined : { kind: 'applied', row, isSure: false }
}

/** A diff gives less context on one side only where the file begins or ends. */
function isAnchored(match: Match, index: LineIndex): boolean {
  const { lead, trail } = contextAround(match.reading)
  if (trail < lead && endOf(match) !== index.lines.length) return false
  return !(lead < trail && match.start !== 0)
}

// More places than these say no more than that there are many.
const MOST_ROWS = 20

/** Where the old lines of a hunk stand, and how well they fit there. */
export type OldPlaces = { level: Level; rows: readonly number[] }

/**
 * Where what a hunk makes stands already: where its numbers say, or at least nearer to it than its old lines, or anywhere
 * if those are gone or do not fit as well. At a looser level than theirs, a patch that only takes trailing blanks away
 * would seem to be applied.
 */
export function findApplied(
  hunk: Hunk,
  readings: readonly Reading[],
  { index, offset, old: there }: { index: LineIndex; offset: number; old: OldPlaces | undefined },
): Applied | undefined {
  for (const level of there ? LEVELS.slice(0, LEVELS.indexOf(there.level) + 1) : LEVELS) {
    for (const reading of readings) {
      const { fresh, old } = reading
      // Only the newline at the end of the file changes.
      if (fresh.length === 0 || fresh.join('\n') === old.join('\n')) continue
      // Lines taken away at the end of a hunk leave those before them, but so does nothing at all.
      const isOldAt = (row: number) => index.matching(old, level, row) === old.length
      const hints = appliedHints(hunk, reading, offset)
      const row = hints.find((at) => index.matching(fresh, level, at) === fresh.length && !isOldAt(at))
      if (row !== undefined) {
        const isProof = isTelling(reading, 1) || isAtEdge(reading, row, index)
        return { kind: 'applied', row, isSure: isProof && countsAgree(hunk, reading) }
      }
      // What stands there letter by letter, while the old line does not, needs no second one to be believed.
      const least = level === 'exact' && there?.level !== 'exact' ? 1 : 2
      const all = isTelling(reading, least) ? index.find(fresh, level).slice(0, MOST_ROWS) : []
      const rows = all.filter((at) => !isOldAt(at))
      const oldRows = there?.level === level ? there.rows : []
      if (rows[0] !== undefined && (oldRows.length === 0 || distance(rows, hints) < distance(oldRows, hints)))
        return { kind: 'applied', row: rows[0], isSure: false }
    }
  }
  return undefined
}

// Without numbers, everything is as far away as anything else.
function distance(rows: readonly number[], hints: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY
  for (const hint of hints) for (const row of rows) least = Math.min(least, Math.abs(row - hint))
  return least
}

// In a file that has been patched, a hunk stands at its new number; if only this hunk was, at its old one; and if context
// was left out that the header counts, somewhat below.
function appliedHints({ header, lastLine }: Hunk, { fresh }: Reading, offset: number): number[] {
  if (lastLine) return [lastLine.new - fresh.length].filter((row) => row >= 0)
  if (header === undefined) return []
  const left = Math.max(0, (header.newCount ?? 0) - fresh.length)
  const rows = [(header.newStart ?? 0) - 1, header.oldStart - 1 + offset]
  return [...rows, ...rows.map((row) => row + left / 2)].filter((row) => row >= 0 && Number.isInteger(row))
}

// That two lines follow each other, or that some line is there, proves nothing by itself.
function isTelling(reading: Reading, least: number): boolean {
  const { lead, trail } = contextAround(reading)
  const words = reading.fresh.filter((line) => /\w/.test(line)).length
  const adds = reading.lines.some(({ sign, text }) => sign === '+' && /\S/.test(text))
  return words >= least && (adds || (lead > 0 && trail > 0))
}

// Lines that were taken away at the end of the file leave the ones before them there, and nothing behind.
function isAtEdge(reading: Reading, row: number, { lines }: LineIndex): boolean {
  const { lead, trail } = contextAround(reading)
  if (reading.fresh.every((line) => !/\w/.test(line))) return false
  return trail < lead ? row + reading.fresh.length === lines.length : lead < trail && row === 0
}
