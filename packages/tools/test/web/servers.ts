import { randomInt } from 'node:crypto'
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

// Of the ports that any host may be asked at, those that any user may listen at.
const WEB_PORTS = [8081, 8000, 8008, 8080, 8088, 8443, 8888]

/** A server at a port of the web that nobody else has: other programs of this machine like them, too. */
export async function openWebSite(answer: RequestListener, address = '127.0.0.1'): Promise<Site> {
  for (const port of WEB_PORTS) {
    try {
      return await openSite(answer, { address, port })
    } catch (error) {
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error('every port of the web is taken here')
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

/** A loopback address that no other test uses. */
export function ownLoopback(): string {
  return `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`
}
