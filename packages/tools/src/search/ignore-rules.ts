import { compileGlob, expandBraces, type Glob } from './glob.ts'

/** What the rules of one file say about a path: the last rule that fits it decides. */
export type Opinion = 'ignored' | 'kept' | undefined

/** The rules of one file; paths are given by their names below the folder of that file. */
export type IgnoreRules = (parts: readonly string[], isDirectory: boolean) => Opinion

type Rule = { glob: Glob; isNegated: boolean; forDirectories: boolean }

/** Reads rules as git writes them. A line that is not well formed says nothing, as in git. */
export function readIgnoreRules(text: string): IgnoreRules {
  const rules = text.split('\n').flatMap(readLine).reverse()
  return (parts, isDirectory) => {
    const rule = rules.find(({ glob, forDirectories }) => (isDirectory || !forDirectories) && glob(parts))
    if (rule === undefined) return undefined
    return rule.isNegated ? 'kept' : 'ignored'
  }
}

// To git braces are letters; to ripgrep, with which we agree, they are alternatives.
function readLine(line: string): Rule[] {
  const written = withoutTrailingBlanks(line)
  if (written === '' || written.startsWith('#')) return []
  return (expandBraces(written) ?? []).flatMap(readRule)
}

function readRule(written: string): Rule[] {
  const isNegated = written.startsWith('!')
  const pattern = isNegated ? written.slice(1) : written
  const forDirectories = pattern.endsWith('/')
  const named = forDirectories ? pattern.slice(0, -1) : pattern
  // Only a slash before the last name ties a rule to its folder.
  const glob = compileGlob(named.includes('/') ? named.replace(/^\//, '') : `**/${named}`)
  return glob && named !== '' ? [{ glob, isNegated, forDirectories }] : []
}

function withoutTrailingBlanks(line: string): string {
  const trimmed = line.trimEnd()
  return trimmed.endsWith('\\') && trimmed.length < line.length ? `${trimmed} ` : trimmed
}

/** A name such that a rule means exactly it. */
export function escapeRule(name: string): string {
  return name.replace(/[\\*?[\]!#]|\s+$/g, (special) => [...special].map((character) => `\\${character}`).join(''))
}

/** The files with rules, from the one that decides first: what ripgrep reads, in its order. */
export const IGNORE_FILES = ['.rgignore', '.ignore', '.gitignore'] as const

/** The rules of one folder, by file. */
export interface IgnoreLevel {
  /** How many names lead to the folder. */
  readonly depth: number
  readonly rules: Partial<Record<(typeof IGNORE_FILES)[number], IgnoreRules>>
}

/**
 * Whether a path is left out, by the rules of the folders above it, nearest last, and by rules for the whole tree, which
 * decide when no other does. A kind of file decides before the next kind, wherever it stands.
 */
export function isIgnored(
  { levels, last }: { levels: readonly IgnoreLevel[]; last: IgnoreRules },
  parts: readonly string[],
  isDirectory: boolean,
): boolean {
  for (const name of IGNORE_FILES) {
    for (const { depth, rules } of [...levels].reverse()) {
      const opinion = rules[name]?.(parts.slice(depth), isDirectory)
      if (opinion !== undefined) return opinion === 'ignored'
    }
  }
  return last(parts, isDirectory) === 'ignored'
}
