// Also behind the sign of a comment: code that is commented out is indented like the rest.
const TABBED = /^(?:\s*(?:\/\/|#|--))?\t/
const SPACED = /^(?:\s*(?:\/\/|#|--))? {2,}\S/

/** So many lines of a file make a style. */
const ENOUGH = 2

/** What a patch shows of how it was indented, hunk by hunk. */
export interface IndentEvidence {
  /** Some indented line of the file stands in the patch just so. */
  isFaithful: boolean
  /** How the patch indents lines that the file indents otherwise. */
  drifts: Set<IndentKind>
}

/**
 * Whether lines are indented in a way that the file does not know. A model that writes tabs where the file has blanks has
 * most often forgotten how the file is indented; and in a file without any indentation nothing tells.
 */
export function isForeign(added: readonly string[], isIndentedWith: (kind: IndentKind) => boolean): boolean {
  return KINDS.some((kind) => usesIndent(kind, added) && (!isIndentedWith(kind) || isByTwoTabs(added)))
}

/** Whether any of the lines begins with blanks enough to tell something. */
export function isIndented(lines: readonly string[]): boolean {
  return lines.some((line) => /^(?: {2,}|\t)\s*\S/.test(line))
}

// Nobody steps in by two tabs; blanks that were made tabs too eagerly do.
function isByTwoTabs(added: readonly string[]): boolean {
  const depths = added.map((line) => /^\t*/.exec(line)?.[0].length ?? 0).filter((depth) => depth > 0)
  return depths.length >= 3 && depths.every((depth) => depth % 2 === 0)
}

export type IndentKind = 'tabs' | 'blanks'

const KINDS = ['tabs', 'blanks'] as const

const PATTERNS: Record<IndentKind, RegExp> = { tabs: TABBED, blanks: SPACED }

/** Whether lines are indented like that more than once or twice. */
export function isStyleOf(kind: IndentKind, lines: readonly string[]): boolean {
  let count = 0
  return lines.some((line) => PATTERNS[kind].test(line) && ++count >= ENOUGH)
}

/** Whether any of the lines is indented like that. */
export function usesIndent(kind: IndentKind, lines: readonly string[]): boolean {
  return lines.some((line) => PATTERNS[kind].test(line))
}
