import type { Function as FunctionNode } from 'unbash'

/** Stands in a text for what is known only when it runs. */
export const HOLE = '\uFFFC'

/** One word as a program would get it, as far as that can be told. */
export interface Field {
  readonly text: string
  /** The text is what the program gets; where it is not, it is a guess that is good enough to refuse by. */
  readonly isExact: boolean
  /** It holds wildcards: the text is a pattern for names of files. */
  readonly isGlob: boolean
  /** It comes from a variable, not from the word itself. */
  readonly isComputed?: boolean
  /** It may turn out to be several words, or none. */
  readonly isOpen?: boolean
  /** Whatever it turns out to be, it is a number. */
  readonly isNumber?: boolean
  /** The variable of the environment that it shows. */
  readonly variable?: string
  /** What kind of command gave the text. */
  readonly source?: Source
}

/** Where computed text comes from: code from the first two is code that nobody has seen. */
export type Source = 'network' | 'decoder' | 'command'

/** What the shell knows at one point of a line. */
export interface Scope {
  cwd: string | undefined
  /** Where it may be instead, should a `cd` have failed. */
  elsewhere: readonly string[]
  variables: Map<string, Field>
  functions: Map<string, FunctionNode>
  positional: readonly Field[] | undefined
  /** Everything before has run for sure, and this runs once. */
  isStraight: boolean
}

export function fork(scope: Scope, changes: Partial<Scope> = {}): Scope {
  return { ...scope, variables: new Map(scope.variables), functions: new Map(scope.functions), ...changes }
}

export function exact(text: string): Field {
  return { text, isExact: true, isGlob: false }
}

export function unknown(hints: Partial<Field> = {}): Field {
  return { text: HOLE, isExact: false, isGlob: false, ...hints }
}

/** Takes over what may have changed inside, as uncertain. */
export function merge(scope: Scope, inside: Scope): void {
  for (const [name, field] of inside.variables) {
    if (scope.variables.get(name) !== field) scope.variables.set(name, { ...field, isExact: false })
  }
  for (const [name, node] of inside.functions) if (!scope.functions.has(name)) scope.functions.set(name, node)
  if (inside.cwd === scope.cwd) return
  scope.elsewhere = [...inside.elsewhere, ...(scope.cwd === undefined ? [] : [scope.cwd])]
  scope.cwd = inside.cwd
}

/** What a command reads from: nothing, text that stands in the line, another command, or a file. */
export interface Input {
  readonly kind: 'none' | 'text' | 'pipe' | 'file'
  readonly text?: string
  readonly source?: Source
  /** The program before it in the pipe, and its words. */
  readonly from?: string
  readonly fromWords?: readonly string[]
}
