import { setTimeout as pause } from 'node:timers/promises'
import {
  type Api,
  ApiError,
  connect,
  createApi,
  createRemoteBlobs,
  createRemoteLive,
  createRemoteLog,
} from '@maru/client'
import { isMessageKey } from '@maru/i18n'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { type FoundServer, readServer, serverFile } from './find-server.ts'
import type { ServerLink } from './link.ts'

/** With its process, it is one of this machine: then what its file says holds, whenever it is started anew. */
type Server = Pick<FoundServer, 'url' | 'token' | 'cert'> & Partial<Pick<FoundServer, 'pid'>>

const PATIENCE_MS = 5_000

/** The routes of a server, for whoever only asks. */
export async function openApi({ url, token, cert }: Server): Promise<Api> {
  return createApi({ url, token, ...(await fetchFor(cert)) })
}

/** Connects to a server and waits until it has let us in; says clearly why it did not. */
export async function openLink(
  server: Server,
  {
    invocation,
    patienceMs = PATIENCE_MS,
  }: { invocation: Pick<Invocation, 't' | 'signal' | 'home'>; patienceMs?: number },
): Promise<ServerLink> {
  const { t, signal, home } = invocation
  const { url, token } = server
  const isRenewed = server.pid !== undefined
  const { currentServer } = await import('./current-server.ts')
  const now = () => (isRenewed ? (readServer(serverFile(home)) ?? server) : server)
  const { WebSocket, fetch } = currentServer(now, { isRenewed })
  const http = { url, token, fetch }
  const wire = connect({ url, token, WebSocket, door: 'terminal' })
  const gone = new AbortController()
  await Promise.race([
    new Promise<void>((resolve) => {
      const look = () => {
        if (wire.state === 'open' || wire.state === 'refused') resolve()
      }
      wire.onState(look)
      look()
    }),
    pause(patienceMs, undefined, { signal: AbortSignal.any([gone.signal, signal]) }).catch(() => undefined),
  ])
  gone.abort()
  if (wire.state !== 'open') {
    const isRefused = wire.state === 'refused'
    wire.close()
    if (isRefused) await tellWhy(url, createApi({ ...http, retries: 0 }), invocation)
    throw unreachable(url, invocation)
  }
  const log = createRemoteLog(wire)
  const live = createRemoteLive(wire)
  const api = createApi(http)
  return {
    url,
    log,
    live,
    blobs: createRemoteBlobs(http),
    connection: {
      get isUp() {
        return wire.state === 'open'
      },
      get isRefused() {
        return wire.state === 'refused'
      },
      onChange: (listener) =>
        wire.onState(() => {
          // What we close ourselves is no loss.
          if (wire.state !== 'closed') listener()
        }),
    },
    listen: (id, after, onlooker) => wire.listen(id, after, onlooker),
    async sessions() {
      const sessions = []
      for await (const session of api.sessions.list()) sessions.push(session)
      return sessions
    },
    begin: async (repo) => (await api.sessions.start({ repo }).catch(toCliError(t))).id,
    diff: (id) => api.sessions.diff(id).catch(toCliError(t)),
    async undo(id, runId) {
      const { restored, kept } = await api.sessions.undo(id, { runId }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'held') {
          throw new CliError('busy', t('agent.busy'), { cause: error })
        }
        return toCliError(t)(error)
      })
      // What stood there before and after is not told: it was changed, and is as it was.
      return { restored: restored.map((path) => ({ path, before: '', after: '' })), left: kept }
    },
    async close() {
      live.close()
      await log.close()
      wire.close()
    },
  }
}

/** A refusal of the server in the words of this program. */
export function toCliError(t: Invocation['t']): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ApiError)) throw error
    const message = t('remote.problem', { problem: printable(tellRefusal(error, t)) })
    throw new CliError(`server-${error.code}`, message, { cause: error })
  }
}

// A server speaks English, by codes that stay: others are told what the code means, and its own words behind that.
function tellRefusal({ code, detail, message }: ApiError, t: Invocation['t']): string {
  const key = `refusal.${code}`
  if (t('language.tag') === 'en' || !isMessageKey(key)) return message
  const told = (t as (key: string) => string)(key)
  return detail === undefined ? told : `${told} (${detail})`
}

// A socket does not say why it was not let in; a request does.
async function tellWhy(url: string, api: Api, invocation: Pick<Invocation, 't'>): Promise<never> {
  const problem = await api.me().then(
    () => undefined,
    (error: unknown) => error,
  )
  if (problem instanceof ApiError && problem.status !== 401) toCliError(invocation.t)(problem)
  throw refused(url, invocation)
}

/** The key does not fit. */
export function refused(url: string, { t }: Pick<Invocation, 't'>): CliError {
  return new CliError('unauthorised', t('remote.refused', { url: printable(url) }), { exit: EXIT.usage })
}

export function unreachable(url: string, { t }: Pick<Invocation, 't'>): CliError {
  return new CliError('server-unreachable', t('remote.unreachable', { url: printable(url) }))
}

export async function fetchFor(cert: string | undefined): Promise<{ fetch?: typeof globalThis.fetch }> {
  if (cert === undefined) return {}
  const { pinnedFetch } = await import('./pinned-fetch.ts')
  return { fetch: pinnedFetch(cert) }
}
