import type { Recorded, SessionStart } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { recordFact } from '../record-fact.ts'
import { type AddBatch, addFacts } from './add-facts.ts'
import { insertSessions, type StartRecord } from './create-session.ts'
import type { Queries } from './engine.ts'
import type { SessionRow } from './session-row.ts'
import { writeAllFacts } from './write-facts.ts'

/** A session that happened elsewhere and is not here yet, with what is known of it. */
export interface NewSession {
  id: string
  start: { start: SessionStart; at: number }
  facts: AddBatch['facts']
}

/** Begins sessions, a fork behind what it is a fork of. Those that are no forks take as many statements as one of them. */
export async function beginSessions(
  db: Queries,
  sessions: NewSession[],
  mask: Mask | undefined,
): Promise<Map<string, Recorded[]>> {
  const stored = new Map<string, Recorded[]>()
  const roots = sessions.filter(({ start }) => start.start.forkOf === undefined)
  const begun = roots.map(({ id, start: { start, at } }) => ({
    id,
    record: recordFact({ type: 'session-start', ...start }, { seq: 1, at, mask }).record as StartRecord,
  }))
  const numbers = begun.length > 0 ? await insertSessions(db, begun) : new Map<string, number>()
  const writings = roots.map(({ id, facts }) => ({
    id,
    session: { ...FRESH, no: numbers.get(id) as number },
    records: facts.map(({ fact, at }, n) => recordFact(fact, { seq: 2 + n, at, mask }).record),
  }))
  await writeAllFacts(db, writings)
  for (const [n, { id, records }] of writings.entries()) stored.set(id, [begun[n]?.record as Recorded, ...records])
  for (const { id, start, facts } of sessions) {
    if (start.start.forkOf !== undefined) stored.set(id, await addFacts(db, id, { start, facts, mask }))
  }
  return stored
}

const FRESH: Omit<SessionRow, 'no'> = {
  head: 1,
  runner: 0,
  is_moved: false,
  parent: null,
  fork_seq: 0,
  turn_id: null,
  turn_model: null,
  messages: 0,
  tokens: 0,
}
