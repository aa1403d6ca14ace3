import { compileGlob, expandBraces, type Glob } from './glob.ts'
import { escapeRule } from './ignore-rules.ts'

/** Which files are asked for, by globs. */
export interface PathFilter {
  accepts(path: string): boolean
  /** Rules in the words of `.gitignore` that leave out much of what is not accepted, and nothing that is. */
  readonly rules: string
  /** Globs of which the name of every accepted file fits one; none if nothing is known about names. */
  readonly names: readonly string[]
}

/** The problem with globs that cannot be used; `message` completes a sentence. */
export type FilterProblem = { problem: string }

const ALL: PathFilter = { accepts: () => true, rules: '', names: [] }
const MAX_LENGTH = 1_000

/**
 * Reads globs separated by commas. As in `.gitignore`, one without a slash is about names at any depth, and one with a
 * slash begins at the root. `src` and `src/` mean all that is in it; `!` before an included glob excludes.
 */
export function readPathFilter({
  include = '',
  exclude = '',
}: {
  include?: string
  exclude?: string
}): PathFilter | FilterProblem {
  const included = readGlobs(include)
  const excluded = readGlobs(exclude)
  if ('problem' in included) return included
  if ('problem' in excluded) return excluded
  const wanted = included.filter(({ isNegated }) => !isNegated)
  const unwanted = [...excluded, ...included.filter(({ isNegated }) => isNegated)]
  if (wanted.length + unwanted.length === 0) return ALL
  return {
    accepts(path) {
      const parts = path.split('/')
      if (wanted.length > 0 && !wanted.some((glob) => isWanted(glob, parts))) return false
      return !unwanted.some(({ test }) => prefixesOf(parts).some(test))
    },
    rules: [...restrictTo(wanted), ...unwanted.map(({ rule }) => rule)].join('\n'),
    names: namesOf(wanted),
  }
}

interface ReadGlob {
  readonly test: Glob
  readonly isNegated: boolean
  /** Without wildcards in its last name it may be a folder, and then means what is in it. */
  readonly mayBeFolder: boolean
  readonly segments: readonly string[]
  readonly rule: string
}

function readGlobs(text: string): ReadGlob[] | FilterProblem {
  if (text.length > MAX_LENGTH) return { problem: `is longer than ${MAX_LENGTH} characters` }
  const globs: ReadGlob[] = []
  for (const written of splitAtCommas(text)) {
    const expanded = expandBraces(written)
    if (expanded === undefined) return { problem: `has too many alternatives in "${written}"` }
    for (const pattern of expanded) {
      const glob = readGlob(pattern)
      if (glob === undefined) return { problem: `has a glob that is not well formed: "${pattern}"` }
      globs.push(glob)
    }
  }
  return globs
}

function readGlob(pattern: string): ReadGlob | undefined {
  const isNegated = pattern.startsWith('!')
  const plain = pattern.replace(/^!/, '').replace(/^(?:\.?\/)+/, '')
  const isTied = pattern.replace(/^!/, '').replace(/\/+$/, '').includes('/')
  const segments = plain.replace(/\/+$/, '').split('/')
  const tied = isTied ? segments : ['**', ...segments]
  const test = compileGlob(tied.join('/'))
  if (test === undefined || plain === '') return undefined
  const mayBeFolder = !hasWildcard(segments.at(-1) ?? '')
  return {
    test,
    isNegated,
    mayBeFolder,
    segments: tied,
    rule: isTied ? `/${segments.join('/')}` : ruleForName(segments),
  }
}

// At the beginning of a line these two would make a comment or a negation.
function ruleForName(segments: readonly string[]): string {
  return segments.join('/').replace(/^[#!]/, '\\$&')
}

function isWanted({ test, mayBeFolder }: ReadGlob, parts: readonly string[]): boolean {
  return mayBeFolder ? prefixesOf(parts).some(test) : test(parts)
}

function prefixesOf(parts: readonly string[]): string[][] {
  return parts.map((_, index) => parts.slice(0, index + 1))
}

function hasWildcard(segment: string): boolean {
  return /[*?[\\]/.test(segment)
}

function splitAtCommas(text: string): string[] {
  const globs: string[] = []
  let depth = 0
  let current = ''
  for (const character of text) {
    if (character === '{') depth++
    if (character === '}') depth--
    if (character === ',' && depth <= 0) {
      globs.push(current)
      current = ''
    } else {
      current += character
    }
  }
  return [...globs, current].map((glob) => glob.trim()).filter((glob) => glob !== '')
}

function namesOf(wanted: readonly ReadGlob[]): string[] {
  const names = wanted.map(({ segments, mayBeFolder }) => (mayBeFolder ? '**' : (segments.at(-1) ?? '**')))
  // Only what both readers of globs understand alike.
  return names.every((name) => /^[\w.*?-]+$/.test(name) && name !== '**') ? names : []
}

// Where every wanted glob begins with fixed names, the rest of the tree need not be looked at.
function restrictTo(wanted: readonly ReadGlob[]): string[] {
  const prefixes = wanted.map(({ segments }) => fixedNames(segments))
  if (prefixes.length === 0 || prefixes.some((names) => names.length === 0)) return []
  return rulesForOnly(prefixes)
}

function fixedNames(segments: readonly string[]): string[] {
  const end = segments.findIndex(hasWildcard)
  return end < 0 ? [...segments] : segments.slice(0, end)
}

/** Rules that leave out everything but these folders or files, and what is in them. */
export function rulesForOnly(places: readonly (readonly string[])[]): string[] {
  if (places.some((names) => names.some((name) => /[\r\n]/.test(name)))) return []
  const rules: string[] = []
  const visit = (above: string, rests: readonly (readonly string[])[]) => {
    if (rests.some((rest) => rest.length === 0)) return
    rules.push(`${above}/*`)
    const heads = new Set(rests.map(([head = '']) => head))
    for (const head of heads) {
      const path = `${above}/${escapeRule(head)}`
      rules.push(`!${path}`)
      visit(
        path,
        rests.filter((rest) => rest[0] === head).map((rest) => rest.slice(1)),
      )
    }
  }
  visit('', places)
  return rules
}
