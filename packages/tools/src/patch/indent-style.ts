// Also behind the sign of a comment: code that is commented out is indented like the rest.
const TABBED = /^(?:\s*(?:\/\/|#|--))?\t/
const SPACED = /^(?:\s*(?:\/\/|#|--))? {2,}\S/

/** So many lines of a file make a style. */
const ENOUGH = 2

/**
 * Whether lines are indented in a way that the file does not know. A model that writes tabs where the file has blanks has
 * most often forgotten how the file is indented; and in a file without any indentation nothing tells.
 */
export function isForeign(added: readonly string[], isIndentedWith: (kind: IndentKind) => boolean): boolean {
  return KINDS.some((kind) => usesIndent(kind, added) && (!isIndentedWith(kind) || isByTwoTabs(added)))
}

/**
 * Whether all lines seem to stand one blank too far in. Some models put a blank behind each sign, and none before context:
 * there the context fits, and only the added lines are wrong.
 */
export function isOneBlankIn(added: readonly string[], isIndentedWith: (kind: IndentKind) => boolean): boolean {
  if (!added.every((line) => line.startsWith(' '))) return false
  if (added.some((line) => line === ' ' || line.startsWith(' \t'))) return true
  const telling = added.filter((line) => /^\s*[^\s*]/.test(line))
  return (
    telling.length > 0 && telling.every((line) => usesIndent('odd-blanks', [line])) && !isIndentedWith('odd-blanks')
  )
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

export type IndentKind = 'tabs' | 'blanks' | 'odd-blanks'

const KINDS = ['tabs', 'blanks'] as const

// Behind an odd number of blanks stand the stars of a comment, which tell nothing.
const PATTERNS: Record<IndentKind, RegExp> = { tabs: TABBED, blanks: SPACED, 'odd-blanks': /^ (?: {2})*[^\s*]/ }

/** Whether lines are indented like that more than once or twice. */
export function isStyleOf(kind: IndentKind, lines: readonly string[]): boolean {
  let count = 0
  return lines.some((line) => PATTERNS[kind].test(line) && ++count >= ENOUGH)
}

/** Whether any of the lines is indented like that. */
export function usesIndent(kind: IndentKind, lines: readonly string[]): boolean {
  return lines.some((line) => PATTERNS[kind].test(line))
}
