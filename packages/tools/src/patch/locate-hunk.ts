import { blockOf } from './anchors.ts'
import { LEVELS, type Level } from './equality.ts'
import { centredRow, countsAgree, hintedRow, likenessAtHint, matchAtHint, nearlyAtHint } from './hint.ts'
import type { LineIndex } from './line-index.ts'
import { endOf, type Match } from './match.ts'
import type { Hunk } from './patch.ts'
import { contextAround, type Reading, readingsOf } from './reading.ts'

/** Where a hunk belongs, or why that cannot be said. Rows are from 0. */
export type Sighting =
  /** `others`: it also fits there, and only its numbers have decided. */
  | { kind: 'placed'; match: Match; others: number[] }
  | Applied
  | { kind: 'ambiguous'; rows: number[]; readings: readonly Reading[]; cause: 'repeated' | 'numbers-disagree' }
  | { kind: 'no-context' }
  | { kind: 'not-found'; readings: readonly Reading[] }

/** What it would make is there already; `isSure`, exactly where its numbers say. */
export type Applied = { kind: 'applied'; row: number; isSure: boolean }

/** Looks for the one place of a hunk. `offset`: by how many rows what is already applied has moved the rest. */
export function locateHunk(hunk: Hunk, index: LineIndex, offset = 0): Sighting {
  const readings = readingsOf(hunk).filter(({ prose }) => !prose || index.countOf(prose, 'indentation') === 0)
  if (readings.every(({ old }) => old.length === 0)) return locateBare(hunk, readings, index)
  const best = search(readings, index)
  const at = { index, offset }
  const hinted = matchAtHint(hunk, readings, at)
  if (hinted && hinted.level === best?.level) {
    const applied = isAnchored(hinted, index) ? undefined : appliedAt(hunk, hinted, index)
    return applied ?? { kind: 'placed', match: hinted, others: best.rows.filter((row) => row !== hinted.start) }
  }
  const applied = findApplied(hunk, readings, { index, offset, isOldThere: best !== undefined })
  if (applied?.isSure) return applied
  const near = hinted ?? nearlyAtHint(hunk, readings, at)
  if (near && !best) return { kind: 'placed', match: near, others: [] }
  if (near && best) return ambiguous([...best.rows, near.start], readings, 'numbers-disagree')
  if (applied) return applied
  if (!best) return { kind: 'not-found', readings }
  // Half of it stands where its numbers say, and all of it elsewhere: is the file another one, or are the numbers wrong?
  const like = likenessAtHint(hunk, best.reading, at)
  if (like) return ambiguous([...best.rows, like.row], readings, 'numbers-disagree')
  return choose(hunk, { best, readings, index })
}

interface Best {
  level: Level
  reading: Reading
  rows: number[]
}

function search(readings: readonly Reading[], index: LineIndex): Best | undefined {
  for (const level of LEVELS) {
    for (const reading of readings) {
      const rows = index.find(reading.old, level)
      if (rows.length === 0) continue
      // If the other way to read the signs leads to other places, nothing says which one is meant.
      const others = readings
        .filter(({ isBare }) => isBare && !reading.isBare)
        .flatMap(({ old }) => index.find(old, level))
      return { level, reading, rows: unique([...rows, ...others]) }
    }
  }
  return undefined
}

function choose(
  hunk: Hunk,
  { best, readings, index }: { best: Best; readings: Reading[]; index: LineIndex },
): Sighting {
  const { level, reading } = best
  const toMatch = (start: number): Match => ({ reading, level, start })
  let rows = best.rows
  if (rows.length > 1 && hunk.anchors.length > 0) {
    const block = blockOf(hunk.anchors, index)
    rows = rows.filter((row) => block && row >= block.first && row < block.end)
  }
  if (rows.length !== 1 && hunk.endsFile)
    rows = best.rows.filter((row) => row + reading.old.length === index.lines.length)
  const centred = rows.length > 1 ? centredRow(hunk, reading, best.rows) : undefined
  if (centred !== undefined) {
    return { kind: 'placed', match: toMatch(centred), others: best.rows.filter((row) => row !== centred) }
  }
  const [row] = rows
  if (row === undefined || rows.length > 1) return ambiguous(best.rows, readings, 'repeated')
  return appliedAt(hunk, toMatch(row), index) ?? { kind: 'placed', match: toMatch(row), others: [] }
}

function ambiguous(
  rows: readonly number[],
  readings: readonly Reading[],
  cause: 'repeated' | 'numbers-disagree',
): Sighting {
  return { kind: 'ambiguous', rows: unique(rows), readings, cause }
}

function unique(rows: readonly number[]): number[] {
  return [...new Set(rows)].sort((a, b) => a - b)
}

// Without any context only an empty file or a said end of the file is a place.
function locateBare(hunk: Hunk, readings: readonly Reading[], index: LineIndex): Sighting {
  const reading = readings.at(-1)
  const isPlace = index.lines.length === 0 || hunk.endsFile
  if (!reading || !isPlace) return { kind: 'no-context' }
  const match: Match = { reading, level: 'exact', start: index.lines.length }
  return appliedAt(hunk, match, index) ?? { kind: 'placed', match, others: [] }
}

/**
 * A diff gives less context on one side only where the file begins or ends. So if a hunk like that fits elsewhere too,
 * it may be because what it adds is there already.
 */
function isAnchored(match: Match, index: LineIndex): boolean {
  const { lead, trail } = contextAround(match.reading)
  if (trail < lead && endOf(match) !== index.lines.length) return false
  return !(lead < trail && match.start !== 0)
}

// Lines added at an edge of the hunk leave the old ones as they were, and would be added again and again.
function appliedAt(hunk: Hunk, match: Match, index: LineIndex): Applied | undefined {
  const { fresh, old } = match.reading
  if (fresh.length <= old.length) return undefined
  for (const row of [match.start, endOf(match) - fresh.length]) {
    if (row < 0 || index.matching(fresh, match.level === 'exact' ? 'exact' : 'trailing-space', row) < fresh.length)
      continue
    const isSure = countsAgree(hunk, match.reading) && hintedRow(hunk, match.reading, 0) === match.start
    return { kind: 'applied', row, isSure }
  }
  return undefined
}

function findApplied(
  hunk: Hunk,
  readings: readonly Reading[],
  { index, offset, isOldThere }: { index: LineIndex; offset: number; isOldThere: boolean },
): Applied | undefined {
  // Where the old lines are there, a patch that only takes trailing blanks away would seem to be applied.
  for (const level of isOldThere ? (['exact'] as const) : (['exact', 'trailing-space'] as const)) {
    for (const reading of readings) {
      const { fresh, old } = reading
      // Only the newline at the end of the file changes.
      if (fresh.join('\n') === old.join('\n')) continue
      for (const row of appliedHints(hunk, offset)) {
        const isThere = fresh.length > 0 && index.matching(fresh, level, row) === fresh.length
        if (isThere && (isTelling(reading) || isAtEdge(reading, row, index)))
          return { kind: 'applied', row, isSure: countsAgree(hunk, reading) }
      }
      const rows = isOldThere || !isTelling(reading) ? [] : index.find(fresh, level)
      if (rows[0] !== undefined) return { kind: 'applied', row: rows[0], isSure: false }
    }
  }
  return undefined
}

// In a file that has been patched, a hunk stands at its new number; if only this hunk was, at its old one.
function appliedHints({ header }: Hunk, offset: number): number[] {
  if (header === undefined) return []
  const rows = [(header.newStart ?? 0) - 1, header.oldStart - 1 + offset]
  return rows.filter((row) => row >= 0)
}

// That two lines follow each other, or that some line is there, proves nothing by itself.
function isTelling(reading: Reading): boolean {
  const { lead, trail } = contextAround(reading)
  const words = reading.fresh.filter((line) => /\w/.test(line)).length
  const adds = reading.lines.some(({ sign, text }) => sign === '+' && /\S/.test(text))
  return words >= 2 && (adds || (lead > 0 && trail > 0))
}

// Lines that were taken away at the end of the file leave the ones before them there, and nothing behind.
function isAtEdge(reading: Reading, row: number, { lines }: LineIndex): boolean {
  const { lead, trail } = contextAround(reading)
  if (reading.fresh.every((line) => !/\w/.test(line))) return false
  return trail < lead ? row + reading.fresh.length === lines.length : lead < trail && row === 0
}
