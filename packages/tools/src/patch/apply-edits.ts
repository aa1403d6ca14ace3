import type { Edit } from './edit.ts'
import type { TextLines } from './text-lines.ts'

/** What an edit has become: rows of the new text, the last not included. */
export interface Landed {
  first: number
  end: number
}

/**
 * Makes the edits, which do not overlap and are in order. A new line ends as the one that it replaces or else as the one
 * before it; whether the text ends with a newline stays as it was, unless `endsWithNewline` says otherwise.
 */
export function applyEdits(
  text: TextLines,
  edits: readonly Edit[],
  { endsWithNewline = text.ends.at(-1) !== '' }: { endsWithNewline?: boolean | undefined } = {},
): { text: TextLines; landed: Landed[] } {
  const lines: string[] = []
  const ends: string[] = []
  const landed: Landed[] = []
  let row = 0
  const copyTo = (end: number) => {
    for (; row < end; row++) {
      lines.push(text.lines[row] ?? '')
      ends.push(text.ends[row] ?? '')
    }
  }
  for (const { at, remove, insert } of edits) {
    copyTo(at)
    const first = lines.length
    for (const [index, line] of insert.entries()) {
      lines.push(line)
      ends.push(endAt(text, index < remove ? at + index : at + remove - 1))
    }
    row = at + remove
    landed.push({ first, end: lines.length })
  }
  copyTo(text.lines.length)
  const last = lines.length - 1
  for (const [index, end] of ends.entries()) if (end === '') ends[index] = endAt(text, text.lines.length - 1)
  if (last >= 0 && !endsWithNewline) ends[last] = ''
  return { text: { mark: text.mark, lines, ends }, landed }
}

function endAt({ ends }: TextLines, row: number): string {
  return ends[row] || ends[row - 1] || ends[row + 1] || '\n'
}
