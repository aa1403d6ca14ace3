import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { listEverywhere } from '../remote/served-rows.ts'
import { localTime, shortId } from '../sessions/draw-list.ts'
import { printable } from '../terminal/printable.ts'
import type { AgentDoor } from './door.ts'

const SHOWN = 200

/** Lets a person choose an earlier session of this repository; nothing when they do not want to. */
export async function pickSession(invocation: Invocation, door: AgentDoor): Promise<string | undefined> {
  const { t, repo } = invocation
  const rows = await listEverywhere(invocation, { limit: SHOWN })
  if (rows.length === 0) throw usageError(t('session.no-latest', { path: printable(repo()) }))
  return door.pick({
    title: t('slash.pick-session'),
    isSearchable: true,
    items: rows.map(({ id, name, changedAt, turns }) => ({
      label: printable(name) || shortId(id),
      detail: t('slash.session-row', { time: localTime(changedAt), turns }),
      value: id,
    })),
  })
}
