import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { LiveBus } from '@maru/protocol'
import { createLiveBus, type History, type Key, type OwnHistory, openHistory, type Scope } from '@maru/store'
import { testPostgres } from '@maru/testkit'
import type { Agents, Inside, Sockets } from '../../src/inside.ts'
import type { Limits, ServerOptions, Workshop } from '../../src/ports.ts'
import { createSockets, type Timing } from '../../src/socket/index.ts'

let shared: Promise<History> | undefined

/** One embedded history for all tests of a worker: opening it takes a second. Every test has people of its own. */
export function useHistory(): Promise<History> {
  shared ??= testPostgres().then(({ directory }) =>
    openHistory({
      home: join(directory, `pglite-server-${process.hrtime.bigint()}`),
      now: Date.now,
      isDurable: false,
    }),
  )
  return shared
}

const LIMITS: Limits = {
  body: 1_000_000,
  upload: 1_000_000,
  sockets: 1_000,
  socketsEach: 1_000,
  agents: 2,
  messagesPerMinute: 10_000,
  attemptsPerMinute: 10,
}

export interface WorldOptions {
  limits?: Partial<Limits>
  timing?: Partial<Timing>
  workshop?: Workshop
  roots?: string[]
  /** What the server takes for the time; it stands still where a test says so. */
  now?(): number
  createAgents?(inside: Inside): Agents
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** The parts of a server around the socket door, on a loopback port. */
export async function openWorld({
  limits,
  timing,
  workshop,
  roots = [],
  now = Date.now,
  createAgents,
}: WorldOptions = {}) {
  const history = await useHistory()
  const owns = new Map<string, Promise<OwnHistory>>()
  const lives = new Map<string, LiveBus>()
  const listeners = new Set<(keyId: string) => void>()
  const logged: Parameters<ServerOptions['onLog']>[0][] = []
  const inside: Inside = {
    options: {
      history,
      access: history.access,
      workshop: workshop ?? ({} as Workshop),
      owner: { id: '1', name: 'owner' },
      version: '0.0.0',
      host: '127.0.0.1',
      port: 0,
      roots,
      allowedOrigins: [],
      onLog: (entry) => logged.push(entry),
      now,
    },
    limits: { ...LIMITS, ...limits },
    liveOf(owner) {
      const live = lives.get(owner) ?? createLiveBus()
      lives.set(owner, live)
      return live
    },
    ownOf(owner) {
      const own = owns.get(owner) ?? history.openOwner(owner)
      owns.set(owner, own)
      return own
    },
    onKeyEnd(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    endKey: (keyId) => {
      for (const listener of listeners) listener(keyId)
    },
    count: () => undefined,
    gauge: () => undefined,
  }
  const admitted: string[] = []
  const quiet: Agents = {
    start: () => Promise.reject(new Error('no agents here')),
    list: async () => ({ items: [] }),
    isAtWork: () => false,
    wake: () => undefined,
    onAdmitted: (_owner, id) => admitted.push(id),
    close: async () => undefined,
  }
  const agents = createAgents?.(inside) ?? quiet
  const sockets: Sockets = createSockets(inside, agents, timing)
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    const secret = request.headers.authorization?.replace('Bearer ', '') ?? ''
    void history.access.findKey(hashOf(secret)).then((key) => {
      if (key) sockets.accept(request, socket, head, key)
      else socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    inside,
    agents,
    sockets,
    admitted,
    logged,
    history,
    url: `ws://127.0.0.1:${port}/ws`,
    /** Somebody with a key. */
    async person(scopes: Scope[] = ['read', 'write', 'run'], name = `person ${randomBytes(8).toString('hex')}`) {
      const person = (await history.access.findPerson(name)) ?? (await history.access.addPerson(name))
      const secret = randomBytes(16).toString('hex')
      const key: Key = await history.access.addKey({
        kind: 'token',
        owner: person.id,
        hash: hashOf(secret),
        label: 'test',
        scopes,
      })
      return { key, secret, own: await inside.ownOf(person.id), live: inside.liveOf(person.id) }
    },
    async close() {
      await sockets.close()
      await agents.close()
      await Promise.all([...owns.values()].map(async (own) => (await own).log.close()))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
