import type { ParsedScript, Word, WordPart } from 'unbash'
import type { Field, Scope, Source } from './scope.ts'
import type { WhyCode } from './why.ts'

/** What expanding words needs from the walk around it: to judge what is inside them, and to tell of doubts. */
export interface Visitor {
  readonly home: string
  substitute(script: ParsedScript | undefined, scope: Scope): { text?: string; source?: Source }
  doubt(code: WhyCode, what: string): void
  /** The fields that bash makes of a word. */
  fields(word: Word, scope: Scope): Field[]
  /** A word that is not split: the value of an assignment, a word of `case` or `[[`. */
  whole(word: Word, scope: Scope): Field
  /** The text of parts in double quotes or of a here-document. */
  quoted(parts: readonly WordPart[], scope: Scope): Field
}
