import { blockOf } from './anchors.ts'
import { type Applied, appliedAt, findApplied } from './applied.ts'
import { LEVELS, type Level } from './equality.ts'
import { agreesWithHint, centredRow, likenessAtHint, matchAtHint, nearlyAtHint } from './hint.ts'
import type { LineIndex } from './line-index.ts'
import type { Match } from './match.ts'
import type { Hunk } from './patch.ts'
import { isTelling, mayFit, type Reading, readingsOf } from './reading.ts'

/** Where a hunk belongs, or why that cannot be said. Rows are from 0. */
export type Sighting =
  /** `others`: it also fits there, and only its numbers have decided. */
  | { kind: 'placed'; match: Match; others: number[] }
  | Applied
  | { kind: 'ambiguous'; rows: number[]; readings: readonly Reading[]; cause: 'repeated' | 'numbers-disagree' }
  | { kind: 'no-context' }
  | { kind: 'not-found'; readings: readonly Reading[] }

/** Looks for the one place of a hunk. `offset`: by how many rows what is already applied has moved the rest. */
export function locateHunk(hunk: Hunk, index: LineIndex, offset = 0): Sighting {
  const readings = readingsOf(hunk, (line) => index.countOf(line, 'indentation') > 0)
  if (readings.every(({ old }) => old.length === 0)) return locateBare(hunk, readings, index)
  const best = search(readings, index)
  const at = { index, offset }
  const hinted = matchAtHint(hunk, readings, at)
  const isBest = hinted !== undefined && hinted.level === best?.level
  const applied = hinted?.level === 'exact' ? undefined : findApplied(hunk, readings, { index, offset, old: best })
  if (applied && (isBest || applied.isSure)) return applied
  if (isBest) return appliedAt(hunk, hinted, index) ?? placed(hinted, [...best.rows, ...best.strays])
  const near = hinted ?? nearlyAtHint(hunk, readings, at)
  if (near && !best) return placed(near)
  if (near && best) return ambiguous([...best.rows, near.start], readings, 'numbers-disagree')
  if (applied) return applied
  if (!best) return { kind: 'not-found', readings }
  // Half of it stands where its numbers say, and all of it elsewhere: is the file another one, or are the numbers wrong?
  const like = likenessAtHint(hunk, best.reading, at)
  if (like) return ambiguous([...best.rows, like.row], readings, 'numbers-disagree')
  return choose(hunk, { best, readings, ...at })
}

interface Best {
  level: Level
  reading: Reading
  rows: number[]
  /** Where it would go if its signs were read in the other way. */
  strays: number[]
}

function search(readings: readonly Reading[], index: LineIndex): Best | undefined {
  for (const level of LEVELS) {
    for (const reading of readings) {
      const rows = mayFit(reading, level) ? index.find(reading.old, level) : []
      if (rows.length === 0) continue
      const bare = readings.filter(({ isBare }) => isBare && !reading.isBare)
      const strays = bare.flatMap(({ old }) => index.find(old, level)).filter((row) => !rows.includes(row))
      return { level, reading, rows, strays }
    }
  }
  return undefined
}

function choose(
  hunk: Hunk,
  { best, readings, index, offset }: { best: Best; readings: Reading[]; index: LineIndex; offset: number },
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
  const all = [...best.rows, ...best.strays]
  if (best.strays.length > 0) return ambiguous(all, readings, 'repeated')
  const centred = rows.length > 1 ? centredRow(hunk, reading, rows) : undefined
  if (centred !== undefined) return placed(toMatch(centred), all)
  const [row] = rows
  if (row === undefined || rows.length > 1) return ambiguous(all, readings, 'repeated')
  // A bracket that is there once, but not where the numbers say, proves nothing; and where lines were only taken away, the
  // next that is equal to them is another.
  const isWeak = !isTelling(reading) || reading.fresh.length === 0
  if (isWeak && agreesWithHint(hunk, toMatch(row), offset) === false)
    return ambiguous(all, readings, 'numbers-disagree')
  return appliedAt(hunk, toMatch(row), index) ?? placed(toMatch(row))
}

function placed(match: Match, rows: readonly number[] = []): Sighting {
  return { kind: 'placed', match, others: rows.filter((row) => row !== match.start) }
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
  return appliedAt(hunk, match, index) ?? placed(match)
}
