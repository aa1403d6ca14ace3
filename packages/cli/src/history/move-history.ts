import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dumpHistory, findDifferences, openHistory, type Restored, restoreHistory } from '@maru/store'
import { CliError, usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import { describeFailure, MOVED, openHistoryFor, showUrl } from './open-history-for.ts'
import { createProgress } from './progress.ts'

/**
 * Takes the embedded history to a server: everything of everybody, checked session by session. The old directory stays,
 * with a mark that says where it went.
 */
export async function moveHistory(invocation: Invocation): Promise<Restored & { to: string }> {
  const { env, home, t } = invocation
  const databaseUrl = env['DATABASE_URL']
  if (!databaseUrl) throw usageError(t('db.no-url'))
  const embedded = { ...invocation, env: { ...env, DATABASE_URL: undefined } }
  const from = await openHistoryFor(embedded)
  const progress = createProgress(invocation)
  try {
    const to = await openHistory({ home, databaseUrl, now: Date.now }).catch((error: unknown) => {
      throw describeFailure(error, invocation)
    })
    try {
      const lines = dumpHistory(from.history.engine, Date.now())
      const restored = await restoreHistory(to, lines, ({ sessions, facts }) =>
        progress.show(t('db.restoring', { sessions, facts })),
      )
      const different = await findDifferences(from.history.engine, to.engine)
      if (different[0] !== undefined) {
        const values = { n: different.length, first: printable(different[0]) }
        throw new CliError('history-differs', t('db.differs', values), { details: different })
      }
      const shown = showUrl(databaseUrl)
      const mark = JSON.stringify({ to: shown, at: new Date().toISOString() })
      writeFileSync(join(home, 'db', MOVED), `${mark}\n`, { mode: 0o600, flush: true })
      return { ...restored, to: shown }
    } finally {
      await to.close()
    }
  } finally {
    progress.end()
    await from.close()
  }
}
