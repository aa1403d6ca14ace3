import type { Option, OptionTable } from './option.ts'

/** What is wrong with an argument; the words are chosen later, when the language is known. */
export type ArgumentProblem =
  | { kind: 'unknown-option'; option: string }
  | { kind: 'value-missing'; option: string }
  | { kind: 'value-unwanted'; option: string }
  | { kind: 'value-wrong'; option: string; value: string; choices: readonly string[] }

export type ParsedValue = string | boolean | readonly string[] | undefined

export interface ParsedArguments {
  readonly options: { readonly [name: string]: ParsedValue }
  readonly positionals: readonly string[]
  readonly problems: readonly ArgumentProblem[]
}

/**
 * Reads arguments by a table. Collects problems instead of throwing, so that `--json` and `--lang` count even beside
 * a wrong option. With `stopAtPositional`, the first positional and all after it are left as they are.
 */
export function parseArguments(
  args: readonly string[],
  table: OptionTable,
  { stopAtPositional = false }: { stopAtPositional?: boolean } = {},
): ParsedArguments {
  const state: State = { table, rest: [...args], values: new Map(), positionals: [], problems: [] }
  for (let arg = state.rest.shift(); arg !== undefined; arg = state.rest.shift()) {
    if (arg === '--') state.positionals.push(...state.rest.splice(0))
    else if (arg.startsWith('--')) readLong(state, arg)
    else if (arg.startsWith('-') && arg.length > 1) readShort(state, arg)
    else {
      state.positionals.push(arg)
      if (stopAtPositional) state.positionals.push(...state.rest.splice(0))
    }
  }
  return { options: withDefaults(table, state.values), positionals: state.positionals, problems: state.problems }
}

interface State {
  readonly table: OptionTable
  readonly rest: string[]
  readonly values: Map<string, ParsedValue>
  readonly positionals: string[]
  readonly problems: ArgumentProblem[]
}

function readLong(state: State, arg: string): void {
  const equals = arg.indexOf('=')
  const given = equals < 0 ? arg : arg.slice(0, equals)
  const name = given.slice(2)
  const option = Object.hasOwn(state.table, name) ? state.table[name] : undefined
  if (!option) state.problems.push({ kind: 'unknown-option', option: given })
  else take(state, { name, given, option, inline: equals < 0 ? undefined : arg.slice(equals + 1) })
}

function readShort(state: State, arg: string): void {
  const found = Object.entries(state.table).find(([, option]) => option.short === arg[1])
  if (!found || (found[1].kind === 'flag' && arg.length > 2)) {
    state.problems.push({ kind: 'unknown-option', option: arg })
    return
  }
  const inline = arg.length > 2 ? arg.slice(2) : undefined
  take(state, { name: found[0], given: `-${arg[1]}`, option: found[1], inline })
}

interface Given {
  readonly name: string
  readonly given: string
  readonly option: Option
  readonly inline: string | undefined
}

function take(state: State, { name, given, option, inline }: Given): void {
  if (option.kind === 'flag') {
    if (inline === undefined) state.values.set(name, true)
    else state.problems.push({ kind: 'value-unwanted', option: given })
    return
  }
  const value = inline ?? (isValue(state.rest[0]) ? state.rest.shift() : undefined)
  if (value === undefined) {
    if (option.kind === 'optional-value') state.values.set(name, true)
    else state.problems.push({ kind: 'value-missing', option: given })
  } else if (option.choices && !option.choices.includes(value)) {
    state.problems.push({ kind: 'value-wrong', option: given, value, choices: option.choices })
  } else if (option.kind === 'list') {
    const before = state.values.get(name)
    state.values.set(name, [...(Array.isArray(before) ? before : []), value])
  } else state.values.set(name, value)
}

// `-` is stdin and `-5` a number; anything else with a dash is the next option, not a value that was forgotten.
function isValue(next: string | undefined): next is string {
  return next !== undefined && (!next.startsWith('-') || next === '-' || /^-\d/.test(next))
}

function withDefaults(table: OptionTable, values: ReadonlyMap<string, ParsedValue>): ParsedArguments['options'] {
  const options: Record<string, ParsedValue> = {}
  for (const [name, { kind }] of Object.entries(table)) {
    options[name] = values.get(name) ?? (kind === 'flag' ? false : kind === 'list' ? [] : undefined)
  }
  return options
}
