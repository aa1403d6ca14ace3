import { usageError } from '../../cli-error.ts'
import type { ExitCode } from '../../exit-code.ts'
import { EXIT } from '../../exit-code.ts'
import { listEverywhere } from '../../remote/served-rows.ts'
import { printable } from '../../terminal/printable.ts'
import { drawList } from '../draw-list.ts'
import { markRunning, type SessionRow } from '../list-sessions.ts'
import type { SessionsInvocation } from '../options.ts'
import { priceSessions } from '../price-sessions.ts'

const SHOWN = 20

/** The sessions of this repository, or all, newest first. */
export async function list(invocation: SessionsInvocation): Promise<ExitCode> {
  const { options, stdout, json, t, notice } = invocation
  const { all, search } = options
  const most = readCount(invocation) ?? (json ? undefined : SHOWN)
  // One more than is shown says whether there are more.
  const found = await listEverywhere(invocation, { all, search, ...(most !== undefined && { limit: most + 1 }) })
  const rows = await priceSessions(invocation, await markRunning(invocation, found.slice(0, most ?? found.length)))
  if (json) {
    await stdout.line(JSON.stringify({ sessions: rows.map(forScripts) }))
    return EXIT.done
  }
  for (const line of drawList(rows, invocation, { hasPlace: all })) await stdout.line(line)
  if (rows.length === 0) await notice(nothing(invocation))
  else if (found.length > rows.length) await notice(t('sessions.more', { count: rows.length }))
  return EXIT.done
}

function readCount({ options, t }: SessionsInvocation): number | undefined {
  if (options.limit === undefined) return undefined
  const count = Number(options.limit)
  if (!Number.isSafeInteger(count) || count < 1) throw usageError(t('sessions.bad-count', { option: '--limit' }))
  return count
}

function nothing({ options, repo, t }: SessionsInvocation): string {
  if (options.search !== undefined) return t('sessions.not-found', { words: printable(options.search) })
  return options.all ? t('sessions.none-at-all') : t('sessions.none', { path: printable(repo()) })
}

/** A row without what is only of use inside. */
export function forScripts({ spent, ...row }: SessionRow): object {
  return { ...row, models: Object.keys(spent).filter((model) => model !== '') }
}
