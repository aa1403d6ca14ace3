import { LEVELS } from './equality.ts'
import { type LineIndex, MAX_PLACES } from './line-index.ts'
import { endOf, type Match } from './match.ts'
import type { Hunk, HunkLine } from './patch.ts'
import { contextAround, isTelling, mayFit, type Reading, USUAL_CONTEXT } from './reading.ts'

/**
 * The row where the hunk's numbers say that this reading begins. Numbers that ask for more lines than there are cannot
 * tell: the missing ones may have stood above.
 */
export function hintedRow({ header, lastLine }: Hunk, { old }: Reading, offset: number): number | undefined {
  if (lastLine !== undefined) return lastLine.old - old.length + offset
  if (header === undefined) return undefined
  const { oldStart, oldCount } = header
  if (oldCount !== undefined && oldCount > old.length) return undefined
  return (oldCount === 0 ? oldStart : oldStart - 1) + offset
}

/** Whether a match does not speak against the hunk's numbers; unknown where there are none. */
export function agreesWithHint(hunk: Hunk, match: Match, offset: number): boolean | undefined {
  const row = hintedRow(hunk, match.reading, offset)
  if (row !== undefined) return row === match.start
  if (hunk.header === undefined) return undefined
  const { oldStart, oldCount = 0 } = hunk.header
  const first = oldStart - 1 + offset
  return match.start >= first && match.start + match.reading.old.length <= first + oldCount
}

/**
 * The one of these rows that the numbers mean if as many lines of context were left out above as below: the header counts
 * them still. No other may lie where the header points to.
 */
export function centredRow({ header }: Hunk, { old, fresh }: Reading, rows: readonly number[]): number | undefined {
  if (header?.oldCount === undefined || header.newCount === undefined || rows.length >= MAX_PLACES) return undefined
  const left = header.oldCount - old.length
  if (left < 2 || left % 2 !== 0 || header.newCount - fresh.length !== left) return undefined
  const first = header.oldStart - 1
  const inside = rows.filter((row) => row >= first && row <= first + left)
  return inside.length === 1 && inside[0] === first + left / 2 ? inside[0] : undefined
}

/** The hunk exactly where its numbers say, at the best level at which it fits. */
export function matchAtHint(hunk: Hunk, readings: readonly Reading[], { index, offset }: At): Match | undefined {
  for (const level of LEVELS) {
    for (const reading of readings) {
      const start = hintedRow(hunk, reading, offset)
      if (start === undefined || start < 0 || reading.old.length === 0 || !mayFit(reading, level)) continue
      if (index.matching(reading.old, level, start) === reading.old.length) return { reading, level, start }
    }
  }
  return undefined
}

type At = { index: LineIndex; offset: number }

const NEARLY = ['exact', 'trailing-space'] as const

/**
 * The hunk exactly where its numbers say, but for one line of context: left out of the patch while the header counts it,
 * or changed in the file since. The numbers have to agree in full, for such a place is never looked for.
 */
export function nearlyAtHint(hunk: Hunk, readings: readonly Reading[], at: At): Match | undefined {
  for (const reading of readings) {
    const match = withGap(hunk, reading, at) ?? withEdit(hunk, reading, at)
    if (match && !isOpen(match, at.index)) return match
  }
  return undefined
}

// Lines added at an edge of the hunk that is no edge of the file: they may be there already, and hide in what is missing.
function isOpen(match: Match, { lines }: LineIndex): boolean {
  const signs = match.reading.lines.map(({ sign }) => sign)
  return (signs[0] === '+' && match.start > 0) || (signs.at(-1) === '+' && endOf(match) < lines.length)
}

function withGap({ header }: Hunk, reading: Reading, { index, offset }: At): Match | undefined {
  const { old } = reading
  if (header?.oldCount !== old.length + 1) return undefined
  const start = header.oldStart - 1 + offset
  if (start < 0) return undefined
  for (const level of NEARLY) {
    const gap = index.matching(old, level, start)
    if (gap === 0 || gap === old.length) continue
    if (index.matching(old.slice(gap), level, start + gap + 1) < old.length - gap) continue
    // Where lines repeat themselves, the missing one could be another of them, and the change land elsewhere.
    const isRepeated = index.matching(old.slice(gap - 1, gap), level, start + gap) > 0
    if (!isRepeated && isTelling(reading) && changesTell(reading)) return { reading, level, start, gap }
  }
  return undefined
}

// Blank lines and brackets come and go without a trace.
function changesTell({ lines }: Reading): boolean {
  return ['-', '+'].every((wanted) => {
    const old = lines.filter(({ sign }) => sign === wanted).map(({ text }) => text)
    return old.length === 0 || isTelling({ old })
  })
}

function withEdit({ header }: Hunk, reading: Reading, { index, offset }: At): Match | undefined {
  const { old, lines } = reading
  if (header === undefined || header.oldCount !== old.length || old.length < 3) return undefined
  const start = header.oldStart - 1 + offset
  if (start < 0) return undefined
  const quiet = quietContext(lines)
  for (const level of NEARLY) {
    const edited = index.matching(old, level, start)
    if (!quiet[edited] || index.lines[start + edited] === undefined) continue
    if (index.matching(old.slice(edited + 1), level, start + edited + 1) < old.length - edited - 1) continue
    const words = old.filter((line, at) => at !== edited && /\w/.test(line)).length
    if (words >= 2 && changesTell(reading)) return { reading, level, start, edited }
  }
  return undefined
}

// For each old line, whether it is context that touches no change.
function quietContext(lines: readonly HunkLine[]): boolean[] {
  const isContext = (line: HunkLine | undefined) => line === undefined || line.sign === ' '
  return lines.flatMap((line, at) => {
    if (line.sign === '+') return []
    return [isContext(line) && isContext(lines[at - 1]) && isContext(lines[at + 1])]
  })
}

/**
 * Whether a line that the header counts may be missing just where the hunk begins or ends with added lines: they could go
 * before that line or behind it.
 */
export function lacksLineAtEdge({ header }: Hunk, match: Match, { index, offset }: At): boolean {
  const { old, fresh, lines } = match.reading
  if (header?.oldCount === undefined || header.oldCount <= old.length || match.gap !== undefined) return false
  const first = header.oldStart - 1 + offset
  const end = first + header.oldCount
  const left = header.oldCount - old.length
  // As much left out above as below: that is context around the hunk, and not in it.
  const above = match.start - first
  const isContext = header.newCount === fresh.length + left
  if (isContext && above === left / 2 && above <= USUAL_CONTEXT) return false
  // More than a diff ever has at an edge: some of it stood inside.
  if (isContext && lines[0]?.sign === '+' && above > USUAL_CONTEXT) return true
  if (isContext && lines.at(-1)?.sign === '+' && left - above > USUAL_CONTEXT && above >= 0) return true
  if (lines[0]?.sign === '+' && match.start !== first) return true
  const lastOld = lines.findLast(({ sign }) => sign !== '+')
  const endsOpen = lines.at(-1)?.sign === '+' && lastOld?.sign === ' '
  return endsOpen && end <= index.lines.length && endOf(match) !== end
}

/** The row where the numbers point to, if at least half of the telling lines stand there, or all context before the change. */
export function likenessAtHint(hunk: Hunk, reading: Reading, { index, offset }: At): { row: number } | undefined {
  const row = hintedRow(hunk, reading, offset)
  if (row === undefined || row < 0) return undefined
  const isThere = (line: string, at: number) => index.lines[row + at]?.trim() === line.trim()
  const lead = reading.old.slice(0, contextAround(reading).lead)
  if (isTelling({ old: lead }) && lead.every(isThere)) return { row }
  const hasWord = (line: string) => /\w/.test(line)
  const alike = reading.old.filter((line, at) => hasWord(line) && isThere(line, at)).length
  return alike > 0 && alike * 2 >= reading.old.filter(hasWord).length ? { row } : undefined
}
