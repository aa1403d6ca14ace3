import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Problem } from '@maru/protocol'
import { refusal } from './problem.ts'

// Whoever takes longer than this to say what they want holds a connection and nothing else.
const HEADERS_MS = 10_000
const HEADERS_BYTES = 16 * 1024
const IDLE_MS = 65_000
// Whoever is refused on a bare connection has so long to read why.
const GOODBYE_MS = 2_000

export interface ListenOptions {
  host: string
  port: number
  tls?: { key: string; cert: string }
  /** At the same time. */
  connections: number
  onRequest(request: IncomingMessage, response: ServerResponse): void
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

export interface Listening {
  port: number
  /** Takes no more connections, and ends those that wait for nothing. */
  stop(): void
  /** After `stop`: resolves when the last answer is out, or cuts what is left after so long. */
  drained(ms: number): Promise<void>
}

/** Opens the port. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const settings = {
    maxHeaderSize: HEADERS_BYTES,
    headersTimeout: HEADERS_MS,
    // Bodies have bounds of their own: an upload may take as long as it goes on.
    requestTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: 5_000,
    noDelay: true,
  }
  const server: Server = options.tls
    ? createHttpsServer({ ...settings, ...options.tls, minVersion: 'TLSv1.2' }, options.onRequest)
    : createHttpServer(settings, options.onRequest)
  server.maxConnections = options.connections
  server.on('upgrade', options.onUpgrade)
  server.on('clientError', refuseUnread)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  let closed: Promise<void> | undefined
  const stop = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
  }
  return {
    port: (server.address() as AddressInfo).port,
    stop,
    async drained(ms) {
      stop()
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const cut = setTimeout(() => server.closeAllConnections(), ms)
      await closed
      clearInterval(idle)
      clearTimeout(cut)
    },
  }
}

// What is not HTTP never reaches a route: it is answered by hand.
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || (socket as Socket).bytesWritten > 0) {
    socket.destroy()
    return
  }
  const code =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers-too-large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'timeout'
        : 'bad-request'
  refuseSocket(socket, refusal(code).problem)
}

/** Refuses on a bare connection: an upgrade that is not let in, or what cannot be read. */
export function refuseSocket(socket: Duplex, problem: Problem): void {
  const body = JSON.stringify(problem)
  // The other end need not hang up: then it would be there for ever, and the server could not stop.
  setTimeout(() => socket.destroy(), GOODBYE_MS).unref()
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${problem.title.replaceAll(/[^ -~]/g, '')}`,
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...(problem.retryAfter === undefined ? [] : [`retry-after: ${Math.ceil(problem.retryAfter)}`]),
      ...(problem.status === 401 ? ['www-authenticate: Bearer realm="maru"'] : []),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
