import { actionKey, type WorkState, work } from '@maru/agent'
import type { Recorded, SessionLog, SessionStart } from '@maru/protocol'

/** What has to be known of a session to say how it stands, as far as its facts were read. */
export interface Glance {
  seq: number
  /** When the last of them was written. */
  at: number
  start?: SessionStart
  /** Where it begins itself: a fork has what stands before from its parent. */
  startSeq: number
  work: WorkState
  /** How often in a row its open run was cut short by the end of a process. */
  cuts: number
}

export function createGlance(): Glance {
  return { seq: 0, at: 0, startSeq: 0, work: work.create(), cuts: 0 }
}

/** False, if the glance knew of it already. */
export function takeFact(glance: Glance, record: Recorded): boolean {
  if (record.seq <= glance.seq) return false
  glance.seq = record.seq
  glance.at = record.at
  work.apply(glance.work, record)
  switch (record.type) {
    case 'session-start': {
      const { agent, door, cwd } = record
      glance.startSeq = record.seq
      glance.start = { agent, door, ...(cwd !== undefined && { cwd }) }
      break
    }
    case 'turn-fail':
      if (record.failure.code === 'cut') glance.cuts++
      break
    case 'turn-end':
    case 'run-start':
    case 'run-end':
      glance.cuts = 0
      break
    default:
  }
  return true
}

/** Reads what has happened since; `take` is told of each. */
export async function catchUp(
  glance: Glance,
  { log, id }: { log: SessionLog; id: string },
  take: (record: Recorded) => void = (record) => void takeFact(glance, record),
): Promise<void> {
  for await (const record of log.read(id, glance.seq)) take(record)
}

/** Whether an agent of ours would have something to do. */
export function hasWork({ start, work: { inputs, run } }: Glance): boolean {
  return start?.agent.kind === 'maru' && (run !== undefined || inputs.length > 0)
}

/** Whether something of that was begun or said here: what a fork has from its parent, nobody has asked for. */
export function hasWorkOfItsOwn(glance: Glance): boolean {
  const { run, inputs } = glance.work
  return hasWork(glance) && [...(run ? [run] : []), ...inputs].some(({ seq }) => seq > glance.startSeq)
}

/** Calls that wait for an approval, and questions that wait for an answer. */
export function pendingOf({ work: { calls, approvals, answers } }: Glance): {
  approvals: string[]
  questions: string[]
} {
  const open = calls.filter(({ state }) => state !== 'ended')
  return {
    approvals: open
      .filter(
        ({ callId, asked, state }) => state === 'ready' && asked !== undefined && !approvals[actionKey(callId, asked)],
      )
      .map(({ callId }) => callId),
    questions: open.flatMap(({ questions }) => questions.filter((questionId) => answers[questionId] === undefined)),
  }
}
