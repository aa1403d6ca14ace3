import { usageError } from '../../cli-error.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import { printable } from '../../terminal/printable.ts'
import { confirm } from '../confirm.ts'
import { type Deleted, type Doomed, deleteSessions } from '../delete-sessions.ts'
import { drawList } from '../draw-list.ts'
import { findSession } from '../find-session.ts'
import { rowOf, type SessionRow } from '../list-sessions.ts'
import type { SessionsInvocation } from '../options.ts'
import { overview } from '../overview.ts'

/** Erases the named sessions, after asking. */
export async function remove(invocation: SessionsInvocation): Promise<ExitCode> {
  const { positionals, t } = invocation
  const names = [...new Set(positionals.slice(1))]
  if (names.length === 0) throw usageError(t('cli.missing', { argument: 'ID', help: 'maru sessions -h' }))
  const doomed = new Map<string, Doomed & { row: SessionRow }>()
  try {
    for (const name of names) {
      const session = await findSession(invocation, name)
      const { glance, directory, id, addressOf } = session
      const { state, bytes, isDamaged } = await glance(id, overview)
      const row = rowOf(id, state, { bytes, isDamaged })
      doomed.set(`${directory}/${id}`, { directory, id, row, ...(addressOf && { store: session }) })
    }
    return await eraseAll(invocation, [...doomed.values()])
  } finally {
    for (const { store } of doomed.values()) await store?.log.close()
  }
}

/** Shows what would go, asks, and erases it. */
export async function eraseAll(
  invocation: SessionsInvocation,
  doomed: readonly (Doomed & { row: SessionRow })[],
): Promise<ExitCode> {
  const { options, json, stdout, stderr, t } = invocation
  const rows = doomed.map(({ row }) => row)
  if (options['dry-run']) {
    if (json) await stdout.line(JSON.stringify({ wouldDelete: rows.map(({ id }) => id) }))
    else for (const line of drawList(rows, invocation)) await stdout.line(line)
    return EXIT.done
  }
  if (!options.yes && !json) for (const line of drawList(rows, invocation)) await stderr.line(line)
  const question = t('sessions.delete-these', { count: rows.length })
  if (!(await confirm(invocation, { question, isAnswered: options.yes || rows.length === 0 }))) return EXIT.denied
  return tell(invocation, await deleteSessions(invocation.home, doomed))
}

async function tell({ json, stdout, stderr, notice, t }: SessionsInvocation, done: Deleted): Promise<ExitCode> {
  const { deleted, left, snapshots } = done
  if (json) await stdout.line(JSON.stringify(done))
  else {
    await stdout.line(t('sessions.deleted', { count: deleted.length }))
    for (const { id, reason } of left) {
      await stderr.line(t('sessions.kept', { id: printable(id), reason: printable(reason) }))
    }
  }
  if (snapshots.isBusy) await notice(t('sessions.busy'))
  return left.length > 0 ? EXIT.failed : EXIT.done
}
