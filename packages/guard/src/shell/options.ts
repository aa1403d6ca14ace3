import type { Call, Judge } from './call.ts'
import { checkPath, shown, type Use } from './check-path.ts'
import { addAccess } from './findings.ts'
import type { Proven } from './proven.ts'
import type { Field } from './scope.ts'
import { asksForSecrets, folderOfAll } from './sensitive.ts'

type Value = 'none' | 'text' | 'maybe' | 'names' | Use | 'program'

/** What a program takes: each option that is known, and what its operands are. */
export interface Spec {
  readonly short: ReadonlyMap<string, Value>
  readonly long: ReadonlyMap<string, Value>
  /** `-20` is an option. */
  readonly takesNumber: boolean
  /** Single-dash words are whole options, as in `find` and `java`. */
  readonly isSingleDash: boolean
}

const KINDS: Record<string, Value> = {
  ':': 'text',
  '?': 'maybe',
  '<': 'read',
  '>': 'write',
  '@': 'look',
  '!': 'program',
  '%': 'names',
}

/**
 * Reads a table of options: `-abc` are flags, `-w:` takes text, `-f<` a file to read, `-o>` a file to write, `--color?`
 * a value that may be left out, `--pre!` and `-x!` a program to run, `--glob%` a pattern for names of files to read; `-#` stands for numbers such as `-20`.
 */
export function readSpec(table: string, isSingleDash = false): Spec {
  return new LaterSpec(table, isSingleDash)
}

/** Read when it is first asked: there are hundreds, and a session uses a few. */
class LaterSpec implements Spec {
  readonly isSingleDash: boolean
  readonly #table: string
  #read: Spec | undefined

  constructor(table: string, isSingleDash: boolean) {
    this.#table = table
    this.isSingleDash = isSingleDash
  }

  get short(): Spec['short'] {
    return this.#whole().short
  }

  get long(): Spec['long'] {
    return this.#whole().long
  }

  get takesNumber(): boolean {
    return this.#whole().takesNumber
  }

  #whole(): Spec {
    this.#read ??= parseTable(this.#table, this.isSingleDash)
    return this.#read
  }
}

function parseTable(table: string, isSingleDash: boolean): Spec {
  const short = new Map<string, Value>()
  const long = new Map<string, Value>()
  let takesNumber = false
  for (const word of table.split(/\s+/)) {
    const kind = KINDS[word.at(-1) ?? ''] ?? 'none'
    const name = kind === 'none' ? word : word.slice(0, -1)
    if (word === '-#') takesNumber = true
    else if (name.startsWith('--')) long.set(name, kind)
    else if (isSingleDash && name.length > 2) long.set(name, kind)
    else for (const letter of name.slice(1)) short.set(letter, kind)
  }
  return { short, long, takesNumber, isSingleDash }
}

/** What came of reading a call's words by its spec. */
export interface Parsed {
  readonly operands: Field[]
  /** Options that were given, by their name in the table, with their value. */
  readonly given: Map<string, Field | undefined>
  /** The same one by one, as some may be given more than once. */
  readonly all: [name: string, value: Field | undefined][]
}

function give({ given, all }: Parsed, name: string, value: Field | undefined): void {
  given.set(name, value)
  all.push([name, value])
}

/**
 * Reads the words of a call. An option that is not in the table, or an abbreviated one, is a doubt; a value that is a
 * path is judged as one.
 */
export function parseOptions(call: Call, spec: Spec, doubt: Proven = 'unknown'): Parsed {
  const parsed: Parsed = { operands: [], given: new Map(), all: [] }
  const { args } = call
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Field
    const { text } = arg
    if (text === '--') {
      parsed.operands.push(...args.slice(at + 1))
      return parsed
    }
    if (text.length < 2 || text[0] !== '-') parsed.operands.push(arg)
    else if (text[1] === '-' || (spec.isSingleDash && text.length > 2))
      at += takeLong(call, spec, { arg, next: args[at + 1], parsed, doubt })
    else if (spec.takesNumber && /^-\d+$/.test(text)) give(parsed, '-#', arg)
    else at += takeShort(call, spec, { arg, next: args[at + 1], parsed, doubt })
  }
  return parsed
}

interface Taking {
  readonly arg: Field
  readonly next: Field | undefined
  readonly parsed: Parsed
  readonly doubt: Proven
}

function takeLong(call: Call, spec: Spec, { arg, next, parsed, doubt }: Taking): number {
  const equals = arg.text.indexOf('=')
  const name = equals < 0 ? arg.text : arg.text.slice(0, equals)
  const kind = spec.long.get(name) ?? spec.short.get(spec.isSingleDash ? name.slice(1) : '')
  const value = equals < 0 ? undefined : { ...arg, text: arg.text.slice(equals + 1) }
  if (kind === undefined) {
    const meant = [...spec.long].find(([long, what]) => what === 'program' && long.startsWith(name))
    if (meant && name.length > 3) call.note('hostile', 'runs-program', arg.text)
    else call.note(doubt, 'option', shown(arg))
    // A path in an option that nobody knows is still a path.
    if (value) checkLooks(call, value)
    return 0
  }
  give(parsed, name, value ?? (kind === 'none' || kind === 'maybe' ? undefined : next))
  if (kind === 'none') {
    if (value) call.note(doubt, 'option', shown(arg))
    return 0
  }
  if (kind === 'maybe') return 0
  takeValue(call, kind, value ?? next, name)
  return value ? 0 : 1
}

function takeShort(call: Call, spec: Spec, { arg, next, parsed, doubt }: Taking): number {
  const letters = arg.text.slice(1)
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string
    const kind = spec.short.get(letter)
    const name = `-${letter}`
    if (kind === undefined) {
      call.note(doubt, 'option', shown(arg))
      return 0
    }
    if (kind === 'none') {
      give(parsed, name, undefined)
      continue
    }
    const rest = letters.slice(at + 1)
    const value = rest === '' ? (kind === 'maybe' ? undefined : next) : { ...arg, text: rest }
    give(parsed, name, value)
    if (kind !== 'maybe') takeValue(call, kind, value, name)
    return rest === '' && kind !== 'maybe' ? 1 : 0
  }
  return 0
}

function takeValue(call: Call, kind: Value, value: Field | undefined, name: string): void {
  if (kind === 'program') call.note('hostile', 'runs-program', value ? `${name} ${shown(value)}` : name)
  else if (kind === 'text' || kind === 'none' || kind === 'maybe' || value === undefined) return
  else if (value.text === '-') return
  else if (kind === 'names') {
    if (!asksForSecrets(value.text)) return
    call.findings.secrets++
    addAccess(call.findings, { kind: 'read', path: value.text, where: 'inside', mark: 'secret' })
  } else {
    if (kind === 'write') call.note('effects', 'writes', shown(value))
    checkPath(call, value, kind)
  }
}

/** Judges a word of a program that is not known by what it looks like: a path that no command should get. */
export function checkLooks(call: Call, field: Field): void {
  const { text } = field
  if (/^(?:\/|~|\.\.?\/)/.test(text) && !/^\/{2}/.test(text) && !text.startsWith('/dev/')) {
    const before = call.findings.accesses.length
    checkPath(call, field, 'read')
    // Where it is only outside, it may be no path at all.
    const added = call.findings.accesses.at(-1)
    if (call.findings.accesses.length > before && added && 'where' in added && added.where === 'outside') {
      if (!/\/\.[a-z]|\/etc\/(?:shadow|passwd|sudoers)|environ/.test(added.path)) call.findings.accesses.pop()
    }
  }
}

/** What the operands of a program are. */
export type Operands =
  | 'none'
  | 'text'
  | Use
  // The first is a pattern or a script, the rest are files.
  | 'pattern'
  // One file is read; a second would be written.
  | 'one'

export interface ReaderOptions {
  readonly operands: Operands
  /** No option of the program runs or writes anything: a file whose name looks like an option does no harm. */
  readonly isTame?: boolean
  /** Options that bring the pattern, so that all operands are files. */
  readonly patternBy?: readonly string[]
  readonly proven?: Proven
  /** `@file` stands for the words in that file. */
  readonly readsWords?: boolean
}

/** A judge for a program that is all in its table. */
export function byTable(table: string, options: ReaderOptions): Judge {
  const spec = readSpec(`${table} --version --help`)
  return (call) => {
    const { operands, given } = parseOptions(call, spec)
    checkOperands(call, operands, options, given)
    if (!options.readsWords) return
    for (const arg of call.args) if (arg.text.startsWith('@')) call.note('unknown', 'option', shown(arg))
  }
}

export function checkOperands(
  call: Call,
  operands: readonly Field[],
  { operands: kind, isTame = false, patternBy = [] }: ReaderOptions,
  given: Parsed['given'],
): void {
  if (kind === 'text') return
  if (kind === 'none') {
    if (operands[0]) call.note('unknown', 'option', shown(operands[0]))
    return
  }
  const files = kind === 'pattern' && !patternBy.some((name) => given.has(name)) ? operands.slice(1) : operands
  if (kind === 'one' && operands[1]) {
    call.note('effects', 'writes', shown(operands[1]))
    checkPath(call, operands[1], 'write')
  }
  const use = kind === 'pattern' || kind === 'one' ? 'read' : kind
  for (const file of kind === 'one' ? files.slice(0, 1) : files) {
    if (file.text === '-') continue
    if (file.isGlob && !isTame && /^[*?[-]/.test(file.text)) call.note('unknown', 'dynamic', shown(file))
    const folder = kind === 'pattern' && file.isGlob ? folderOfAll(file.text) : undefined
    checkPath(call, folder === undefined ? file : { ...file, text: folder, isGlob: false }, use)
  }
}
