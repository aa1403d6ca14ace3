import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createLiveBus } from '@maru/store'
import { createGate, type Gate } from './access/gate.ts'
import { hasScope, identify } from './access/identify.ts'
import { createInvitations } from './access/invite.ts'
import { createThrottle } from './access/throttle.ts'
import { createAgents } from './agents/index.ts'
import { createHandler, SIGN_IN } from './http/handle.ts'
import { listen, refuseSocket } from './http/listen.ts'
import { problemOf, refusal } from './http/problem.ts'
import { readTarget } from './http/read-request.ts'
import { createRouter } from './http/route.ts'
import type { Inside, Sockets } from './inside.ts'
import { createKeyKeeper, type KeyKeeper } from './keep/keep-keys.ts'
import { createOwnKeeper } from './keep/keep-own.ts'
import { createMetrics } from './keep/metrics.ts'
import { startJobs } from './keep/run-jobs.ts'
import type { Limits, RunningServer, ServerOptions } from './ports.ts'
import { allRoutes } from './routes/index.ts'
import { createSockets } from './socket/index.ts'

const LIMITS: Limits = {
  // The longest message, each of its letters escaped.
  body: 4 * 1024 * 1024,
  upload: 2 * 1024 * 1024 * 1024,
  sockets: 5_000,
  socketsEach: 1_000,
  agents: 8,
  messagesPerMinute: 30,
  attemptsPerMinute: 10,
}

/** How long answers that are under way may take when the server stops. */
const GOODBYE_MS = 5_000

/** Serves a history and the agents that work on it, until it is closed. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits = { ...LIMITS, ...options.limits }
  const metrics = createMetrics()
  const keys = createKeyKeeper(options.access, options.now)
  const parts = createOwnKeeper((owner) => options.history.openOwner(owner), options.now)
  const inside: Inside = {
    ...{ options, limits, ownOf: parts.ownOf, onKeyEnd: keys.onKeyEnd, endKey: keys.endKey },
    liveOf: createLiveBuses(),
    count: metrics.count,
    gauge: metrics.gauge,
  }
  const gate = createGate({
    host: options.host,
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins,
    isBehindProxy: options.isBehindProxy ?? false,
  })
  const closing = new AbortController()
  const agents = createAgents(inside)
  const sockets = createSockets(inside, agents)
  const jobs = startJobs(options, parts.ownOf)
  const routes = allRoutes({
    ...{ inside, agents, keys, metrics, ownOf: parts.ownOf },
    throttle: createThrottle(options.access, limits),
    onJob: jobs.look,
  })
  const stopParts = async () => {
    await Promise.allSettled([agents.close(), jobs.close(), keys.close()])
    await parts.close()
  }
  const listening = await listen({
    ...{ host: options.host, port: options.port, ...(options.tls && { tls: options.tls }) },
    connections: limits.sockets + 1_000,
    onRequest: createHandler({ inside, gate, router: createRouter(routes), keys, metrics, closing: closing.signal }),
    onUpgrade: createUpgrade({ inside, gate, keys, sockets }),
  }).catch(async (error: unknown) => {
    await sockets.close()
    await stopParts()
    throw error
  })
  jobs.look()
  const { url, makeLink, makePairing } = createInvitations(options, listening.port)
  let closed: Promise<void> | undefined
  const close = async () => {
    listening.stop()
    closing.abort()
    await sockets.close()
    await listening.drained(GOODBYE_MS)
    await stopParts()
  }
  return {
    ...{ url, makeLink, makePairing },
    close() {
      closed ??= close()
      return closed
    },
  }
}

function createLiveBuses(): Inside['liveOf'] {
  const buses = new Map<string, ReturnType<typeof createLiveBus>>()
  return (owner) => {
    const bus = buses.get(owner) ?? createLiveBus()
    buses.set(owner, bus)
    return bus
  }
}

interface UpgradeDeps {
  inside: Inside
  gate: Gate
  keys: KeyKeeper
  sockets: Sockets
}

// An upgrade is let in by the same rules as a request.
function createUpgrade({ inside, gate, keys, sockets }: UpgradeDeps) {
  const { access } = inside.options
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy())
    const refuse = (error: unknown) => {
      const problem = problemOf(error)
      inside.count('upgrades_refused', 1, { code: problem.code })
      refuseSocket(socket, problem)
    }
    const letIn = async () => {
      const visitor = gate.receive(request)
      if (readTarget(request.url ?? '').segments.join('/') !== 'ws') throw refusal('not-found')
      const identity = await identify(access, request.headers, visitor)
      if (!identity) throw refusal('unauthorised', SIGN_IN)
      if (!hasScope(identity.key, 'read')) throw refusal('forbidden', 'it needs the scope "read"')
      if (socket.destroyed) return
      socket.once('close', keys.hold(identity.key))
      sockets.accept(request, socket, head, identity.key)
    }
    letIn().catch(refuse)
  }
}
