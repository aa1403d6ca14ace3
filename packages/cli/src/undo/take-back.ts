import { randomUUID } from 'node:crypto'
import type { Actor, FileChange } from '@maru/protocol'
import type { RunEffects } from '@maru/tools'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { person } from '../session/door.ts'
import type { WorkedSession } from '../session/worked-session.ts'
import { undoPlace } from './find-run.ts'

/** What was brought back, and what was left as it was found. */
export interface TakenBack {
  restored: FileChange[]
  left: { path: string; why: string }[]
}

export interface TakeBackOptions {
  signal: AbortSignal
  overwrite?: readonly string[]
  /** Only says what would be done. */
  dryRun?: boolean
  /** Who wants it: the person at this terminal, unless said otherwise. */
  by?: Actor
}

/** Takes a run of a session back and writes down that it was. */
export async function takeBack(
  invocation: Pick<Invocation, 'home' | 'repo'>,
  { session, run }: { session: Pick<WorkedSession, 'id' | 'log' | 'blobs'>; run: RunEffects },
  { dryRun = false, by = person, ...options }: TakeBackOptions,
): Promise<TakenBack> {
  const place = undoPlace(invocation, session)
  try {
    const undone = await place.undo(run, { ...options, dryRun })
    if ('problem' in undone) throw new CliError(undone.problem.code, undone.problem.message)
    const { restored: files } = undone
    if (!dryRun && files.length > 0) {
      const key = randomUUID()
      await session.log.admit(session.id, { type: 'files-restore', key, by, runId: run.runId, files })
    }
    return undone
  } finally {
    await place.close()
  }
}
