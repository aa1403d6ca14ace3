import { isMessageKey } from '@maru/i18n'
import { usageError } from '../../cli-error.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import { findServer, PATIENT_MS } from '../../remote/find-server.ts'
import { printable } from '../../terminal/printable.ts'
import { confirm } from '../confirm.ts'
import { type Deleted, type Doomed, deleteSessions } from '../delete-sessions.ts'
import { drawList } from '../draw-list.ts'
import { findSession } from '../find-session.ts'
import type { FoundSession } from '../found-session.ts'
import { rowOf, type SessionRow } from '../list-sessions.ts'
import type { SessionsInvocation } from '../options.ts'
import { overview } from '../overview.ts'

/** Erases the named sessions, after asking. */
export async function remove(invocation: SessionsInvocation): Promise<ExitCode> {
  const { positionals, t } = invocation
  const names = [...new Set(positionals.slice(1))]
  if (names.length === 0) throw usageError(t('cli.missing', { argument: 'ID', help: 'maru sessions -h' }))
  const doomed = new Map<string, DoomedRow>()
  try {
    for (const name of names) {
      const session = await findSession(invocation, name)
      const { glance, directory, id } = session
      const { state, bytes, isDamaged } = await glance(id, overview)
      doomed.set(`${directory}/${id}`, doomedOf(session, rowOf(id, state, { bytes, isDamaged })))
    }
    return await eraseAll(invocation, [...doomed.values()])
  } finally {
    for (const { store } of doomed.values()) await store?.log.close()
  }
}

type DoomedRow = Doomed & { row: SessionRow }

/** A session that is to go, as it is shown before that. */
export function doomedOf(session: FoundSession, row: SessionRow): DoomedRow {
  const { directory, id, addressOf } = session
  return { directory, id, row, ...(addressOf && { store: session }) }
}

/** Shows what would go, asks, and erases it. */
export async function eraseAll(invocation: SessionsInvocation, all: readonly DoomedRow[]): Promise<ExitCode> {
  const { options, json, stdout, stderr, t } = invocation
  const { doomed, left } = await keepRemnants(invocation, all)
  const rows = doomed.map(({ row }) => row)
  if (options['dry-run']) {
    if (json) await stdout.line(JSON.stringify({ wouldDelete: rows.map(({ id }) => id) }))
    else for (const line of drawList(rows, invocation)) await stdout.line(line)
    return EXIT.done
  }
  if (!options.yes && !json) for (const line of drawList(rows, invocation)) await stderr.line(line)
  const question = t('sessions.delete-these', { count: rows.length })
  if (!(await confirm(invocation, { question, isAnswered: options.yes || rows.length === 0 }))) return EXIT.denied
  const done = await deleteSessions(invocation.home, doomed)
  return tell(invocation, { ...done, left: [...left, ...done.left] })
}

// What stayed behind in a file when its session moved is not the session: without a server, that would stay.
async function keepRemnants(
  invocation: SessionsInvocation,
  all: readonly DoomedRow[],
): Promise<{ doomed: readonly DoomedRow[]; left: Deleted['left'] }> {
  const isRemnant = ({ row, store }: DoomedRow) => row.isMoved && !store
  if (!all.some(isRemnant) || (await findServer(invocation, PATIENT_MS))) return { doomed: all, left: [] }
  const reasonOf = (id: string) => invocation.t('session.moved', { id })
  const left = all.filter(isRemnant).map(({ id }) => ({ id, code: 'moved', reason: reasonOf(id) }))
  return { doomed: all.filter((one) => !isRemnant(one)), left }
}

async function tell({ json, stdout, stderr, notice, t }: SessionsInvocation, done: Deleted): Promise<ExitCode> {
  const { deleted, left, snapshots } = done
  if (json) await stdout.line(JSON.stringify(done))
  else {
    await stdout.line(t('sessions.deleted', { count: deleted.length }))
    for (const one of left) await stderr.line(tellLeft(one, t))
  }
  if (snapshots.isBusy) await notice(t('sessions.busy'))
  return left.length > 0 ? EXIT.failed : EXIT.done
}

/** Why a session is left as it is. The log says it in English, by a code. */
export function tellLeft({ id, code, reason }: Deleted['left'][number], t: SessionsInvocation['t']): string {
  const key = `log.${code}`
  const tell = t as (key: string, values: { message: string }) => string
  const known = isMessageKey(key) ? tell(key, { message: reason }) : reason
  const told = code === 'moved' ? t('session.moved', { id }) : known
  return t('sessions.kept', { id: printable(id), reason: printable(told) })
}
