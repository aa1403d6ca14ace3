import type { IncomingMessage } from 'node:http'
import { CLOSE, type Door, fits, MAX_FRAME_BYTES, SocketDoor } from '@maru/protocol'
import type { Key } from '@maru/store'
import { WebSocketServer } from 'ws'
import { createThrottle } from '../access/throttle.ts'
import type { LocalAgents } from '../agents/index.ts'
import { refusal } from '../http/problem.ts'
import type { Agents, Inside, Sockets } from '../inside.ts'
import { Connection, type Hall } from './connection.ts'
import { createHeldLeases } from './held-leases.ts'
import { FULL_BYTES } from './outlet.ts'

/** How long is waited for what; only tests need other times. */
export interface Timing {
  /** Between two questions whether a client is still there. */
  heartbeatMs: number
  /** A client that takes nothing for so long is sent away. */
  slowMs: number
  /** A lease outlives its socket for so long. */
  graceMs: number
  /** A client that was told goodbye has so long to answer. */
  goodbyeMs: number
  full: number
}

const TIMING: Timing = { heartbeatMs: 20_000, slowMs: 30_000, graceMs: 15_000, goodbyeMs: 3_000, full: FULL_BYTES }

/** The socket door: who comes in here follows sessions, watches all of them, says things and may run one elsewhere. */
export function createSockets(
  inside: Inside,
  agents: Agents & Partial<Pick<LocalAgents, 'setElsewhere'>>,
  timing: Partial<Timing> = {},
): Sockets {
  const { heartbeatMs, slowMs, graceMs, goodbyeMs, full } = { ...TIMING, ...timing }
  const { now, access } = inside.options
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  })
  const connections = new Set<Connection>()
  const each = new Map<string, number>()
  const hall: Hall = {
    inside,
    agents,
    throttle: createThrottle(access, inside.limits),
    channels: new Map(),
    full,
    leases: createHeldLeases<Connection>({
      now,
      graceMs,
      onReleased: ({ owner, id, budget }) => {
        // Its runner will not settle it any more.
        for (const done of budget.open()) inside.liveOf(owner).settle(id, done)
      },
    }),
  }
  agents.setElsewhere?.(hall.leases)
  inside.gauge('sockets', 0)
  let isClosing = false
  let askedAt = now()
  const beat = setInterval(sweep, Math.min(heartbeatMs, slowMs, graceMs, goodbyeMs) / 2)
  beat.unref()

  const forgetKeys = inside.onKeyEnd((keyId) => {
    for (const connection of connections) {
      if (connection.key.id === keyId) connection.close(CLOSE.unauthorised, 'revoked')
    }
  })

  // One timer for all of them.
  function sweep(): void {
    const time = now()
    const isTimeToAsk = time - askedAt >= heartbeatMs
    if (isTimeToAsk) askedAt = time
    for (const connection of connections) {
      const { closingSince, outlet } = connection
      if (closingSince !== undefined) {
        if (time - closingSince >= goodbyeMs) connection.terminate()
      } else if (!connection.checkKey()) continue
      else if (outlet.blockedSince !== undefined && time - outlet.blockedSince >= slowMs) {
        inside.count('sockets_too_slow')
        connection.close(CLOSE.tooSlow, 'too-slow')
      } else if (isTimeToAsk && !connection.ping()) connection.terminate()
    }
    hall.leases.sweep()
  }

  function isFullFor(owner: string): boolean {
    const { sockets, socketsEach } = inside.limits
    return connections.size >= sockets || (each.get(owner) ?? 0) >= socketsEach
  }

  function leave(connection: Connection): void {
    if (!connections.delete(connection)) return
    const owner = connection.key.person.id
    const left = (each.get(owner) ?? 1) - 1
    if (left > 0) each.set(owner, left)
    else each.delete(owner)
    inside.gauge('sockets', connections.size)
    connection.onClosed()
  }

  return {
    get size() {
      return connections.size
    },
    accept(request, socket, head, key) {
      const door = doorOf(request, key)
      server.handleUpgrade(request, socket, head, (client) => {
        client.on('error', () => client.terminate())
        if (isClosing || isFullFor(key.person.id)) {
          const reason = isClosing ? 'shutdown' : 'too-many'
          client.send(JSON.stringify({ type: 'bye', reason }))
          client.close(isClosing ? CLOSE.bye : CLOSE.tooMany)
          setTimeout(() => client.terminate(), goodbyeMs).unref()
          return
        }
        const connection = new Connection(client, hall, { key, door })
        connections.add(connection)
        each.set(key.person.id, (each.get(key.person.id) ?? 0) + 1)
        inside.gauge('sockets', connections.size)
        client.on('message', (data, isBinary) => {
          inside.count('socket_frames')
          if (isBinary) connection.refuse(refusal('bad-request', 'frames are text').problem)
          else connection.receive((data as Buffer).toString('utf8'))
        })
        client.on('pong', () => {
          connection.isAlive = true
        })
        client.on('close', () => leave(connection))
      })
    },
    async close() {
      isClosing = true
      forgetKeys()
      for (const connection of connections) connection.close(CLOSE.bye, 'shutdown')
      const deadline = Date.now() + goodbyeMs
      while (connections.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
      for (const connection of connections) connection.terminate()
      clearInterval(beat)
      await hall.leases.close()
      server.close()
    },
  }
}

// A cookie is a browser's. What a program says of itself is believed: it is only shown.
function doorOf({ headers, url }: IncomingMessage, key: Key): Door {
  if (key.kind === 'cookie') return 'web'
  const said = headers['x-maru-door'] ?? new URLSearchParams(url?.split('?')[1] ?? '').get('door')
  return fits(SocketDoor, said) ? said : 'api'
}
