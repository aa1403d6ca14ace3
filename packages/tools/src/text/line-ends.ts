/** How the lines of a text end; `none` for a text of one line without an end. */
export type LineEnd = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'

/** How the lines of a text end, and whether the last one does. */
export function lineEndsOf(text: string): { eol: LineEnd; finalNewline: boolean } {
  return { eol: lineEndOf(text), finalNewline: /[\r\n]$/.test(text.slice(-1)) }
}

function lineEndOf(text: string): LineEnd {
  // Most files have none of these, which is known without looking at each line.
  if (!text.includes('\r')) return text.includes('\n') ? 'lf' : 'none'
  const kinds = new Set<LineEnd>()
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) {
    kinds.add(end === '\n' ? 'lf' : end === '\r' ? 'cr' : 'crlf')
    if (kinds.size > 1) return 'mixed'
  }
  const [kind = 'none'] = kinds
  return kind
}
