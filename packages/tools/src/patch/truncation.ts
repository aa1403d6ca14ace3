import { endOf, type Match } from './match.ts'
import type { Hunk } from './patch.ts'
import { contextAround, USUAL_CONTEXT } from './reading.ts'

/**
 * Whether the end of a hunk seems to be missing: it is the last thing in the text, and its header counts lines that are
 * not there and cannot all be context that was left out. Models miscount, so counts that cannot be right prove nothing.
 */
export function seemsCut(hunk: Hunk, match: Match, lineCount: number): boolean {
  const { reading } = match
  const { header, mayBeCut } = hunk
  if (mayBeCut === undefined || reading.isFollowed) return false
  const missing = missingLines(hunk, match)
  if (missing === undefined || header?.oldCount === undefined) return mayBeCut === 'likely'
  const { old, fresh } = missing
  if (old < 0 || fresh < 0 || (old === 0 && fresh === 0)) return false
  const end = endOf(match)
  // Its last line was still being written.
  if (hunk.isUnfinished && reading.lines.at(-1)?.sign === '+') return true
  // The file has fewer lines than the header counts, so whoever wrote it did not count.
  if (end + old > lineCount) return false
  const above = Math.min(Math.max(match.start - (header.oldStart - 1), 0), old)
  const below = old - above
  const isOnlyContext = old === fresh
  if (end + below === lineCount && below + fresh > 0) return !isOnlyContext || above === 0
  const { trail } = contextAround(reading)
  if (isOnlyContext) return below > USUAL_CONTEXT
  return trail === 0 || Math.min(old, fresh) >= USUAL_CONTEXT
}

function missingLines({ header }: Hunk, { reading, gap }: Match): { old: number; fresh: number } | undefined {
  if (header?.oldCount === undefined || header.newCount === undefined) return undefined
  const found = gap === undefined ? 0 : 1
  return {
    old: header.oldCount - reading.old.length - found,
    fresh: header.newCount - reading.fresh.length - found,
  }
}
