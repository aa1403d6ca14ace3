import { isUtf8 } from 'node:buffer'
import type { PlainKey } from '@maru/i18n'
import { createScanner, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { checkShape } from './check-shape.ts'
import type { ConfigProblem, Fault } from './problem.ts'
import { MAX_CONFIG_BYTES } from './read-bytes.ts'
import type { Shape } from './schema.ts'

const MAX_DEPTH = 32

export type ParsedConfig<T> = { readonly config: T } | { readonly problems: readonly ConfigProblem[] }

/** Reads a config file's bytes: the config, or everything that is wrong with it. Comments and last commas are fine. */
export function parseConfig<T>(bytes: Uint8Array, file: string, shape: Shape<T>): ParsedConfig<T> {
  const at = (text: string, offset: number, fault: Fault): ConfigProblem => ({ file, ...placeOf(text, offset), fault })
  if (bytes.length > MAX_CONFIG_BYTES) return { problems: [at('', 0, syntax('config.syntax.too-long'))] }
  if (!isUtf8(bytes)) {
    const start = new TextDecoder().decode(bytes.subarray(0, validLength(bytes)))
    return { problems: [at(start, start.length, syntax('config.syntax.not-utf8'))] }
  }
  // TextDecoder drops a byte order mark, so that the first column is the first visible one.
  const text = new TextDecoder().decode(bytes)
  const deep = offsetTooDeep(text)
  if (deep !== undefined) return { problems: [at(text, deep, syntax('config.syntax.too-deep'))] }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || !tree) {
    // One mistake often makes several errors at the same place; the first is the one to read.
    const places = new Map(errors.map((error) => [error.offset, error] as const).reverse())
    const problems = [...places.values()].reverse().map(({ error, offset }) => at(text, offset, syntaxOf(error)))
    return { problems: problems.length > 0 ? problems : [at(text, 0, syntax('config.syntax.ValueExpected'))] }
  }
  const checked = checkShape(tree, shape)
  if ('config' in checked) return checked
  return { problems: checked.faults.map(({ offset, fault }) => at(text, offset, fault)) }
}

function syntax(what: Extract<PlainKey, `config.syntax.${string}`>): Fault {
  return { kind: 'syntax', what }
}

const SYNTAX = {
  InvalidSymbol: 'config.syntax.InvalidSymbol',
  InvalidNumberFormat: 'config.syntax.InvalidNumberFormat',
  PropertyNameExpected: 'config.syntax.PropertyNameExpected',
  ValueExpected: 'config.syntax.ValueExpected',
  ColonExpected: 'config.syntax.ColonExpected',
  CommaExpected: 'config.syntax.CommaExpected',
  CloseBraceExpected: 'config.syntax.CloseBraceExpected',
  CloseBracketExpected: 'config.syntax.CloseBracketExpected',
  EndOfFileExpected: 'config.syntax.EndOfFileExpected',
  InvalidCommentToken: 'config.syntax.InvalidSymbol',
  UnexpectedEndOfComment: 'config.syntax.UnexpectedEndOfComment',
  UnexpectedEndOfString: 'config.syntax.UnexpectedEndOfString',
  UnexpectedEndOfNumber: 'config.syntax.InvalidNumberFormat',
  InvalidUnicode: 'config.syntax.InvalidEscapeCharacter',
  InvalidEscapeCharacter: 'config.syntax.InvalidEscapeCharacter',
  InvalidCharacter: 'config.syntax.InvalidCharacter',
} as const

function syntaxOf(error: ParseError['error']): Fault {
  const name = printParseErrorCode(error) as keyof typeof SYNTAX
  return syntax(SYNTAX[name] ?? 'config.syntax.InvalidSymbol')
}

// The parser is recursive: a file of brackets alone would overflow its stack.
function offsetTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true)
  let depth = 0
  for (let token = scanner.scan(); token !== END_OF_FILE; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1
    if (depth > MAX_DEPTH) return scanner.getTokenOffset()
  }
  return undefined
}

// jsonc-parser declares these as a const enum, which has no value at run time.
const OPEN_BRACE = 1
const CLOSE_BRACE = 2
const OPEN_BRACKET = 3
const CLOSE_BRACKET = 4
const END_OF_FILE = 17

function validLength(bytes: Uint8Array): number {
  let valid = 0
  let broken = bytes.length
  // A cut inside a character is no mistake of the file, so only whole characters count.
  while (broken - valid > 1) {
    const middle = (valid + broken) >> 1
    if (isUtf8(bytes.subarray(0, characterStart(bytes, middle)))) valid = middle
    else broken = middle
  }
  return characterStart(bytes, valid)
}

function characterStart(bytes: Uint8Array, index: number): number {
  let start = index
  while (start > 0 && index - start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}

/** Where in a text an offset is, as editors count. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
