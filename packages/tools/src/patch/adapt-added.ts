import type { Drift } from './drift.ts'
import { foldedSigns, isDecomposed, plainOf } from './equality.ts'
import { indentLike, indentPairs } from './indent-like.ts'
import { isForeign, isIndented, isOneBlankIn } from './indent-style.ts'
import type { LineIndex } from './line-index.ts'
import type { Match } from './match.ts'

/** The added lines as they fit the file, in order, or why that cannot be said. */
export type Adapted =
  | { kind: 'lines'; lines: string[] }
  /** `isForeign`: the old lines fit, but nothing in the file is indented like the new ones. */
  | { kind: 'unclear'; code: 'indentation-unclear' | 'punctuation-unclear'; isForeign?: boolean }

/** What a match tolerates in the old lines has to be undone in the new ones, or the file would get a second style. */
export function adaptAdded(match: Match, index: LineIndex, { drift, keepsIndentation }: AdaptOptions): Adapted {
  const { reading, level } = match
  const added = reading.lines.filter(({ sign }) => sign === '+').map(({ text }) => text)
  if (level === 'indentation') return asAdapted(indentLike(indentPairs(match, index), reading, index))
  const isPlain = keepsIndentation || index.lines.length === 0 || isIndented(reading.old) || !isIndented(added)
  if (!isPlain && drift.isSeen && !drift.isOnlyInOld) {
    // Its own lines count too: where they fit as they are, not all of the patch is moved.
    return asAdapted(indentLike([...drift.pairs, ...indentPairs(match, index)], reading, index))
  }
  const isUnclear = drift.isSeen ? drift.pairs.length > 0 : isForeign(added, index.isIndentedWith)
  if (!isPlain && isUnclear) return { kind: 'unclear', code: 'indentation-unclear', isForeign: true }
  const isUnsigned = reading.tolerances.includes('missing-prefix')
  if (isUnsigned && isOneBlankIn(added, index.isIndentedWith))
    return { kind: 'unclear', code: 'indentation-unclear', isForeign: true }
  if (level === 'punctuation') return plainPunctuation(added, match, index)
  return { kind: 'lines', lines: added }
}

export interface AdaptOptions {
  /** What other hunks of the file show of its indentation. */
  readonly drift: Drift
  /** The added lines are indented as they are meant to be. */
  readonly keepsIndentation: boolean
}

function asAdapted(lines: string[] | undefined): Adapted {
  return lines ? { kind: 'lines', lines } : { kind: 'unclear', code: 'indentation-unclear' }
}

/**
 * A curly quote among the added lines is meant if the old lines of the patch have none; it is not if they have some and
 * the file has none. Anything between is unclear. So it is with letters in parts.
 */
function plainPunctuation(added: readonly string[], match: Match, index: LineIndex): Adapted {
  const { old } = match.reading
  const written = new Set([...foldedSigns(added)].filter((sign) => old.some((line) => line.includes(sign))))
  if ([...written].some(index.hasSign)) return { kind: 'unclear', code: 'punctuation-unclear' }
  const plain = (line: string) => [...line].map((sign) => (written.has(sign) ? (plainOf(sign) ?? sign) : sign)).join('')
  const parts = old.some(isDecomposed) ? [...foldedSigns(old)].filter((sign) => plainOf(sign) === undefined) : []
  const isInParts = parts.length > 0 && !parts.some(index.hasSign)
  return { kind: 'lines', lines: added.map((line) => (isInParts ? plain(line).normalize('NFC') : plain(line))) }
}
