import { type AdaptOptions, adaptAdded } from './adapt-added.ts'
import { type Edit, editsOf } from './edit.ts'
import { agreesWithHint, lacksLineAtEdge } from './hint.ts'
import type { LineIndex } from './line-index.ts'
import { type Match, rowOf, tolerancesOf } from './match.ts'
import type { Hunk, Tolerance } from './patch.ts'
import type { Sighted } from './place-hunks.ts'
import { countsAgree, newlineAfter } from './reading.ts'
import type { Trouble } from './trouble.ts'
import { seemsCut } from './truncation.ts'

/** A hunk that knows its place and what it does there. */
export interface PlacedHunk {
  readonly hunk: Hunk
  readonly match: Match
  readonly edits: readonly Edit[]
  readonly tolerances: Tolerance[]
}

/** `isApplied`: all of it is there. */
export type Settled = PlacedHunk | Trouble | { isApplied: true }

/** What a hunk does, or why it cannot, when all hunks of the file have been looked for. */
export function settleHunk(
  { hunk, sighting, offset, hasEllipsis }: Sighted,
  index: LineIndex,
  options: AdaptOptions,
): Settled {
  switch (sighting.kind) {
    case 'applied':
      return sighting.isSure ? { isApplied: true } : { code: 'already-applied', row: sighting.row }
    case 'ambiguous': {
      const { rows, readings, cause } = sighting
      const [reading] = readings
      // Wherever it would go, its end is missing.
      if (reading && rows.every((start) => seemsCut(hunk, { reading, level: 'exact', start }, index.lines.length)))
        return { code: 'truncated' }
      return { code: 'ambiguous', rows, cause }
    }
    case 'no-context':
      return { code: 'no-context' }
    case 'not-found':
      return { code: 'not-found', readings: sighting.readings }
    case 'placed':
      break
    default:
      return sighting satisfies never
  }
  const { match } = sighting
  if (seemsCut(hunk, match, index.lines.length)) return { code: 'truncated' }
  const adapted = adaptAdded(match, index, options)
  if (adapted.kind === 'unclear') return { code: adapted.code, row: match.start, isForeign: adapted.isForeign ?? false }
  const edits = lacksLineAtEdge(hunk, match, { index, offset }) ? undefined : editsOf(match, adapted.lines)
  if (!edits)
    return { code: 'ambiguous', rows: [Math.max(0, rowOf(match, match.gap ?? 0) - 1)], cause: 'line-left-out' }
  if (newlineAfter(match.reading) === undefined && edits.every((edit) => isThere(edit, index.lines)))
    return saysTheSame(hunk) ? { code: 'no-change' } : { isApplied: true }
  const tolerances = tolerancesOf(match)
  if (hunk.isNumbered) tolerances.push('numbered-lines')
  if (hasEllipsis) tolerances.push('ellipsis')
  if (agreesWithHint(hunk, match, offset) === false) tolerances.push('line-numbers')
  if (hunk.header?.oldCount !== undefined && !countsAgree(hunk, match.reading)) tolerances.push('line-counts')
  return { hunk, match, edits, tolerances }
}

function isThere({ at, remove, insert }: Edit, lines: readonly string[]): boolean {
  return insert.length === remove && insert.every((line, index) => line === lines[at + index])
}

/** Whether a hunk takes away what it also adds, letter by letter. */
export function saysTheSame({ lines }: Hunk): boolean {
  const side = (wanted: string) => lines.filter(({ sign }) => sign === wanted).map(({ text }) => text)
  return side('-').join('\n') === side('+').join('\n')
}
