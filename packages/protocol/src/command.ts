import type { Actor } from './actor.ts'
import { type DoorFact, FACTS, type FactType } from './fact.ts'
import { factProblem } from './record.ts'
import * as s from './shape.ts'

/** A door fact before the server has said who sent it. */
export type DoorIntent = DoorFact extends infer F ? (F extends DoorFact ? Omit<F, 'by'> : never) : never

/** What a door sends: a session and what to admit there. The fact's own key makes sending it twice harmless. */
export interface Command {
  type: 'admit'
  session: string
  fact: DoorIntent
}

const frame = s.object({
  type: s.literal('admit'),
  session: s.string({ min: 1 }),
  fact: s.object({ type: s.string() }),
})

/** Reads a command off the wire and signs it. A `by` that the sender made up is replaced. */
export function readCommand(value: unknown, by: Actor): { session: string; fact: DoorFact } | { problem: string } {
  if (!s.fits(frame, value)) return { problem: 'not a command: {type:"admit", session, fact}' }
  const { session, fact } = value
  const type = fact.type as FactType
  if (!Object.hasOwn(FACTS, type) || FACTS[type].by !== 'door')
    return { problem: `a door may not admit "${fact.type}"` }
  const signed = { ...fact, by } as DoorFact
  const problem = factProblem(signed)
  return problem === undefined ? { session, fact: signed } : { problem }
}
