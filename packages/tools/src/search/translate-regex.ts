/** A regex for JavaScript that means what ripgrep's means, or what there is no word for in JavaScript. */
export type Translated = { kind: 'regex'; regex: RegExp } | { kind: 'refused'; words: string }

// ripgrep's classes know Unicode; those of JavaScript do not.
const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`
const BOUNDARY = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`
const NO_BOUNDARY = `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`

/** Escapes that stand for a set of characters, in brackets and outside. */
const SETS: Record<string, string> = {
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  s: String.raw`\p{White_Space}`,
  S: String.raw`\P{White_Space}`,
}

/** Escapes that stand for a position. */
const POSITIONS: Record<string, string> = {
  b: BOUNDARY,
  B: NO_BOUNDARY,
  '<': `(?<![${WORD}])(?=[${WORD}])`,
  '>': `(?<=[${WORD}])(?![${WORD}])`,
  A: '^',
  z: '$',
}

const CHARACTERS: Record<string, string> = { a: '\\x07', f: '\\f', t: '\\t', r: '\\r', v: '\\v', 0: '\\0' }

const POSIX: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

/** Reads a regex as ripgrep does, for lines one at a time. What differs beyond this is refused, not guessed. */
export function translateRegex(source: string): Translated {
  const [whole = '', letters = ''] = /^\(\?([imsuU]+)\)/.exec(source) ?? []
  if (letters.includes('U')) return { kind: 'refused', words: 'the flag U needs ripgrep, which is not available here' }
  // Of one line the dot may match all there is.
  const flags = letters.includes('i') ? 'gsvi' : 'gsv'
  try {
    return { kind: 'regex', regex: new RegExp(translate(source.slice(whole.length)), flags) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: 'refused', words: error.message.replace(/^.*\/[a-z]*: /s, '') }
  }
}

// One piece of a regex: a POSIX class, a property, a code point, an escape, a quantifier, a named group, or one character.
const PIECE =
  /\[:\^?[a-z]+:\]|\\[pP](?:\{[^}]*\}|.)|\\x\{[\da-fA-F]+\}|\\x[\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\.|\{\d+(?:,\d*)?\}|\(\?P<|[\s\S]/gu

function translate(source: string): string {
  let depth = 0
  let isFirst = false
  let result = ''
  for (const [piece] of source.matchAll(PIECE)) {
    if (depth === 0) {
      result += translateOutside(piece)
      if (piece === '[') [depth, isFirst] = [1, true]
      continue
    }
    // Right after its opening a bracket is a character of the set.
    if (piece === ']' && !isFirst) depth--
    else if (piece === '[') depth++
    result += piece === ']' && isFirst ? '\\]' : translateInside(piece)
    isFirst = piece === '[' || (isFirst && piece === '^')
  }
  return result
}

function translateOutside(piece: string): string {
  if (piece === '(?P<') return '(?<'
  // Those that close nothing mean themselves.
  if (piece === ']' || piece === '}') return `\\${piece}`
  if (!piece.startsWith('\\')) return piece
  return POSITIONS[piece.slice(1)] ?? translateEscape(piece)
}

function translateInside(piece: string): string {
  const posix = /^\[:(\^?)([a-z]+):\]$/.exec(piece)
  if (posix) return `[${posix[1]}${POSIX[posix[2] ?? ''] ?? piece}]`
  if (piece.startsWith('\\')) return piece === '\\b' ? '\\x08' : translateEscape(piece)
  // These have a meaning in the sets of JavaScript that they do not have in ripgrep's.
  return piece.replace(/[(){}/|]/g, '\\$&')
}

function translateEscape(piece: string): string {
  const name = piece.slice(1)
  const property = /^([pP])\{?\^?(?:[a-z_]+[=:])?([^}]*)\}?$/i.exec(name)
  if (property && /^[pP]/.test(name)) return propertyOf(property[1] ?? 'p', property[2] ?? '')
  if (/^[xu]/.test(name)) return `\\u{${name.replace(/[^\da-fA-F]/g, '')}}`
  if (/^[1-9k]/.test(name)) return piece
  const known = SETS[name] ?? CHARACTERS[name]
  if (known !== undefined) return known
  // An escaped sign means itself; an escaped letter that nobody knows is refused by JavaScript as well.
  return /^[\w]$/.test(name) || /^[\^$\\.*+?()[\]{}|/-]$/.test(name) ? piece : escapeSign(name)
}

function escapeSign(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`
}

// "Hangul" alone is a script to ripgrep; to JavaScript only categories and yes-or-no properties stand alone.
function propertyOf(letter: string, name: string): string {
  for (const written of [name, `Script=${name}`, `gc=${name}`]) {
    try {
      new RegExp(`\\p{${written}}`, 'v')
      return `\\${letter}{${written}}`
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return `\\${letter}{${name}}`
}
