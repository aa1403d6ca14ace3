import { openWorkspaceUndo, type RunEffects, readRunEffects } from '@maru/tools'
import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import type { OpenSession } from '../session/open-session.ts'
import type { WorkedSession } from '../session/worked-session.ts'
import { findSession } from '../sessions/find-session.ts'
import { printable } from '../terminal/printable.ts'
import { snapshotStore } from './snapshot-store.ts'

/** A run that changed something, in its session. */
export interface FoundRun {
  session: OpenSession
  /** All runs that changed something, in order. */
  runs: RunEffects[]
  run: RunEffects
}

/** The run that is meant: by its id or the beginning of it, else the last that changed something and stands. */
export async function findRun(
  invocation: Invocation,
  wish: { run?: string | undefined; session?: string | undefined },
) {
  const { t } = invocation
  const session = await findSession(invocation, wish.session)
  const runs = (await readRunEffects(session.log.read(session.id))).filter(({ effects }) => effects.length > 0)
  const run =
    wish.run === undefined
      ? runs.findLast(({ isUndone }) => !isUndone)
      : runs.findLast(({ runId }) => runId.startsWith(wish.run ?? ''))
  if (run) return { session, runs, run } satisfies FoundRun
  await session.log.close()
  if (wish.run !== undefined) throw usageError(t('undo.no-run', { run: printable(wish.run) }))
  throw usageError(t('undo.nothing'))
}

/** What is needed to look at, or take back, what runs of a session did. */
export function undoPlace(
  { home, repo }: Pick<Invocation, 'home' | 'repo'>,
  session: Pick<WorkedSession, 'id' | 'blobs'>,
) {
  return openWorkspaceUndo({
    root: repo(),
    store: snapshotStore(home, repo()),
    content: (hash) => session.blobs.get(session.id, hash),
  })
}
