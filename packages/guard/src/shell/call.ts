import type { Context } from './context.ts'
import type { Findings } from './findings.ts'
import type { CommandPlace } from './place.ts'
import type { Proven } from './proven.ts'
import type { Field, Input, Scope } from './scope.ts'
import type { WhyCode } from './why.ts'

/** One simple command on its way to a judgement: what it is, and how to say what was found. */
export interface Call {
  readonly name: string
  readonly args: readonly Field[]
  readonly scope: Scope
  readonly place: CommandPlace
  readonly findings: Findings
  readonly context: Context
  readonly home: string
  readonly input: Input
  /** The program that reads its output. */
  readonly output: string | undefined
  note(proven: Proven, code: WhyCode, what?: string): void
  /** Judges words as a command of their own: what carriers do with their arguments. */
  run(words: readonly Field[], changes?: { scope?: Scope; input?: Input }): void
  /** Judges text as a script. */
  script(text: string, scope?: Scope): void
  /** Looks whether text, run as a script, would be grave; takes over only that. */
  probe(text: string): void
  /** The network, by host where that is literal; `*` is any. */
  reach(host: string, what?: string): void
  privilege(what: string): void
}

/** Judges a call of one program. What it says nothing of is proven to be read-only. */
export type Judge = (call: Call) => void
