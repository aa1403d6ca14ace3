import { plainOf } from './equality.ts'
import { isForeign, isIndented } from './indent-style.ts'
import { type IndentPair, indentOf, mapIndentation } from './indentation.ts'
import type { LineIndex } from './line-index.ts'
import { type Match, rowOf } from './match.ts'
import type { Reading } from './reading.ts'

/** The added lines as they fit the file, in order, or why that cannot be said. */
export type Adapted =
  | { kind: 'lines'; lines: string[] }
  /** `isForeign`: the old lines fit, but nothing in the file is indented like the new ones. */
  | { kind: 'unclear'; code: 'indentation-unclear' | 'punctuation-unclear'; isForeign?: boolean }

/**
 * What a match tolerates in the old lines has to be undone in the new ones, or the file would get a second style.
 * `learned`: how other hunks of the file are indented in the patch and in the file.
 */
export function adaptAdded(match: Match, index: LineIndex, { learned, keepsIndentation }: AdaptOptions): Adapted {
  const { reading, level } = match
  const added = reading.lines.filter(({ sign }) => sign === '+').map(({ text }) => text)
  if (level === 'indentation') return indentLike(indentPairs(match, index), reading, { index })
  if (!keepsIndentation && index.lines.length > 0) {
    const isDrifted = learned.length > 0 && !isIndented(reading.old) && isIndented(added)
    if (isDrifted || isForeign(added, { around: reading.old, isIndentedWith: index.isIndentedWith }))
      return indentLike(learned, reading, { index, isForeign: true })
  }
  if (level === 'punctuation') return plainPunctuation(added, match, index)
  return { kind: 'lines', lines: added }
}

export interface AdaptOptions {
  readonly learned: readonly IndentPair[]
  /** The added lines are indented as they are meant to be. */
  readonly keepsIndentation: boolean
}

/** How the old lines of a match are indented in the patch and in the file. */
export function indentPairs(match: Match, index: LineIndex): IndentPair[] {
  return match.reading.old.flatMap((patch, at) => {
    const file = index.lines[rowOf(match, at)] ?? ''
    return patch.trim() === '' ? [] : [{ patch: indentOf(patch), file: indentOf(file) }]
  })
}

function indentLike(
  pairs: readonly IndentPair[],
  { lines }: Reading,
  { index, isForeign = false }: { index: LineIndex; isForeign?: boolean },
): Adapted {
  const map = mapIndentation(pairs, { lines, isIndentedWith: index.isIndentedWith })
  if (!map) return { kind: 'unclear', code: 'indentation-unclear', isForeign }
  const mapLine = (line: string) => (line === '' ? line : map(indentOf(line)) + line.trimStart())
  return { kind: 'lines', lines: lines.filter(({ sign }) => sign === '+').map(({ text }) => mapLine(text)) }
}

/**
 * A curly quote among the added lines is meant if the old lines of the patch have none; it is not if they have some and
 * the file has none. Anything between is unclear.
 */
function plainPunctuation(added: readonly string[], match: Match, index: LineIndex): Adapted {
  const signs = new Set(added.flatMap((line) => [...line].filter((sign) => plainOf(sign) !== undefined)))
  const written = new Set([...signs].filter((sign) => match.reading.old.some((line) => line.includes(sign))))
  if (written.size === 0) return { kind: 'lines', lines: [...added] }
  if ([...written].some(index.hasSign)) return { kind: 'unclear', code: 'punctuation-unclear' }
  const plain = (line: string) => [...line].map((sign) => (written.has(sign) ? plainOf(sign) : sign)).join('')
  return { kind: 'lines', lines: added.map(plain) }
}
