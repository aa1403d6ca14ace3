import { widthOf } from './cell-width.ts'
import { type Cells, cellsOf } from './cells.ts'
import { type OpenStyles, trackStyles } from './open-styles.ts'

/**
 * Lines no wider than `width`. Breaks at blanks, between CJK signs anywhere but before a closing or after an opening
 * mark, and inside a word only when it has no line of its own to fit in; Korean has blanks between its words, and is
 * broken there. A style that is on at the end of a line is closed there and opened again on the next.
 */
export function wrapText(text: string, width: number): string[] {
  const styles = trackStyles()
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    if (paragraph.includes('\x1b') || styles.opening !== '') wrapStyled(paragraph, { width, styles, lines })
    else if (paragraph.length * 2 <= width || widthOf(paragraph) <= width) lines.push(paragraph)
    else {
      const { pieces, widths } = cellsOf(paragraph)
      for (const [from, to] of placeBreaks({ pieces, widths }, width)) lines.push(pieces.slice(from, to).join(''))
    }
  }
  return lines
}

function wrapStyled(
  paragraph: string,
  { width, styles, lines }: { width: number; styles: OpenStyles; lines: string[] },
): void {
  const { pieces, widths } = cellsOf(paragraph)
  let done = 0
  for (const [from, to] of placeBreaks({ pieces, widths }, width)) {
    // Sequences among the blanks that were dropped between two lines still count.
    for (; done < from; done++) if (widths[done] === -1) styles.apply(pieces[done] ?? '')
    let line = styles.opening
    for (; done < to; done++) {
      if (widths[done] === -1) styles.apply(pieces[done] ?? '')
      line += pieces[done] ?? ''
    }
    lines.push(line + styles.closing)
  }
  for (; done < pieces.length; done++) if (widths[done] === -1) styles.apply(pieces[done] ?? '')
}

/** From which piece to which each line goes; what lies between two lines are blanks. */
function placeBreaks(cells: Cells, width: number): [from: number, to: number][] {
  const { pieces, widths } = cells
  const places: [number, number][] = []
  let line = { from: 0, taken: 0, breakAt: 0, hasText: false }
  let before = -1
  for (let i = 0; i < pieces.length; i++) {
    const own = widths[i] ?? 0
    if (own < 0) continue
    const isBlank = pieces[i] === ' '
    if (!isBlank && line.hasText && canBreakBetween(cells, before, i)) line.breakAt = i
    if (!isBlank && line.taken > 0 && line.taken + own > width) {
      const next = line.breakAt > line.from ? line.breakAt : i
      places.push([line.from, endWithoutBlanks(cells, line.from, next)])
      line = { from: next, taken: 0, breakAt: 0, hasText: false }
      i = next - 1
      continue
    }
    // Blanks hang over the end; those that a line begins with are an indentation and no place to break.
    if (!isBlank) line.hasText = true
    else if (line.hasText) line.breakAt = i + 1
    line.taken += own
    before = i
  }
  const isTooWide = line.taken > width
  places.push([line.from, isTooWide ? endWithoutBlanks(cells, line.from, pieces.length) : pieces.length])
  return places
}

// Marks that belong to the sign before them, and those that belong to the sign after them.
const CLOSING = /^[!),.:;?\]}’”…、。〉》」』】〕〗！），．：；？］｝～ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/
const OPENING = /^[([{‘“〈《「『【〔〖（［｛]/

function canBreakBetween({ pieces, widths }: Cells, before: number, after: number): boolean {
  const [left = '', right = ''] = [pieces[before], pieces[after]]
  const isLoose = isIdeograph(left, widths[before]) || isIdeograph(right, widths[after])
  return isLoose && !CLOSING.test(right) && !OPENING.test(left)
}

// Wide, and not of a Korean word. By numbers: the first use of a class of letters would take a start some milliseconds.
function isIdeograph(sign: string, width: number | undefined): boolean {
  if (width !== 2) return false
  const code = sign.charCodeAt(0)
  const isHangul = (code >= 0xac00 && code <= 0xd7ff) || (code >= 0x1100 && code <= 0x11ff)
  const isJamo = (code >= 0x3131 && code <= 0x318e) || (code >= 0xa960 && code <= 0xa97f)
  return !isHangul && !isJamo
}

function endWithoutBlanks({ pieces, widths }: Cells, from: number, to: number): number {
  let end = to
  for (let i = to - 1; i >= from && (pieces[i] === ' ' || widths[i] === -1); i--) if (pieces[i] === ' ') end = i
  return end
}
