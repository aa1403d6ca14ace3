import type { IndentKind } from './indent-style.ts'

/** What a patch shows of how it was written, hunk by hunk. */
export interface Evidence {
  /** Some indented line of the file stands in the patch just so. */
  isFaithful: boolean
  /** How the patch indents lines that the file indents otherwise. */
  readonly drifts: Set<IndentKind>
  /** Quotes, dashes and the like that the patch writes where a file that has none of them has plain ones. */
  readonly signs: Set<string>
  /** Some file is the one that its index line names, so that these lines are git's own. */
  isIndexed: boolean
}

export function createEvidence(): Evidence {
  return { isFaithful: false, drifts: new Set(), signs: new Set(), isIndexed: false }
}
