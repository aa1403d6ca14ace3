import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import type { Json, Tool, ToolResult } from '@maru/protocol'
import { contextOf } from '../bench-of-tools.ts'

/** A server on this machine that remembers who came. */
export interface Site {
  readonly port: number
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
  connections(): number
  [Symbol.asyncDispose](): Promise<void>
}

export async function openSite(answer: RequestListener, { address = '127.0.0.1', port = 0 } = {}): Promise<Site> {
  const requests: Site['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers })
    answer(request, response)
  })
  return listen(server, { address, port, requests })
}

/** A server that says whatever bytes it is told to, whether HTTP allows them or not. */
export async function openRawSite(talk: (socket: Socket) => void): Promise<Site> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    talk(socket)
  })
  return listen(server, { address: '127.0.0.1', port: 0, requests: [] })
}

async function listen(
  server: Server | ReturnType<typeof createTcpServer>,
  { address, port, requests }: { address: string; port: number; requests: Site['requests'] },
): Promise<Site> {
  let count = 0
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    count++
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  const own = (server.address() as AddressInfo).port
  return {
    port: own,
    url: `http://${address}:${own}`,
    requests,
    connections: () => count,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Calls a tool as the engine does, without asking anyone. */
export async function call(tool: Tool, args: Json, signal?: AbortSignal): Promise<ToolResult> {
  const context = contextOf(signal ? { signal } : {})
  return (await tool.prepare(args, context)).run(context)
}

/** A port of the web that nobody uses here: only at such a port is a host fetched that the user has not named. */
export async function freeWebPort(): Promise<number> {
  for (const port of [8081, 8088, 8008, 8888, 8000, 8080, 8443]) {
    try {
      await using site = await openSite(() => undefined, { address: '0.0.0.0', port })
      return site.port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
  throw new Error('every port of the web is in use on this machine')
}
