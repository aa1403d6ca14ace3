import { beginning } from '@maru/agent'

/** Lines of a text with their numbers, as many as fit, and what was left out. */
export type NumberedLines =
  | { kind: 'lines'; text: string; first: number; last: number; total: number }
  | { kind: 'beyond'; total: number }

/** Characters of one line that are shown. */
const LINE_LIMIT = 1_000

/** Lines `first` to `last` (from 1, both included) within `limit` characters; every cut is stated in the text. */
export function numberLines(
  text: string,
  { first = 1, last = Number.POSITIVE_INFINITY, limit }: { first?: number; last?: number; limit: number },
): NumberedLines {
  const lines = splitLines(text)
  const total = lines.length
  if (first > Math.max(total, 1)) return { kind: 'beyond', total }
  const shown: string[] = []
  let length = 0
  for (const [index, line] of lines.slice(first - 1, Math.min(last, total)).entries()) {
    const numbered = `${first + index}\t${cutLine(line)}`
    // Room for the line that says where to go on.
    if (length + numbered.length + 1 > limit - 100) break
    shown.push(numbered)
    length += numbered.length + 1
  }
  const end = first + shown.length - 1
  if (end < Math.min(last, total))
    shown.push(`[lines ${end + 1} to ${total} not shown; go on with startLine ${end + 1}]`)
  else if (end < total) shown.push(`[lines ${end + 1} to ${total} not asked for]`)
  return { kind: 'lines', text: shown.join('\n'), first, last: end, total }
}

/** Lines without their ends. A final newline ends the last line and begins none. */
export function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function cutLine(line: string): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line
  if (plain.length <= LINE_LIMIT) return plain
  const kept = beginning(plain, LINE_LIMIT)
  return `${kept} [… ${plain.length - kept.length} characters of this line cut]`
}
