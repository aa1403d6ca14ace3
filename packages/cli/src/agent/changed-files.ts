import { type RunEffects, readRunEffects } from '@maru/tools'
import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import type { OpenSession } from '../session/open-session.ts'
import { undoPlace } from '../undo/find-run.ts'
import { takeBack } from '../undo/take-back.ts'
import type { UndoReport } from './conversation-contract.ts'

/** What the runs of a session changed, from before the first of them to now, as a unified diff. */
export async function diffSession(invocation: Invocation, session: OpenSession, signal: AbortSignal): Promise<string> {
  const place = undoPlace(invocation, session)
  try {
    return await place.diff(await readChanges(session), signal)
  } finally {
    await place.close()
  }
}

/** Takes back the last run that changed something and stands. */
export async function undoLastRun(
  invocation: Invocation,
  session: OpenSession,
  signal: AbortSignal,
): Promise<UndoReport> {
  const run = (await readChanges(session)).findLast(({ isUndone }) => !isUndone)
  if (!run) throw usageError(invocation.t('undo.nothing'))
  const undone = await takeBack(invocation, { session, run }, { signal })
  return { runId: run.runId, task: run.task, ...undone }
}

async function readChanges({ log, id }: OpenSession): Promise<RunEffects[]> {
  return (await readRunEffects(log.read(id))).filter(({ effects }) => effects.length > 0)
}
