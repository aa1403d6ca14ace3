import type { Translator } from '@maru/i18n'
import type { api } from '@maru/protocol'
import { usageError } from '../cli-error.ts'
import { firstWords } from '../sessions/first-words.ts'
import { printable } from '../terminal/printable.ts'
import type { ServerLink } from './link.ts'

/** The session of a server that a person means by its id or the beginning of one; nothing if there is none. */
export async function findRemote(link: ServerLink, name: string, t: Translator): Promise<string | undefined> {
  const ids = (await link.sessions()).map(({ id }) => id).filter((id) => id.startsWith(name))
  const exact = ids.find((id) => id === name) ?? (ids.length === 1 ? ids[0] : undefined)
  if (exact !== undefined || ids.length === 0) return exact
  const example = printable(ids[0] ?? '')
  throw usageError(t('remote.many-sessions', { id: printable(name), count: ids.length, example }))
}

// Beyond these, only titles are shown: the others would have to be read one by one.
const NAMED = 30

/** Sessions of a server for a person to choose from: those at work first, then the newest, each with a name. */
export async function nameSessions(link: ServerLink): Promise<(api.Session & { name: string })[]> {
  const rows = (await link.sessions()).toSorted(
    (one, other) => Number(other.state !== 'idle') - Number(one.state !== 'idle') || other.changedAt - one.changedAt,
  )
  return Promise.all(
    rows.map(async (row, at) => {
      const known =
        row.title ?? (at < NAMED ? await firstWords(link.log.read(row.id)).catch(() => undefined) : undefined)
      return { ...row, name: known ?? '' }
    }),
  )
}

/** The session of a folder that changed last. */
export async function latestRemote(link: ServerLink, repo: string): Promise<api.Session | undefined> {
  const [latest] = (await link.sessions())
    .filter((session) => session.repo === repo)
    .toSorted((one, other) => other.changedAt - one.changedAt)
  return latest
}

/** Whether somebody is at it: so is who waits for an answer in the middle of a run. */
export function isAtWork({ state }: Pick<api.Session, 'state'>): boolean {
  return state !== 'idle'
}

/** Where a session of a server can be read, as others would say it. */
export function addressAt({ url }: Pick<ServerLink, 'url'>): (id: string) => string {
  return (id) => `${url}/api/v1/conversations/${encodeURIComponent(id)}`
}
