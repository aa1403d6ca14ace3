import type { Function as FunctionNode, ParsedScript } from 'unbash'
import type { Findings } from './findings.ts'
import { addDoubt, type Branch } from './findings.ts'
import type { CommandPlace } from './place.ts'
import type { Proven } from './proven.ts'
import type { Field, Input, Scope } from './scope.ts'
import type { Visitor } from './visitor.ts'
import type { Why } from './why.ts'

/** What one judgement carries through the tree. */
export interface Context extends Visitor {
  readonly place: CommandPlace
  readonly findings: Findings
  /** Functions that are being looked into. */
  readonly calling: string[]
  /** How deep commands stand in commands. */
  depth: number
  /** How deep in substitutions. */
  substituted: number
  /** In a pipe or in the background: a function that calls itself here fills the machine. */
  isForked: boolean
  /** Where the tree grows. */
  branch: Branch[]
  script(script: ParsedScript, scope: Scope): void
  /** Judges the words of one command. */
  words(words: readonly Field[], around: Around): void
  /** Judges the body of a function with the arguments in the scope. */
  body(node: FunctionNode, scope: Scope): void
  /** What is grave about text, should it be run as a script. */
  probe(text: string): { proven: Proven; why: Why } | undefined
}

/** What stands around the words of a command. */
export interface Around {
  readonly scope: Scope
  readonly input: Input
  /** The program that reads its output. */
  readonly output?: string | undefined
  /** The shell itself looks up the name: functions count. */
  readonly isDirect?: boolean
}

/** Deeper than this nothing is understood, and a person is asked. */
export const MAX_DEPTH = 12

/** Goes one level deeper, unless that is too deep. */
export function deeper(context: Context, inside: () => void): void {
  if (context.depth >= MAX_DEPTH) {
    addDoubt(context.findings, { code: 'limit', program: 'bash', what: 'deep' })
    return
  }
  context.depth++
  inside()
  context.depth--
}

/** Lets the tree grow by one node and what is found inside it. */
export function grow(context: Context, node: Branch, inside: () => void): void {
  const outer = context.branch
  const children: Branch[] = []
  context.branch = children
  inside()
  context.branch = outer
  outer.push(children.length > 0 ? { ...node, children } : node)
}
