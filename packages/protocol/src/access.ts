import * as z from 'zod/mini'
import { Json } from './json.ts'

/** One thing that a call would touch: what the policy judges, before anything happens. */
export const Access = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['read', 'write', 'delete', 'create']),
    path: z.string(),
    where: z.enum(['inside', 'extra-root', 'outside']),
    mark: z.exactOptional(z.enum(['protected', 'secret'])),
  }),
  z.object({
    kind: z.literal('run'),
    program: z.string(),
    argv: z.array(z.string()),
    proven: z.enum(['read-only', 'effects', 'unknown']),
    tree: z.exactOptional(Json),
  }),
  z.object({ kind: z.literal('net'), host: z.string(), port: z.exactOptional(z.int()) }),
  // How far a change reaches: more than a few files or lines is asked.
  z.object({ kind: z.literal('reach'), files: z.int(), lines: z.int() }),
  z.object({ kind: z.literal('foreign-tool'), source: z.string(), name: z.string(), hints: z.exactOptional(Json) }),
  z.object({ kind: z.enum(['privilege', 'process', 'ask']) }),
])
export type Access = z.infer<typeof Access>
