import * as z from 'zod/mini'
import type { Actor } from './actor.ts'
import { type DoorFact, FACTS, type FactType, factSchemas } from './fact.ts'

/** A door fact before the server has said who sent it. */
export type DoorIntent = DoorFact extends infer F ? (F extends DoorFact ? Omit<F, 'by'> : never) : never

/** What a door sends: a session and what to admit there. The fact's own key makes sending it twice harmless. */
export interface Command {
  type: 'admit'
  session: string
  fact: DoorIntent
}

const frame = z.object({
  type: z.literal('admit'),
  session: z.string().check(z.minLength(1)),
  fact: z.looseObject({ type: z.string() }),
})

/** Reads a command off the wire and signs it. A `by` that the sender made up is replaced. */
export function readCommand(value: unknown, by: Actor): { session: string; fact: DoorFact } | { problem: string } {
  const read = frame.safeParse(value)
  if (!read.success) return { problem: 'not a command: {type:"admit", session, fact}' }
  const { session, fact } = read.data
  const type = fact.type as FactType
  if (FACTS[type]?.by !== 'door') return { problem: `a door may not admit "${fact.type}"` }
  const checked = factSchemas[type].safeParse({ ...fact, by })
  if (!checked.success) return { problem: `"${type}" does not fit: ${checked.error.issues[0]?.path.join('.')}` }
  return { session, fact: checked.data as DoorFact }
}
