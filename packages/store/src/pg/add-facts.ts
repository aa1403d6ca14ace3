import type { Fact, Recorded, SessionStart } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { recordFact } from '../record-fact.ts'
import { createSession } from './create-session.ts'
import type { Queries } from './engine.ts'
import { findSession } from './session-row.ts'
import { writeFacts } from './write-facts.ts'

/** Facts that happened elsewhere. */
export interface AddBatch {
  /** How the session begins, where it is not here yet. */
  start?: { start: SessionStart; at: number }
  facts: { fact: Fact; at: number }[]
}

/** Adds facts behind those of a session, whoever wrote them: what came from elsewhere has no runner here. */
export async function addFacts(
  db: Queries,
  id: string,
  { start, facts, mask }: AddBatch & { mask: Mask | undefined },
): Promise<Recorded[]> {
  const begun = start ? [await createSession(db, id, { ...start, mask })] : []
  const session = await findSession(db, id, { lock: true })
  const records = facts.map(({ fact, at }, n) => recordFact(fact, { seq: session.head + 1 + n, at, mask }).record)
  await writeFacts(db, { session, id, records })
  return [...begun, ...records]
}
