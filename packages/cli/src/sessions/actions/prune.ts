import { usageError } from '../../cli-error.ts'
import type { ExitCode } from '../../exit-code.ts'
import { openEverywhere } from '../../remote/served-rows.ts'
import { printable } from '../../terminal/printable.ts'
import type { SessionsInvocation } from '../options.ts'
import { choosePrunable, parseAge } from '../prune-plan.ts'
import { doomedOf, eraseAll } from './delete.ts'

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
  const sessions = await openEverywhere(invocation, { all })
  try {
    const rows = choosePrunable(sessions.rows, { olderThan, keep, now: Date.now() })
    if (!sessions.isWhole) await invocation.notice(t('sessions.not-history'))
    return await eraseAll(
      invocation,
      rows.map((row) => doomedOf(sessions.open(row), row)),
    )
  } finally {
    await sessions.close()
  }
}
