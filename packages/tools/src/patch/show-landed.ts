import type { Landed } from './apply-edits.ts'
import type { LandedHunk } from './patch.ts'
import { numbered } from './refuse.ts'
import type { PlacedHunk } from './settle-hunk.ts'
import type { TextLines } from './text-lines.ts'

const AROUND = 2
const MOST_LINES = 40
const MOST_LINES_OF_ALL = 400

/** The lines that hunks have become, with numbers and a little around them, so that they need not be read again. */
export function showLanded(
  placed: readonly PlacedHunk[],
  { text, landed }: { text: TextLines; landed: readonly Landed[] },
): LandedHunk[] {
  let next = 0
  let left = MOST_LINES_OF_ALL
  return placed.map(({ hunk, edits, tolerances }) => {
    const own = landed.slice(next, next + edits.length)
    next += edits.length
    const first = own[0]?.first ?? 0
    const end = own.at(-1)?.end ?? first
    const lines = showLines(text.lines, { first, end, most: Math.min(left, MOST_LINES) })
    left -= Math.min(left, end - first + 2 * AROUND, MOST_LINES)
    return { hunk: hunk.number, first: first + 1, last: end, lines, tolerances }
  })
}

/** The rows of a text around those that have changed; what does not fit is left out in the middle, and it is said. */
export function showLines(
  lines: readonly string[],
  { first, end, most = MOST_LINES }: { first: number; end: number; most?: number },
): string {
  const from = Math.max(0, first - AROUND)
  const to = Math.min(lines.length, end + AROUND)
  if (to - from <= most) return numbered(lines, from, to - from)
  const half = Math.floor(most / 2)
  const head = numbered(lines, from, half)
  const cut = `[lines ${from + half + 1} to ${to - half} not shown]`
  return [head, cut, numbered(lines, to - half, half)].filter((part) => part !== '').join('\n')
}
