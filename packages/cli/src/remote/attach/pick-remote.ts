import type { AgentDoor } from '../../agent/door.ts'
import { usageError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import { cutTo, localTime, shortId } from '../../sessions/draw-list.ts'
import { printable } from '../../terminal/printable.ts'
import type { ServerLink } from '../link.ts'
import { nameSessions } from '../remote-sessions.ts'

const SHOWN = 200
const NAME_COLUMNS = 60

/** Lets a person choose a session of a server: those at work come first, then the newest. */
export async function pickRemote(link: ServerLink, door: AgentDoor, { t }: Invocation): Promise<string | undefined> {
  const rows = await nameSessions(link)
  if (rows.length === 0) throw usageError(t('remote.no-sessions', { url: printable(link.url) }))
  return door.pick({
    title: t('remote.pick'),
    isSearchable: true,
    items: rows.slice(0, SHOWN).map(({ id, name, state, changedAt }) => ({
      label: cutTo(printable(name), NAME_COLUMNS) || shortId(id),
      detail: t('remote.row', { state: t(`remote.state-${state}`), time: localTime(changedAt) }),
      value: id,
    })),
  })
}
