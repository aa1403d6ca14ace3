import type { RunnerFact } from '@maru/protocol'
import type { Ledger } from './ledger.ts'

const MAY_HAVE_RUN =
  'The process ended while this call was running. It may have run in part or in full: look before you repeat it.'

/**
 * Closes what a crash left open, by facts. A call that had started may have had its effect, so it is reported as such
 * and never run again; one that only waited for an answer goes on waiting.
 */
export async function repair(ledger: Ledger): Promise<void> {
  const { turn, calls, answers, run } = ledger.work
  const facts: RunnerFact[] = []
  if (turn !== undefined) {
    const failure = { code: 'cut', message: 'the process ended during this turn' } as const
    facts.push({ type: 'turn-fail', turnId: turn, failure, parts: [] })
  }
  for (const { callId, state, questions } of calls) {
    const isWaiting = questions.some((questionId) => answers[questionId] === undefined)
    if (state !== 'started' || isWaiting) continue
    const diagnostics = [{ code: 'interrupted', message: MAY_HAVE_RUN }]
    const parts = [{ type: 'text' as const, text: MAY_HAVE_RUN }]
    facts.push({ type: 'tool-end', callId, outcome: 'interrupted', result: { diagnostics }, parts })
  }
  // The user had stopped it, and only the end was not written any more.
  if (run?.isAborted) facts.push({ type: 'run-end', runId: run.runId, reason: 'interrupted', usage: { ...run.usage } })
  if (facts.length > 0) await ledger.append(...facts)
}
