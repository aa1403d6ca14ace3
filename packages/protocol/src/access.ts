import { Json } from './json.ts'
import * as s from './shape.ts'

/** Why a command is more than reading: a code of the guard's, so that every door can say it in its own language. */
export const Why = s.object({ code: s.string(), program: s.string(), what: s.string() })
export type Why = s.Infer<typeof Why>

/** One thing that a call would touch: what the policy judges, before anything happens. */
export const Access = s.union('kind', [
  s.object({
    kind: s.oneOf(['read', 'write', 'delete', 'create']),
    path: s.string(),
    where: s.oneOf(['inside', 'extra-root', 'outside']),
    mark: s.optional(s.oneOf(['protected', 'secret'])),
  }),
  s.object({
    kind: s.literal('run'),
    program: s.string(),
    argv: s.array(s.string()),
    // What is known of it for sure; `check` is a test, build or lint script by its name, `hostile` what attackers do.
    proven: s.oneOf(['read-only', 'check', 'effects', 'irreversible', 'hostile', 'catastrophe', 'unknown']),
    // Why it is not read-only: a code of the guard's, and what it is about.
    why: s.optional(Why),
    tree: s.optional(Json),
  }),
  s.object({ kind: s.literal('net'), host: s.string(), port: s.optional(s.int()) }),
  // How far a change reaches: more than a few files or lines is asked.
  s.object({ kind: s.literal('reach'), files: s.int(), lines: s.int() }),
  s.object({ kind: s.literal('foreign-tool'), source: s.string(), name: s.string(), hints: s.optional(Json) }),
  s.object({ kind: s.oneOf(['privilege', 'process', 'ask']) }),
])
export type Access = s.Infer<typeof Access>
