import { printable } from './printable.ts'
import { graphemesOf, widthOf } from './width.ts'

const TAB_STOP = 4

/**
 * The second wall: whatever a caller forgot, no control character of a text reaches the terminal. Line feeds and tabs
 * stay, everything else becomes something to see.
 */
export function escapeControls(text: string): string {
  return isPlainAscii(text) ? text : printable(text, { keepLines: true })
}

/** Tabs as blanks up to the next stop, counted in cells: a tab's own width depends on where a line is drawn. */
export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  let expanded = ''
  let column = 0
  for (const [index, part] of line.split('\t').entries()) {
    const blanks = index === 0 ? 0 : TAB_STOP - (column % TAB_STOP)
    expanded += ' '.repeat(blanks) + part
    column += blanks + widthOf(part)
  }
  return expanded
}

/** Where a text of at most `limit` code units may be cut without taking a character apart. */
export function cutPoint(text: string, limit: number): number {
  if (text.length <= limit) return text.length
  const near = graphemesOf(text.slice(Math.max(0, limit - 40), limit + 1))
  const last = near.at(-1) ?? ''
  if (near.length > 1) return limit + 1 - last.length
  return /[\udc00-\udfff]/.test(text[limit] ?? '') ? limit - 1 : limit
}

function isPlainAscii(text: string): boolean {
  return /^[\n\t\x20-\x7e]*$/.test(text)
}
