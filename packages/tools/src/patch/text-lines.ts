/** A text as lines and what ends each of them, so that it can be put together again byte for byte. */
export interface TextLines {
  readonly mark: string
  readonly lines: readonly string[]
  /** `''` only for a last line without a newline. */
  readonly ends: readonly string[]
}

const BYTE_ORDER_MARK = '\uFEFF'

/** Takes a text apart. A lone CR ends a line only where nothing else does. */
export function splitText(text: string): TextLines {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const separator = text.includes('\n') ? '\n' : '\r'
  const lines = text.slice(mark.length).split(separator)
  const ends: string[] = lines.map(() => separator)
  ends[lines.length - 1] = ''
  if (lines.at(-1) === '') {
    lines.pop()
    ends.pop()
  }
  for (const [row, line] of lines.entries()) {
    if (separator !== '\n' || ends[row] === '' || !line.endsWith('\r')) continue
    lines[row] = line.slice(0, -1)
    ends[row] = '\r\n'
  }
  return { mark, lines, ends }
}

/** Puts a text together again. */
export function joinText({ mark, lines, ends }: TextLines): string {
  const pieces = [mark]
  for (const [row, line] of lines.entries()) pieces.push(line, ends[row] ?? '\n')
  return pieces.join('')
}
