/** Characters of a line that are shown. */
export const LINE_WIDTH = 240

// How much of it stands before what was found.
const LEAD = 80

/** A line around the character at `at`, with what was cut on either side stated. */
export function cutAround(line: string, at: number): string {
  if (line.length <= LINE_WIDTH) return line
  const wanted = Math.min(Math.max(at - LEAD, 0), line.length - LINE_WIDTH)
  const start = isLowSurrogate(line, wanted) ? wanted + 1 : wanted
  const end = isLowSurrogate(line, wanted + LINE_WIDTH) ? wanted + LINE_WIDTH - 1 : wanted + LINE_WIDTH
  const before = start > 0 ? `[… ${start} characters cut] ` : ''
  const after = end < line.length ? ` [… ${line.length - end} characters cut]` : ''
  return `${before}${line.slice(start, end)}${after}`
}

// Half of a character is none.
function isLowSurrogate(line: string, index: number): boolean {
  return /[\uDC00-\uDFFF]/.test(line.charAt(index))
}
