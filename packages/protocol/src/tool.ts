import type { Access } from './access.ts'
import { Json } from './json.ts'
import { type BlobRef, Hash, Part } from './part.ts'
import type { Answer, Question } from './question.ts'
import * as s from './shape.ts'

/** What went wrong in words that the model can act on. */
export const Diagnostic = s.object({
  code: s.string(),
  message: s.string(),
  hint: s.optional(s.string()),
  details: s.optional(Json),
})
export type Diagnostic = s.Infer<typeof Diagnostic>

/**
 * What the model is told of a tool. `effect`: `none` changes nothing and may run side by side; `repeatable` may be
 * run again after a crash; `once` never is by itself.
 */
export const ToolSpec = s.object({
  name: s.string(),
  description: s.string(),
  schema: s.record(Json),
  effect: s.oneOf(['none', 'repeatable', 'once']),
})
export type ToolSpec = s.Infer<typeof ToolSpec>

/** One changed file: hashes of its bytes, absent where there was or is none; `mode`, its permissions before. */
export const FileChange = s.object({
  path: s.string(),
  before: s.optional(Hash),
  after: s.optional(Hash),
  mode: s.optional(s.int(0)),
})
export type FileChange = s.Infer<typeof FileChange>

/** What a tool gives back; `files`, `exit` and parts that are files are for the log, the rest for the model. */
export const ToolResult = s.object({
  ok: s.boolean(),
  stdout: s.optional(s.string()),
  stderr: s.optional(s.string()),
  data: s.optional(Json),
  diagnostics: s.optional(s.array(Diagnostic)),
  exit: s.optional(s.int()),
  files: s.optional(s.array(FileChange)),
  parts: s.optional(s.array(Part)),
})
export type ToolResult = s.Infer<typeof ToolResult>

/** What a person sees before answering. */
export const Preview = s.union('kind', [
  s.object({ kind: s.literal('diff'), text: s.string() }),
  s.object({ kind: s.literal('command'), command: s.string(), cwd: s.string() }),
  s.object({ kind: s.literal('text'), text: s.string() }),
])
export type Preview = s.Infer<typeof Preview>

/** What a call may do beyond computing, once the policy has let it pass. */
export interface Permit {
  /** Whether its processes are held by the sandbox, where there is one. */
  readonly isConfined: boolean
  /** The hosts they may reach; `*` is all of them. */
  readonly hosts: readonly string[]
}

/** What a tool may use while it works. */
export interface ToolContext {
  readonly callId: string
  readonly signal: AbortSignal
  /** Absent until the call is let pass, and where a person runs a tool by hand. */
  readonly permit?: Permit
  /** Resolves when the log holds for good that this call runs; given to those that `canStage`. */
  readonly recorded?: Promise<unknown>
  progress(text: string): void
  /** Asks the person at any door; cancelling is an answer. */
  ask(question: Question): Promise<Answer>
  /** Keeps content beside the log, for a `file` part of the result; `name` is for people. */
  keep(content: string | Uint8Array, name: string): Promise<BlobRef>
  /** What an earlier call of the session kept by a `file` part of its result. */
  kept(callId: string): Promise<Uint8Array | undefined>
}

/** A tool in two steps: what it would do, then doing exactly that. */
export interface Tool {
  readonly spec: ToolSpec
  /** Reads and computes; changes nothing. */
  prepare(args: Json, context: ToolContext): Promise<Prepared>
}

/** `run` checks `basis` again first, so that what was approved is what runs. */
export interface Prepared {
  readonly access: Access[]
  readonly preview?: Preview
  readonly basis: Hash[]
  /** `run` may be called early: until `recorded` it does only what nobody sees and what goes away if that fails. */
  readonly canStage?: true
  run(context: ToolContext): Promise<ToolResult>
}

/** Tools that come and go: ours, an MCP server's, a page's. */
export interface ToolSource {
  list(): Tool[]
  /** The model is thinking: what a first call would wait for may be made ready. */
  warm?(): void
  onChange(listener: () => void): () => void
}
