import { foldedSigns } from './equality.ts'
import type { Evidence } from './evidence.ts'
import { indentLike, indentPairs } from './indent-like.ts'
import { isIndented } from './indent-style.ts'
import type { IndentPair } from './indentation.ts'
import type { LineIndex } from './line-index.ts'
import type { Match } from './match.ts'

/** How the hunks of one file are indented otherwise than the file, for those of them that do not show it themselves. */
export interface Drift {
  readonly isSeen: boolean
  /** Added lines were indented like the old ones of the patch, and how both stand in the file. */
  readonly pairs: readonly IndentPair[]
  /** Added lines were indented like the file, while the old ones were not. */
  readonly isOnlyInOld: boolean
}

/** Learns from the hunks that were found with another indentation, and notes it for the other files of the patch. */
export function learnDrift(
  matches: readonly Match[],
  { index, evidence }: { index: LineIndex; evidence: Evidence },
): Drift {
  const drifted = matches.filter(({ level }) => level === 'indentation')
  if (matches.some(({ level, reading }) => level !== 'indentation' && isIndented(reading.old)))
    evidence.isFaithful = true
  for (const { reading } of matches.filter(({ level }) => level === 'punctuation'))
    for (const sign of foldedSigns(reading.old)) if (!index.hasSign(sign)) evidence.signs.add(sign)
  const pairs: IndentPair[] = []
  let isOnlyInOld = false
  for (const match of drifted) {
    const own = indentPairs(match, index)
    if (own.some(({ patch, file }) => patch.includes('\t') && !file.includes('\t'))) evidence.drifts.add('tabs')
    if (own.some(({ patch, file }) => file.includes('\t') && !patch.includes('\t'))) evidence.drifts.add('blanks')
    const added = match.reading.lines.filter(({ sign }) => sign === '+').map(({ text }) => text)
    const adapted = indentLike(own, match.reading, index)
    if (adapted === undefined || !isIndented(added)) continue
    if (adapted.every((line, at) => line === added[at])) isOnlyInOld = true
    else for (const pair of own) pairs.push(pair)
  }
  return { isSeen: drifted.length > 0, pairs, isOnlyInOld }
}
