import { type AdaptOptions, adaptAdded } from './adapt-added.ts'
import { editsOf } from './edit.ts'
import { LEVELS, type Level } from './equality.ts'
import type { LineIndex } from './line-index.ts'
import { type Match, tolerancesOf } from './match.ts'
import type { Hunk, HunkLine, Tolerance } from './patch.ts'
import { type Reading, readingsOf } from './reading.ts'
import type { PlacedHunk, Settled } from './settle-hunk.ts'

// Each costs the making and hashing of the whole file; and the fewer, the less can a short name be met by chance: that of
// seven letters, by this many, in one of half a million patches that are in doubt.
const MOST_TRIES = 500
const MOST_LINES_MADE = 2_000_000
const MOST_PLACES = 200
const LONGEST_HUNK = 2_000

/** A hunk, and what came of it by its own lines and numbers. */
export interface Tried {
  readonly hunk: Hunk
  readonly result: Settled
}

/**
 * All ways to place those hunks that are not settled, each one where it could go. Nobody may choose among them but a proof.
 * None, if a hunk fits nowhere, or there are too many.
 */
export function waysToPlace(tried: readonly Tried[], index: LineIndex, options: AdaptOptions): PlacedHunk[][] {
  const most = Math.min(MOST_TRIES, MOST_LINES_MADE / index.lines.length)
  let ways: PlacedHunk[][] = [[]]
  for (const { hunk, result } of tried) {
    if (!('code' in result)) continue
    const places = OPEN.has(result.code) ? placesOf(hunk, index, options) : []
    ways = ways.flatMap((way) => places.map((place) => [...way, place]))
    if (ways.length === 0 || ways.length > most) return []
  }
  return ways
}

// What a second look can settle. A hunk that seems to be cut off is proven whole by what it makes.
const OPEN = new Set(['ambiguous', 'no-context', 'not-found', 'already-applied', 'indentation-unclear', 'truncated'])

function placesOf(hunk: Hunk, index: LineIndex, options: AdaptOptions): PlacedHunk[] {
  if (hunk.lines.length > LONGEST_HUNK) return []
  const readings = readingsOf(hunk, (line) => index.countOf(line, 'indentation') > 0)
  const matches = readings.flatMap((reading) => [
    ...whereItFits(reading, index),
    ...whereOneLineIsMissing(hunk, reading, index),
    ...whereNothingIsOld(hunk, reading, index),
  ])
  const placed = matches.flatMap((match) => waysToAdd(match, index, options).map((added) => place(hunk, match, added)))
  return distinct(placed).slice(0, MOST_PLACES)
}

function whereItFits(reading: Reading, index: LineIndex): Match[] {
  for (const level of LEVELS) {
    const rows = index.find(reading.old, level).slice(0, MOST_PLACES)
    if (rows.length > 0) return rows.map((start) => ({ reading, level, start }))
  }
  return []
}

/** Where the header counts one line more than there are, that line of the file is put in wherever it can have stood. */
function whereOneLineIsMissing({ header }: Hunk, reading: Reading, index: LineIndex): Match[] {
  const { old, lines } = reading
  if (header?.oldCount !== old.length + 1) return []
  const start = header.oldStart - 1
  const level: Level = 'trailing-space'
  const before = index.matching(old, level, start)
  const matches: Match[] = []
  let row = 0
  for (let at = 0; at <= lines.length && matches.length < MOST_PLACES; at++) {
    const missing = index.lines[start + row]
    const isRest = row <= before && index.matching(old.slice(row), level, start + row + 1) === old.length - row
    if (missing !== undefined && isRest) {
      const filled = lines.toSpliced(at, 0, { sign: ' ', text: missing, at: lines[at]?.at ?? 0 })
      matches.push({ reading: withLines(reading, filled), level, start })
    }
    if (lines[at]?.sign !== '+') row++
  }
  return matches
}

function withLines(reading: Reading, lines: readonly HunkLine[]): Reading {
  const side = (other: string) => lines.filter(({ sign }) => sign !== other).map(({ text }) => text)
  return { ...reading, lines, old: side('+'), fresh: side('-'), tolerances: [...reading.tolerances, 'missing-context'] }
}

/** Added lines alone go anywhere among the lines that the header counts. */
function whereNothingIsOld({ header }: Hunk, reading: Reading, { lines }: LineIndex): Match[] {
  if (reading.old.length > 0 || header === undefined) return []
  const { oldStart, oldCount = 1 } = header
  const first = oldCount === 0 ? oldStart : oldStart - 1
  const rows = Array.from({ length: Math.min(oldCount, MOST_PLACES) + 1 }, (_, count) => first + count)
  const inFile = rows.filter((row) => row >= 0 && row <= lines.length)
  return inFile.map((start): Match => ({ reading, level: 'exact', start }))
}

function waysToAdd(match: Match, index: LineIndex, options: AdaptOptions): string[][] {
  const written = match.reading.lines.filter(({ sign }) => sign === '+').map(({ text }) => text)
  const adapted = adaptAdded(match, index, options)
  return adapted.kind === 'lines' ? [written, adapted.lines] : [written]
}

function place(hunk: Hunk, match: Match, added: readonly string[]): PlacedHunk {
  const tolerances: Tolerance[] = [...tolerancesOf(match), 'proven-by-index']
  return { hunk, match, edits: editsOf(match, added) ?? [], tolerances }
}

function distinct(placed: readonly PlacedHunk[]): PlacedHunk[] {
  return [...new Map(placed.map((one) => [JSON.stringify(one.edits), one])).values()]
}
