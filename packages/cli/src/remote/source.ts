import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { LogError } from '@maru/protocol'
import { newSessionId } from '@maru/store'
import { localSource, type OpenSource, type SessionSource, type SittingSession } from '../agent/session-source.ts'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { findLog } from '../replay/find-log.ts'
import { latestSession, sessionsDirectory } from '../sessions/list-sessions.ts'
import { printable } from '../terminal/printable.ts'
import { noteTrees, servedDirectory } from '../undo/served-trees.ts'
import { type FoundServer, findServer, PATIENT_MS } from './find-server.ts'
import { hasMoved } from './has-moved.ts'
import type { ServerLink } from './link.ts'
import { maskedBlobs, maskedLog } from './masked.ts'
import { openLink } from './open-link.ts'
import { outlive } from './outlive.ts'
import { findRemote, latestRemote } from './remote-sessions.ts'
import { sessionOver } from './session-over.ts'

type Wish = Parameters<SessionSource['open']>[0]

/** How long a server that went away is waited for before the session goes on here. */
const GRACE_MS = 10_000

export interface ServerSourceOptions {
  readonly graceMs?: number
  /** False: a new session begins in a file, and only what the server keeps already is gone on with there. */
  readonly keepsNew?: boolean
}

/**
 * Sessions under the log of a server, as long as there is one; the agent and its hands stay here. What lies in a file
 * stays in its file: it loses nothing that way, and nobody has to be asked.
 */
export function serverSource(
  server: FoundServer,
  { graceMs = GRACE_MS, keepsNew = true }: ServerSourceOptions = {},
): OpenSource {
  return (invocation, mask) => {
    const { t } = invocation
    const files = localSource(invocation, mask)
    let link: ServerLink | undefined
    let isTold = false
    const reach = async (): Promise<ServerLink | undefined> => {
      if (link) return link
      const found = await findServer(invocation, PATIENT_MS)
      if (!found) return undefined
      try {
        link = await openLink(found, { invocation })
        return link
      } catch (error) {
        const reason = error instanceof Error ? printable(error.message) : ''
        await invocation.notice(t('remote.not-under', { url: server.url, reason }))
        return undefined
      }
    }
    const under = async (at: ServerLink, id: string, begun?: SittingSession['begun']): Promise<SittingSession> => {
      const masked = { ...at, log: maskedLog(at.log, mask), blobs: maskedBlobs(at.blobs, mask) }
      const directory = sessionsDirectory(invocation)
      const served = servedDirectory(invocation.home)
      const outliving = await outlive(masked, {
        ...{ id, directory, cwd: invocation.repo(), mask, now: Date.now, graceMs },
        onCut: () => void invocation.notice(t('remote.waiting', { seconds: Math.ceil(graceMs / 1000) })),
        onBack: () => void invocation.notice(t('remote.back')),
        onForked(fork) {
          void invocation.notice(t('remote.forked', { id: fork }))
          if (link === at) link = undefined
          isTold = false
          void at.close()
        },
      }).catch((error: unknown) => {
        if (!(error instanceof LogError && error.code === 'held')) throw error
        throw new CliError('log-held', t('remote.runs-there', { id: printable(id) }), { cause: error })
      })
      if (!isTold) await invocation.notice(t('remote.under', { url: printable(at.url) }))
      isTold = true
      const session = sessionOver(outliving, { id, directory: served, begun })
      return Object.defineProperties(session, {
        // The one it is now: a fork in a file, once the server has gone.
        id: { get: () => outliving.id, enumerable: true },
        directory: { get: () => (outliving.id === id ? served : directory), enumerable: true },
        onTree: { value: noteTrees(invocation.home, id), enumerable: true },
      })
    }
    return {
      async open(wish) {
        const at = await reach()
        const place = at && (await choosePlace(invocation, at, wish))
        if (!at || place === undefined || (place.isNew && !keepsNew)) {
          const opened = await files.open(wish)
          if (at && keepsNew) await invocation.notice(t('remote.stays-file'))
          return opened
        }
        if (!place.isNew) return under(at, place.id)
        const start = { agent: { kind: 'maru' }, door: 'terminal', cwd: invocation.repo() } as const
        return under(at, place.id, await at.log.create(place.id, start))
      },
      async fork(session, seq) {
        const at = link
        if (!at || existsSync(join(session.directory, `${session.id}.jsonl`))) return files.fork(session, seq)
        const { forkSession } = await import('../sessions/fork-session.ts')
        const made = await forkSession(session, { seq, cwd: invocation.repo() })
        return under(at, made.id)
      },
      close: async () => link?.close(),
    }
  }
}

/** Which session of the server is meant; nothing, where it is one in a file. */
async function choosePlace(
  invocation: Invocation,
  link: ServerLink,
  { session, resume, continue: isLatest, mustExist }: Wish,
): Promise<{ id: string; isNew: boolean } | undefined> {
  const { cwd, repo } = invocation
  const fileOf = (id: string) => join(sessionsDirectory(invocation), `${id}.jsonl`)
  const isFile = (id: string) => existsSync(fileOf(id)) && !hasMoved(fileOf(id))
  if (session !== undefined) {
    const isPath = session.includes('/') || session.endsWith('.jsonl')
    const path = isPath ? resolve(cwd, session) : fileOf(session)
    const isLeft = existsSync(path) && hasMoved(path)
    if (!isLeft && (isPath || existsSync(path))) return undefined
    const id = basename(path, '.jsonl')
    const isThere = (await link.sessions()).some((one) => one.id === id)
    return (isPath || mustExist) && !isThere ? undefined : { id, isNew: !isThere }
  }
  if (typeof resume === 'string') {
    // Without a file it is one of the server's, or none.
    const path = await findLog(resume, invocation).catch(() => undefined)
    if (path !== undefined && !hasMoved(path)) return undefined
    const name = path === undefined ? resume : basename(path, '.jsonl')
    const id = await findRemote(link, name, invocation.t)
    return id === undefined ? undefined : { id, isNew: false }
  }
  if (isLatest || resume) {
    const [there, here] = [await latestRemote(link, repo()), await latestSession(invocation)]
    const isThere = there && !isFile(there.id) && there.changedAt > (here && isFile(here.id) ? here.changedAt : 0)
    return isThere ? { id: there.id, isNew: false } : undefined
  }
  return { id: newSessionId(Date.now()), isNew: true }
}
