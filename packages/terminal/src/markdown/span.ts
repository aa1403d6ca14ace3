import { isColoured } from '../is-coloured.ts'
import type { TextStyle } from '../text-style.ts'

/** What can be said of a stretch of text; several at once are added up. */
export const MARKS = { strong: 1, emphasis: 2, strike: 4, code: 8, underline: 16, address: 32 } as const

/** Text that looks the same from its beginning to its end; a line feed in it is a break that the author wanted. */
export interface Span {
  readonly text: string
  readonly marks: number
}

/** The spans as styled text. Each line of each span is painted by itself, so that it can be cut at any line feed. */
export function paintSpans(spans: readonly Span[], style: TextStyle): string {
  const hasColour = isColoured(style)
  let painted = ''
  for (const { text, marks } of spans) {
    if (marks === 0) painted += text
    else if (!hasColour) painted += (marks & MARKS.code) !== 0 ? `\`${text}\`` : text
    else
      painted += text.includes('\n')
        ? text.split('\n').map(paintLine(marks, style)).join('\n')
        : paint(text, marks, style)
  }
  return painted
}

function paintLine(marks: number, style: TextStyle) {
  return (line: string) => paint(line, marks, style)
}

function paint(text: string, marks: number, style: TextStyle): string {
  let painted = text
  if ((marks & MARKS.code) !== 0) painted = style.cyan(painted)
  if ((marks & MARKS.underline) !== 0) painted = style.underline(painted)
  if ((marks & MARKS.emphasis) !== 0) painted = style.italic(painted)
  if ((marks & MARKS.strong) !== 0) painted = style.bold(painted)
  if ((marks & (MARKS.strike | MARKS.address)) !== 0) painted = style.dim(painted)
  return painted
}
