import type { TextStyle } from './text-style.ts'
import { cutText, graphemesOf, widthOf } from './width.ts'

/** Text in one colour. */
export interface Run {
  readonly text: string
  readonly paint?: TextStyle[keyof TextStyle]
}

/**
 * The runs of one line as rows no wider than `width`, broken wherever a row is full: code is not prose, and its blanks
 * count. A character that begins in one run and ends in the next is kept whole.
 */
export function breakRuns(runs: readonly Run[], width: number): string[] {
  const text = runs.map((run) => run.text).join('')
  // No character is wider than two cells.
  if (text.length * 2 <= width || widthOf(text) <= width) return [runs.map(painted).join('')]
  const rows: string[] = []
  let row = ''
  let taken = 0
  let current: Run | undefined
  let held = ''
  const release = () => {
    if (current && held !== '') row += painted({ ...current, text: held })
    held = ''
  }
  const bounds = boundsOf(runs)
  let index = 0
  let at = 0
  for (const grapheme of graphemesOf(text)) {
    while (at >= (bounds[index] ?? Number.POSITIVE_INFINITY)) index++
    if (runs[index] !== current) {
      release()
      current = runs[index]
    }
    const cells = widthOf(grapheme)
    if (taken > 0 && taken + cells > width) {
      release()
      rows.push(row)
      row = ''
      taken = 0
    }
    held += grapheme
    taken += cells
    at += grapheme.length
  }
  release()
  return [...rows, row]
}

/** One row: without blanks at its end where it says nothing, and never wider than the terminal. */
export function joinRow(before: string, content: string, width: number): string {
  if (content.trim() === '') return before.trimEnd()
  const row = before + content
  // A mark that belongs to the sign before it makes another sign of the blank there, and may make it wider.
  return content.charCodeAt(0) > 0x7e && widthOf(row) > width ? cutText(row, width, '') : row
}

function painted({ text, paint }: Run): string {
  return paint ? paint(text) : text
}

// Where each run ends in the text of all.
function boundsOf(runs: readonly Run[]): number[] {
  let end = 0
  return runs.map(({ text }) => {
    end += text.length
    return end
  })
}
