import { alteredLog } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { isThere } from '../history/is-there.ts'
import type { OpenSession } from '../session/open-session.ts'
import type { FoundSession } from '../sessions/found-session.ts'
import { servedDirectory } from '../undo/served-trees.ts'
import { type FoundServer, findServer, PATIENT_MS } from './find-server.ts'
import type { ServerLink } from './link.ts'
import { addressAt, findRemote, isAtWork, latestRemote } from './remote-sessions.ts'
import { sessionOver } from './session-over.ts'

/** A session that a server keeps. Closing its log ends the connection. */
export interface ServedSession extends OpenSession {
  /** Where such a one can be read, as others would say it. */
  addressOf(id: string): string
  readonly changedAt: number
}

/** The session of the running server that a person means; without a name, the one of this folder that changed last. */
export async function findServed(invocation: Invocation, name?: string): Promise<ServedSession | undefined> {
  const server = await findServer(invocation, PATIENT_MS)
  return server && openServed(server, invocation, name)
}

/** What lies in no file, by its name: a session that the running server keeps, or, where none runs, one of the history. */
export async function findStored(invocation: Invocation, name: string): Promise<FoundSession | undefined> {
  const server = await findServer(invocation, PATIENT_MS)
  if (server) return openServed(server, invocation, name)
  const { findKept } = await import('../history/find-kept.ts')
  return findKept(invocation, name)
}

async function openServed(
  server: FoundServer,
  invocation: Invocation,
  name: string | undefined,
): Promise<ServedSession | undefined> {
  const { openLink } = await import('./open-link.ts')
  const link = await openLink(server, { invocation })
  const latest = name === undefined ? await latestRemote(link, invocation.repo()) : undefined
  const id = name === undefined ? latest?.id : await findNamed(link, name, invocation)
  if (id === undefined) {
    await link.close()
    return undefined
  }
  const log = alteredLog(link.log, { close: () => link.close() })
  const isHeld = async (wanted: string) => (await link.sessions()).some((one) => one.id === wanted && isAtWork(one))
  return {
    ...sessionOver({ log, blobs: link.blobs }, { id, directory: servedDirectory(invocation.home), isHeld }),
    addressOf: addressAt(link),
    changedAt: latest?.changedAt ?? 0,
  }
}

// A conversation that no agent had is none of its sessions, and is known by its whole id.
async function findNamed(link: ServerLink, name: string, { t }: Invocation): Promise<string | undefined> {
  return (await findRemote(link, name, t)) ?? ((await isThere(link.log, name)) ? name : undefined)
}
