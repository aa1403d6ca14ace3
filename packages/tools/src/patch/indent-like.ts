import { type IndentPair, indentOf, mapIndentation } from './indentation.ts'
import type { LineIndex } from './line-index.ts'
import { type Match, rowOf } from './match.ts'
import type { Reading } from './reading.ts'

/** How the old lines of a match are indented in the patch and in the file. */
export function indentPairs(match: Match, index: LineIndex): IndentPair[] {
  return match.reading.old.flatMap((patch, at) => {
    const file = index.lines[rowOf(match, at)] ?? ''
    return patch.trim() === '' ? [] : [{ patch: indentOf(patch), file: indentOf(file) }]
  })
}

/** The added lines, indented as the pairs say, or nothing if that is unclear. */
export function indentLike(
  pairs: readonly IndentPair[],
  { lines }: Reading,
  { isIndentedWith }: LineIndex,
): string[] | undefined {
  const map = mapIndentation(pairs, { lines, isIndentedWith })
  if (!map) return undefined
  const mapLine = (line: string) => (line === '' ? line : map(indentOf(line)) + line.trimStart())
  return lines.filter(({ sign }) => sign === '+').map(({ text }) => mapLine(text))
}
