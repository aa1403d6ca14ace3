import type { LineIndex } from './line-index.ts'
import type { Hunk, PatchDetails } from './patch.ts'
import type { Reading } from './reading.ts'
import { cut, numbered } from './refuse.ts'

const AROUND = 3
const MOST_ROWS = 50
const MOST_VOTERS = 500

/** The place that is most like a hunk that fits nowhere, and the first line where it differs. */
export function explainMismatch(hunk: Hunk, readings: readonly Reading[], index: LineIndex): PatchDetails {
  let best: Closest | undefined
  for (const reading of readings) {
    const closest = closestPlace(hunk, reading, index)
    if (closest && closest.votes > (best?.votes ?? 0)) best = closest
  }
  if (!best) return { found: nearHint(hunk, index) }
  const { reading, start } = best
  const { old } = reading
  const differing = old.findIndex((line, at) => line.trimEnd() !== index.lines[start + at]?.trimEnd())
  const row = start + Math.max(0, differing)
  return {
    stopsAt: Math.min(row, index.lines.length) + 1,
    expected: cut(old[Math.max(0, differing)] ?? ''),
    found: numbered(index.lines, row - AROUND, 2 * AROUND + 1),
  }
}

interface Closest {
  reading: Reading
  start: number
  votes: number
}

// Each line that stands in the file votes for where the hunk would begin; rare lines only, for they tell something.
function closestPlace({ header }: Hunk, reading: Reading, index: LineIndex): Closest | undefined {
  const votes = new Map<number, number>()
  for (const [at, line] of reading.old.slice(0, MOST_VOTERS).entries()) {
    if (line.trim() === '') continue
    if (index.countOf(line, 'indentation') > MOST_ROWS) continue
    for (const row of index.rowsOf(line, 'indentation')) votes.set(row - at, (votes.get(row - at) ?? 0) + 1)
  }
  const hint = (header?.oldStart ?? 1) - 1
  let best: Closest | undefined
  for (const [start, count] of votes) {
    const isNearer = () => Math.abs(start - hint) < Math.abs((best?.start ?? 0) - hint)
    if (start >= 0 && (!best || count > best.votes || (count === best.votes && isNearer())))
      best = { reading, start, votes: count }
  }
  return best
}

function nearHint({ header }: Hunk, index: LineIndex): string {
  const row = Math.min((header?.oldStart ?? 1) - 1, Math.max(0, index.lines.length - 1))
  return numbered(index.lines, row - AROUND, 2 * AROUND + 1)
}
