import { type CallState, work } from '@maru/agent'
import type { RunnerFact } from '@maru/protocol'
import { uniqueHex } from '@maru/store'
import type { OpenSession } from '../session/open-session.ts'

export interface SettleWish {
  /** What people said and no run has taken is laid aside as well. */
  readonly takesInputs?: boolean
  /** Behind what was closed, in the same write. */
  readonly behind?: readonly RunnerFact[]
}

type Place = Pick<OpenSession, 'log' | 'project' | 'id'>

/** Closes whatever is under way in a session, by facts: the next run begins with what is said then. */
export async function settleSession({ log, project, id }: Place, wish: SettleWish = {}): Promise<void> {
  const lease = await log.lease(id)
  try {
    const { turn, calls, run, inputs } = await project(id, work)
    const facts: RunnerFact[] = []
    if (turn !== undefined) {
      const failure = { code: 'aborted', message: 'this turn was laid aside' } as const
      facts.push({ type: 'turn-fail', turnId: turn, failure, parts: [] })
    }
    facts.push(...calls.filter(({ state }) => state !== 'ended').map(laidAside))
    if (run) facts.push({ type: 'run-end', runId: run.runId, reason: 'interrupted', usage: { ...run.usage } })
    if (wish.takesInputs && inputs.length > 0) {
      const runId = uniqueHex(16)
      facts.push({ type: 'run-start', runId, inputs: inputs.map(({ seq }) => seq) })
      facts.push({ type: 'run-end', runId, reason: 'interrupted' })
    }
    facts.push(...(wish.behind ?? []))
    if (facts.length > 0) await log.append(id, { epoch: lease.epoch, expect: lease.last }, facts)
  } finally {
    await lease.release()
  }
}

// For the model, as all that calls report.
const NOT_RUN = 'This call was laid aside before it ran.'
const MAY_HAVE_RUN = 'This call was laid aside while it was running. It may have run in part or in full: look first.'

function laidAside({ callId, state }: CallState): RunnerFact {
  const message = state === 'started' ? MAY_HAVE_RUN : NOT_RUN
  return {
    type: 'tool-end',
    callId,
    outcome: 'interrupted',
    result: { diagnostics: [{ code: 'interrupted', message }] },
    parts: [{ type: 'text', text: message }],
  }
}
