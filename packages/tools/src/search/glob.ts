/** Whether the names of a path, from the root of the glob, fit it. */
export type Glob = (parts: readonly string[]) => boolean

type SegmentTest = (name: string) => boolean

/**
 * A glob as `.gitignore` and ripgrep read it: `*` and `?` stay within a name, `**` stands for any number of them, `[…]`
 * for one character. Nothing if it is not well formed. It takes no time that grows out of hand, whatever the pattern:
 * patterns come from repositories and models, and the usual translation into a regular expression can be made to hang.
 */
export function compileGlob(pattern: string): Glob | undefined {
  const segments: (SegmentTest | '**')[] = []
  for (const segment of splitSegments(pattern)) {
    if (segment === '**') {
      if (segments.at(-1) !== '**') segments.push('**')
      continue
    }
    const test = compileSegment(segment)
    if (test === undefined) return undefined
    segments.push(test)
  }
  // `a/**` is what is in `a`, not `a` itself.
  if (segments.at(-1) === '**') segments.push(() => true)
  const [first, second] = segments
  if (segments.length === 2 && first === '**' && second !== undefined && second !== '**') {
    return (parts) => second(parts.at(-1) ?? '')
  }
  return (parts) =>
    matchGreedily(
      segments.length,
      parts.length,
      (at) => segments[at] === '**',
      (at, partAt) => {
        const segment = segments[at]
        return typeof segment === 'function' && segment(parts[partAt] ?? '')
      },
    )
}

// A slash in brackets is a character of the set.
function splitSegments(pattern: string): string[] {
  const segments = ['']
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    const end = character === '\\' ? at + 1 : character === '[' ? readSet(pattern, at)?.end : undefined
    if (character === '/') segments.push('')
    else segments.push(`${segments.pop()}${pattern.slice(at, (end ?? at) + 1)}`)
    at = end ?? at
  }
  return segments
}

/** The alternatives that `{a,b}` stands for; nothing if there are more than anyone would write. */
export function expandBraces(pattern: string): string[] | undefined {
  let expanded = [pattern]
  for (let round = 0; round < 10; round++) {
    const next = expanded.flatMap(expandFirst)
    if (next.length > 200) return undefined
    if (next.join() === expanded.join()) return next
    expanded = next
  }
  return undefined
}

function expandFirst(pattern: string): string[] {
  // The innermost first, so that nesting needs no counting.
  const match = /^(.*?)\{([^{},]*(?:,[^{},]*)*)\}(.*)$/s.exec(pattern)
  if (match === null) return [pattern]
  const [, before = '', alternatives = '', after = ''] = match
  return alternatives.split(',').map((alternative) => `${before}${alternative}${after}`)
}

type Token = { kind: 'star' } | { kind: 'one'; test: (character: string) => boolean }

function compileSegment(segment: string): SegmentTest | undefined {
  if (!/[*?[\\]/.test(segment)) return (name) => name === segment
  const [, leading, middle, trailing] = /^(\*?)([^*?[\\]*)(\*?)$/.exec(segment) ?? []
  if (middle !== undefined) {
    if (leading && trailing) return (name) => name.includes(middle)
    return leading ? (name) => name.endsWith(middle) : (name) => name.startsWith(middle)
  }
  const tokens = tokenize(bytesOf(segment))
  if (tokens === undefined) return undefined
  return (name) => {
    const characters = bytesOf(name)
    return matchGreedily(
      tokens.length,
      characters.length,
      (at) => tokens[at]?.kind === 'star',
      (at, characterAt) => {
        const token = tokens[at]
        return token?.kind === 'one' && token.test(characters[characterAt] ?? '')
      },
    )
  }
}

// To git and ripgrep a question mark is one byte, not one letter.
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function tokenize(characters: string): Token[] | undefined {
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '*') {
      tokens.push({ kind: 'star' })
    } else if (character === '?') {
      tokens.push({ kind: 'one', test: () => true })
    } else if (character === '[') {
      const set = readSet(characters, at)
      if (set === undefined) return undefined
      tokens.push({ kind: 'one', test: set.test })
      at = set.end
    } else {
      // A backslash at the end escapes nothing.
      const literal = character === '\\' ? characters[++at] : character
      if (literal === undefined) return undefined
      tokens.push({ kind: 'one', test: (own) => own === literal })
    }
  }
  return tokens
}

function readSet(characters: string, start: number) {
  const ranges: [string, string][] = []
  let at = start + 1
  const isNegated = characters[at] === '!' || characters[at] === '^'
  if (isNegated) at++
  // A bracket that comes first is one of the set.
  for (let isFirst = true; isFirst || characters[at] !== ']'; isFirst = false) {
    const low = characters[at]
    if (low === undefined) return undefined
    const high = characters[at + 2]
    if (characters[at + 1] === '-' && high !== undefined && high !== ']') {
      if (high < low) return undefined
      ranges.push([low, high])
      at += 3
    } else {
      ranges.push([low, low])
      at++
    }
  }
  const test = (own: string) => ranges.some(([low, high]) => low <= own && own <= high) !== isNegated
  return { test, end: at }
}

/**
 * Wildcards by going back to the last star only: enough, as whatever an earlier star could take, the last one can too.
 * So the time is at most one length times the other.
 */
function matchGreedily(
  patternLength: number,
  textLength: number,
  isStar: (at: number) => boolean,
  fits: (at: number, textAt: number) => boolean,
): boolean {
  let at = 0
  let textAt = 0
  let star = -1
  let resume = 0
  while (textAt < textLength) {
    if (at < patternLength && isStar(at)) {
      star = at++
      resume = textAt
    } else if (at < patternLength && fits(at, textAt)) {
      at++
      textAt++
    } else if (star >= 0) {
      at = star + 1
      textAt = ++resume
    } else {
      return false
    }
  }
  while (at < patternLength && isStar(at)) at++
  return at === patternLength
}
