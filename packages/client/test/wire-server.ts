import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Actor,
  type BlobStore,
  type Change,
  type ClientFrame,
  type Lease,
  type LiveBus,
  type LogCall,
  LogError,
  type Problem,
  type Recorded,
  readCommand,
  type ServerFrame,
  type SessionInfo,
  type SessionLog,
} from '@maru/protocol'
import { onSamePort } from '@maru/testkit'
import { type WebSocket, WebSocketServer } from 'ws'

/** What one token opens. */
export interface Room {
  log: SessionLog
  blobs: BlobStore
  live: LiveBus
}

export interface WireServer {
  readonly url: string
  /** Without a goodbye, as a kill would; what it held is let go of by itself. */
  kill(): Promise<void>
  close(): Promise<void>
}

export interface WireServerOptions {
  /** By token. */
  rooms: ReadonlyMap<string, Room>
  port?: number
  graceMs?: number
  /** May refuse a request before it is looked at. */
  refuse?(frame: ClientFrame): Problem | undefined
  /** Facts of one frame of a follow or page of a read. */
  page?: number
}

/** The frames of `/ws` and the routes of blobs over any log: the smallest server that clients can be tried against. */
export async function startWireServer(options: WireServerOptions): Promise<WireServer> {
  const { rooms, port = 0, graceMs = 100 } = options
  const held = new Map<string, { lease: Lease; by: WebSocket | undefined }>()
  const http = createServer((request, response) => {
    void serveBlobs(rooms.get(tokenOf(request)), request, response)
  })
  const sockets = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, socket, head) => {
    const token = tokenOf(request)
    const room = rooms.get(token)
    if (!room || request.url !== '/ws') {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (ws) => serveSocket(ws, { ...options, room, token, held, graceMs }))
  })
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      http.once('error', reject).listen(port, '127.0.0.1', () => resolve(void http.off('error', reject)))
    })
  await onSamePort(listen)
  const end = async () => {
    for (const ws of sockets.clients) ws.terminate()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
  const letGo = () => Promise.allSettled([...held.values()].map(({ lease }) => lease.release()))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async kill() {
      await end()
      setTimeout(() => void letGo(), graceMs)
    },
    async close() {
      await end()
      await letGo()
    },
  }
}

interface Serving extends WireServerOptions {
  room: Room
  token: string
  held: Map<string, { lease: Lease; by: WebSocket | undefined }>
  graceMs: number
}

function serveSocket(ws: WebSocket, { room, token, held, graceMs, refuse, page = 100 }: Serving): void {
  const { log, live } = room
  const follows = new Map<string, AbortController>()
  let watching: AbortController | undefined
  let by: Actor = { kind: 'person', id: token, door: 'api' }
  const send = (frame: ServerFrame) => ws.send(JSON.stringify(frame))
  const nameOf = (id: string) => `${token} ${id}`

  const find = (id: string, epoch: number) => {
    const one = held.get(nameOf(id))
    if (!one || one.lease.epoch !== epoch) throw new LogError('conflict', `lease ${epoch} is over`)
    one.by = ws
    return one.lease
  }
  const call = async (wanted: LogCall) => {
    switch (wanted.op) {
      case 'create':
        return log.create(wanted.id, wanted.start)
      case 'lease': {
        const lease = await log.lease(wanted.id)
        held.set(nameOf(wanted.id), { lease, by: ws })
        if (ws.readyState !== ws.OPEN) leave()
        return { epoch: lease.epoch, last: lease.last }
      }
      case 'renew':
        await find(wanted.id, wanted.epoch).renew()
        return null
      case 'release': {
        const one = held.get(nameOf(wanted.id))
        if (one?.lease.epoch !== wanted.epoch) return null
        held.delete(nameOf(wanted.id))
        await one.lease.release()
        return null
      }
      case 'append':
        find(wanted.id, wanted.holder.epoch)
        return log.append(wanted.id, wanted.holder, wanted.facts)
      case 'read':
        return first(log.read(wanted.id, wanted.after), page)
      case 'list': {
        const all: SessionInfo[] = []
        for await (const info of log.list()) all.push(info)
        return all.slice(all.findIndex(({ id }) => id === wanted.after) + 1).slice(0, 2)
      }
      case 'erase':
        await log.erase(wanted.id, wanted.seq)
        return null
      default:
        return wanted satisfies never
    }
  }
  // As on a real server: what is stored, then what is open, then what comes.
  const follow = async (id: string, after: number) => {
    follows.get(id)?.abort()
    const stop = new AbortController()
    follows.set(id, stop)
    let last = after
    try {
      for await (const record of log.read(id, after)) {
        if (stop.signal.aborted) return
        send({ type: 'facts', id, facts: [record] })
        last = record.seq
      }
      if (stop.signal.aborted) return
      const heard = live.subscribe(id, (event) => send({ type: 'live', id, live: event }))
      stop.signal.addEventListener('abort', () => heard.close(), { once: true })
      send({ type: 'open', id, after: last, open: heard.open })
      for await (const record of log.follow(id, last, stop.signal)) {
        if (!stop.signal.aborted) send({ type: 'facts', id, facts: [record] })
      }
      if (!stop.signal.aborted) send({ type: 'gone', id })
    } catch (error) {
      if (!stop.signal.aborted) send({ type: 'gone', id, problem: problemOf(error) })
    }
  }
  const watch = async (changes: AsyncIterable<Change>) => {
    for await (const change of changes) send({ type: 'change', change })
  }
  const answer = async (request: string, work: () => Promise<ServerFrame>) => {
    try {
      send(await work())
    } catch (error) {
      send({ type: 'refused', request, problem: problemOf(error) })
    }
  }
  const handle = (frame: ClientFrame): void => {
    const refused = refuse?.(frame)
    if (refused && 'request' in frame) {
      send({ type: 'refused', request: frame.request, problem: refused })
      return
    }
    switch (frame.type) {
      case 'door':
        by = { ...by, door: frame.door }
        return
      case 'follow':
        void follow(frame.id, frame.after)
        return
      case 'unfollow':
        follows.get(frame.id)?.abort()
        return
      case 'watch':
        watching?.abort()
        watching = new AbortController()
        void watch(log.watch(frame.cursor, watching.signal))
        return
      case 'unwatch':
        watching?.abort()
        return
      case 'admit':
        void answer(frame.request, async () => {
          const read = readCommand(frame, by)
          if ('problem' in read) throw new LogError('rejected', read.problem)
          return { type: 'admitted', request: frame.request, record: await log.admit(read.session, read.fact) }
        })
        return
      case 'call':
        void answer(frame.request, async () => ({
          type: 'result',
          request: frame.request,
          value: await call(frame.call),
        }))
        return
      case 'publish':
        if (held.get(nameOf(frame.id))?.by === ws) live.publish(frame.id, frame.live)
        else send({ type: 'refused', problem: { code: 'not-held', status: 409, title: 'Not yours to tell' } })
        return
      case 'settle':
        if (frame.turnId !== undefined) live.settle(frame.id, { turnId: frame.turnId })
        if (frame.callId !== undefined) live.settle(frame.id, { callId: frame.callId })
        return
      case 'ping':
        send({ type: 'pong' })
        return
      default:
        frame satisfies never
    }
  }
  const leave = () => {
    for (const stop of follows.values()) stop.abort()
    watching?.abort()
    for (const [name, one] of held) {
      if (one.by !== ws) continue
      one.by = undefined
      setTimeout(() => {
        if (one.by || held.get(name) !== one) return
        held.delete(name)
        void one.lease.release()
      }, graceMs)
    }
  }
  ws.on('error', () => undefined)
  ws.on('close', leave)
  ws.on('message', (data: Buffer) => handle(JSON.parse(data.toString()) as ClientFrame))
  send({ type: 'hello', version: '0', user: { id: token, name: token }, now: 0 })
}

async function first(facts: AsyncIterable<Recorded>, count: number): Promise<Recorded[]> {
  const page: Recorded[] = []
  for await (const fact of facts) if (page.push(fact) === count) break
  return page
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof LogError)) throw error
  return { code: error.code, status: error.code === 'closed' ? 503 : 409, title: error.code, detail: error.message }
}

function tokenOf({ headers }: IncomingMessage): string {
  return headers.authorization?.replace('Bearer ', '') ?? ''
}

async function serveBlobs(room: Room | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://127.0.0.1')
  const holder = url.searchParams.get('holder') ?? ''
  const hash = /^\/api\/v1\/blobs\/(\w+)$/.exec(url.pathname)?.[1]
  if (!room) return void response.writeHead(401).end()
  if (request.method === 'POST' && url.pathname === '/api/v1/blobs') {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end(JSON.stringify(await room.blobs.put(holder, Buffer.concat(chunks))))
    return
  }
  const content = hash === undefined ? undefined : await room.blobs.get(holder, hash)
  if (!content) return void response.writeHead(404).end()
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (from === undefined) return void response.end(content)
  if (Number(from) >= content.length) return void response.writeHead(416).end()
  response.writeHead(206).end(content.subarray(Number(from), Number(to) + 1))
}
