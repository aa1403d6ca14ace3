import * as z from 'zod/mini'
import type { Access } from './access.ts'
import { Json } from './json.ts'
import { Hash, Part } from './part.ts'
import type { Answer, Question } from './question.ts'

/** What went wrong in words that the model can act on. */
export const Diagnostic = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.exactOptional(z.string()),
  details: z.exactOptional(Json),
})
export type Diagnostic = z.infer<typeof Diagnostic>

/**
 * What the model is told of a tool. `effect`: `none` changes nothing and may run side by side; `repeatable` may be
 * run again after a crash; `once` never is by itself.
 */
export const ToolSpec = z.object({
  name: z.string(),
  description: z.string(),
  schema: z.record(z.string(), Json),
  effect: z.enum(['none', 'repeatable', 'once']),
})
export type ToolSpec = z.infer<typeof ToolSpec>

/** One changed file: hashes of its bytes, absent where there was or is none. */
export const FileChange = z.object({
  path: z.string(),
  before: z.exactOptional(Hash),
  after: z.exactOptional(Hash),
})
export type FileChange = z.infer<typeof FileChange>

/** What a tool gives back; `parts` are for the model, `files` and `exit` for the log. */
export const ToolResult = z.object({
  ok: z.boolean(),
  stdout: z.exactOptional(z.string()),
  stderr: z.exactOptional(z.string()),
  data: z.exactOptional(Json),
  diagnostics: z.exactOptional(z.array(Diagnostic)),
  exit: z.exactOptional(z.int()),
  files: z.exactOptional(z.array(FileChange)),
  parts: z.exactOptional(z.array(Part)),
})
export type ToolResult = z.infer<typeof ToolResult>

/** What a person sees before answering. */
export const Preview = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('diff'), text: z.string() }),
  z.object({ kind: z.literal('command'), command: z.string(), cwd: z.string() }),
  z.object({ kind: z.literal('text'), text: z.string() }),
])
export type Preview = z.infer<typeof Preview>

/** What a tool may use while it works. */
export interface ToolContext {
  readonly callId: string
  readonly signal: AbortSignal
  progress(text: string): void
  /** Asks the person at any door; cancelling is an answer. */
  ask(question: Question): Promise<Answer>
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
  run(context: ToolContext): Promise<ToolResult>
}

/** Tools that come and go: ours, an MCP server's, a page's. */
export interface ToolSource {
  list(): Tool[]
  onChange(listener: () => void): () => void
}
