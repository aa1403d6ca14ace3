import { usageError } from '../../cli-error.ts'
import type { ExitCode } from '../../exit-code.ts'
import { printable } from '../../terminal/printable.ts'
import { listSessions, sessionsDirectory } from '../list-sessions.ts'
import type { SessionsInvocation } from '../options.ts'
import { choosePrunable, parseAge } from '../prune-plan.ts'
import { eraseAll } from './delete.ts'

/** Erases old sessions, after asking: by age, by how many are to stay, or both. */
export async function prune(invocation: SessionsInvocation): Promise<ExitCode> {
  const { options, t } = invocation
  const { 'older-than': age, keep: count, all } = options
  if (age === undefined && count === undefined) throw usageError(t('sessions.prune-what'))
  const olderThan = age === undefined ? undefined : parseAge(age)
  if (age !== undefined && olderThan === undefined) throw usageError(t('sessions.bad-age', { age: printable(age) }))
  const keep = count === undefined ? undefined : Number(count)
  if (keep !== undefined && (!Number.isSafeInteger(keep) || keep < 0)) {
    throw usageError(t('sessions.bad-count', { option: '--keep' }))
  }
  const rows = choosePrunable(await listSessions(invocation, { all }), { olderThan, keep, now: Date.now() })
  const directory = sessionsDirectory(invocation)
  return eraseAll(
    invocation,
    rows.map((row) => ({ directory, id: row.id, row })),
  )
}
