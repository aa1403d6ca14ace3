import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Translator } from '@maru/i18n'
import { type Fault, findFaults, repairFaults, type Upkeep } from '@maru/store'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import type { Check } from '../doctor/check.ts'
import { printable } from '../terminal/printable.ts'
import { hasHistory } from './has-history.ts'
import { openHistoryFor, placeOf, showUrl } from './open-history-for.ts'

/** Everything that can be said about the history's health; with `isRepairing`, what can be mended is. */
export async function examineHistory(
  invocation: Invocation,
  { isRepairing }: { isRepairing: boolean },
): Promise<Check[]> {
  const { t } = invocation
  const place = checkPlace(invocation)
  if (!hasHistory(invocation)) return place
  try {
    const opened = await openHistoryFor(invocation, { hasMirror: false })
    try {
      const { engine } = opened.history
      const { version } = await opened.history.schema()
      const found = await findFaults(engine)
      const faults = isRepairing && found.length > 0 ? await repairFaults(engine, found) : found
      const schema: Check = { id: 'schema', status: 'ok', message: t('db.doctor.schema', { version }) }
      if (isRepairing && (await opened.history.upkeepDue()) === 'erased')
        await opened.history.upkeep({ isThorough: true })
      const upkeep = checkUpkeep(await opened.history.upkeepDue(), t)
      return [...place, schema, ...KINDS.map((kind) => checkKind(kind, faults, t)), upkeep]
    } finally {
      await opened.close()
    }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return [...place, { id: 'open', status: 'problem', message: error.message }]
  }
}

/** Where the history is, in a few words. */
export function describePlace(invocation: Invocation): string {
  const { databaseUrl, home } = placeOf(invocation)
  if (databaseUrl !== undefined) return printable(showUrl(databaseUrl))
  return invocation.t('db.place.embedded', { path: printable(join(home, 'db')) })
}

function checkPlace(invocation: Invocation): Check[] {
  const { t } = invocation
  const { databaseUrl, home } = placeOf(invocation)
  const path = join(home, 'db')
  const shown = printable(path)
  if (!hasHistory(invocation)) return [{ id: 'place', status: 'ok', message: t('db.doctor.none', { path: shown }) }]
  const message = t('db.doctor.place', { place: describePlace(invocation) })
  const isOpen = databaseUrl === undefined && process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  const open: Check = {
    id: 'directory',
    status: 'warning',
    message: t('db.doctor.open-to-others', { path: shown }),
    hint: `chmod 700 ${shown}`,
  }
  return [{ id: 'place', status: 'ok', message }, ...(isOpen ? [open] : [])]
}

function checkUpkeep(due: Upkeep, t: Translator): Check {
  switch (due) {
    case 'none':
      return { id: 'upkeep', status: 'ok', message: t('db.doctor.upkeep.ok') }
    case 'due':
      return { id: 'upkeep', status: 'ok', message: t('db.doctor.upkeep.due') }
    case 'erased':
      return {
        id: 'upkeep',
        status: 'warning',
        message: t('db.doctor.upkeep.erased'),
        hint: t('db.doctor.hint.repair'),
      }
    default:
      return due satisfies never
  }
}

const KINDS = ['facts', 'counts', 'index', 'content'] as const
const SHOWN = 5

const FINE = {
  facts: 'db.doctor.facts.ok',
  counts: 'db.doctor.counts.ok',
  index: 'db.doctor.index.ok',
  content: 'db.doctor.content.ok',
} as const

function checkKind(kind: Fault['kind'], faults: Fault[], t: Translator): Check {
  const fault = faults.find((candidate) => candidate.kind === kind)
  if (!fault) return { id: kind, status: 'ok', message: t(FINE[kind]) }
  const names = fault.sessions.slice(0, SHOWN).map(({ id }) => printable(id))
  const list = names.join(', ') + (fault.sessions.length > SHOWN ? ', …' : '')
  const canRepair = kind === 'counts' || kind === 'index'
  return {
    id: kind,
    status: 'problem',
    message: tellWrong(kind, { n: fault.count, list }, t),
    hint: canRepair ? t('db.doctor.hint.repair') : t('db.doctor.hint.restore'),
  }
}

function tellWrong(kind: Fault['kind'], { n, list }: { n: number; list: string }, t: Translator): string {
  switch (kind) {
    case 'facts':
      return t('db.doctor.facts.wrong', { n, list })
    case 'counts':
      return t('db.doctor.counts.wrong', { n, list })
    case 'index':
      return t('db.doctor.index.wrong', { n })
    case 'content':
      return t('db.doctor.content.wrong', { n })
    default:
      return kind satisfies never
  }
}
