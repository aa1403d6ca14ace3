import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { findExit, openTunnel } from '../web/proxy.ts'
import { type Resolve, resolveBySystem } from '../web/route.ts'
import { allowanceOf, allowedAddresses, readAuthority, type Wanted } from './host-rules.ts'

/** A way out for one command, to the hosts that it may reach. */
export interface HostProxy {
  /** The hosts it asked for in vain, with their ports. */
  readonly refused: ReadonlySet<string>
  close(): void
}

export interface HostProxyOptions {
  /** Where it listens, in the file system. */
  readonly socket: string
  readonly hosts: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly resolve?: Resolve
}

const CONNECT_MS = 30_000
const MOST_CONNECTIONS = 256

/** Starts the proxy. It resolves a name once, judges the addresses, and connects to those very ones. */
export async function startHostProxy(options: HostProxyOptions): Promise<HostProxy> {
  const refused = new Set<string>()
  const sockets = new Set<Duplex>()
  const server = createServer({ maxHeaderSize: 64 * 1024 })
  server.maxConnections = MOST_CONNECTIONS
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  const note = (wanted: string) => void (refused.size < 20 && refused.add(wanted))
  server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel(options, { asked, socket, head }, note)
  })
  server.on('request', (asked: IncomingMessage, answer: ServerResponse) => void forward(options, asked, answer, note))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.socket, resolve)
  })
  server.unref()
  return {
    refused,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function tunnel(
  options: HostProxyOptions,
  { asked, socket, head }: { asked: IncomingMessage; socket: Duplex; head: Buffer },
  note: (wanted: string) => void,
): Promise<void> {
  socket.on('error', () => undefined)
  const wanted = readAuthority(asked.url ?? '')
  const outer = await reach(options, wanted, `https://${asked.url}`)
  if (typeof outer === 'string') {
    note(asked.url ?? '')
    socket.end(`HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n${outer}\n`)
    return
  }
  if (outer === undefined) {
    socket.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n')
    return
  }
  outer.on('error', () => socket.destroy())
  socket.once('close', () => outer.destroy())
  outer.once('close', () => socket.destroy())
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  outer.write(head)
  socket.pipe(outer).pipe(socket)
}

async function forward(
  options: HostProxyOptions,
  asked: IncomingMessage,
  answer: ServerResponse,
  note: (wanted: string) => void,
): Promise<void> {
  const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined
  const wanted = url?.protocol === 'http:' && url.username === '' ? readAuthority(url.host, 80) : undefined
  const outer = await reach(options, wanted, asked.url ?? '')
  if (typeof outer === 'string') {
    note(url?.host ?? asked.url ?? '')
    answer.writeHead(403, { 'content-type': 'text/plain' }).end(`${outer}\n`)
    asked.resume()
    return
  }
  if (outer === undefined || url === undefined) {
    answer.writeHead(502).end()
    asked.resume()
    return
  }
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = asked.headers
  const inner = request({
    createConnection: () => outer,
    method: asked.method,
    path: url.pathname + url.search,
    // What was judged is what is asked for: a header of another host would turn it elsewhere behind our back.
    headers: { ...headers, host: url.host, connection: 'close' },
  })
  inner.once('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
    response.on('error', () => answer.destroy())
  })
  inner.on('error', () => answer.destroy())
  answer.once('close', () => outer.destroy())
  asked.pipe(inner)
}

/** A connection; words why it is refused; nothing where nobody answers. */
async function reach(
  { hosts, environment, resolve = resolveBySystem }: HostProxyOptions,
  wanted: Wanted | undefined,
  address: string,
): Promise<Socket | string | undefined> {
  if (!wanted) return 'The sandbox of Maru passes on requests to a host and port only.'
  const allowance = allowanceOf(wanted, hosts)
  const list = hosts.join(', ')
  if (!allowance)
    return `The sandbox of Maru does not let this command reach ${wanted.host}:${wanted.port}; only ${list}.`
  const exit = URL.canParse(address) ? findExit(new URL(address), environment) : { kind: 'direct' as const }
  try {
    if (exit.kind === 'proxy') {
      const authority = isIP(wanted.host) === 6 ? `[${wanted.host}]:${wanted.port}` : `${wanted.host}:${wanted.port}`
      return await openTunnel(exit.proxy, authority, AbortSignal.timeout(CONNECT_MS))
    }
    const found = isIP(wanted.host) !== 0 ? [wanted.host] : await resolve(wanted.host)
    const addresses = allowedAddresses(wanted, allowance, { addresses: found })
    if (addresses.length === 0 && found.length > 0) {
      return `The sandbox of Maru does not let this command reach ${wanted.host}: it leads into this machine or a private network.`
    }
    for (const each of addresses) {
      const socket = await open(each, wanted.port)
      if (socket) return socket
    }
  } catch {
    // No such name, or the user's own proxy does not answer: to the command it is a gateway that fails.
  }
  return undefined
}

function open(host: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS })
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
    const fail = () => {
      socket.destroy()
      resolve(undefined)
    }
    socket.once('timeout', fail)
    socket.once('error', fail)
  })
}
