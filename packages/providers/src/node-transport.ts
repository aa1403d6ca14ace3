import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { type Environment, findProxy, proxyHeaders } from './proxy.ts'
import { realTimers, type Timers } from './timers.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

/** What the transport of this process may be told; all of it has a default. */
export interface NodeTransportOptions {
  /** `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`. */
  env?: Environment
  /** How long a connection may take to stand. */
  connectMs?: number
  timers?: Timers
}

const DEFAULT_CONNECT_MS = 15_000

/** A transport over node:http and node:https that keeps its connections. Modules are loaded when first needed. */
export function createNodeTransport(options: NodeTransportOptions = {}): Transport {
  const { env = process.env, connectMs = DEFAULT_CONNECT_MS, timers = realTimers } = options
  const agents = new Map<string, Promise<Agent>>()

  function agentFor(url: URL, proxy: URL | undefined): Promise<Agent> {
    const key = `${url.protocol} ${proxy?.href ?? ''}`
    const agent = agents.get(key) ?? createAgent(url, proxy)
    agents.set(key, agent)
    return agent
  }

  return async (request, signal) => {
    const url = new URL(request.url)
    const proxy = findProxy(url, env)
    const agent = await agentFor(url, proxy)
    const module = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
    signal.throwIfAborted()
    const target = optionsOf(request, { url, proxy, agent })
    const begin = () => module.request(target)
    return send({ begin, body: request.body, connectMs, timers, signal })
  }
}

async function createAgent(url: URL, proxy: URL | undefined): Promise<Agent> {
  if (url.protocol === 'http:') return new (await import('node:http')).Agent({ keepAlive: true })
  if (proxy === undefined) return new (await import('node:https')).Agent({ keepAlive: true })
  return (await import('./tunnel.ts')).createTunnelAgent(proxy)
}

type Way = { url: URL; proxy: URL | undefined; agent: Agent }

function optionsOf({ headers }: TransportRequest, { url, proxy, agent }: Way): RequestOptions {
  const common = { method: 'POST', agent }
  if (proxy !== undefined && url.protocol === 'http:') {
    // A proxy takes the whole address where a server takes the path.
    const { hostname, port } = proxy
    return {
      ...common,
      hostname,
      port,
      path: url.href,
      headers: { ...headers, host: url.host, ...proxyHeaders(proxy) },
    }
  }
  const { hostname, port, pathname, search } = url
  return {
    ...common,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: pathname + search,
    headers: { ...headers },
  }
}

interface Sending {
  begin(): ClientRequest
  body: string
  connectMs: number
  timers: Timers
  signal: AbortSignal
}

function send(sending: Sending): Promise<TransportResponse> {
  const { begin, body, connectMs, timers, signal } = sending
  return new Promise((resolve, reject) => {
    const request = begin()
    const cancel = watchConnect(request, connectMs, timers)
    let answer: IncomingMessage | undefined
    const onAbort = () => {
      // A whole answer has given its connection back: it may serve somebody else already.
      if (answer === undefined) request.destroy(new Error('aborted'))
      else if (!answer.complete) answer.destroy(new Error('aborted'))
      reject(new Error('aborted'))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    request.once('close', () => signal.removeEventListener('abort', onAbort))
    request.once('response', (response) => {
      cancel()
      answer = response
      // Whoever reads the body is told; when nobody does, there is nobody to tell.
      response.on('error', () => undefined)
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: bodyOf(response, timers) })
    })
    // It may come after the response too, when the connection is destroyed: then the body tells.
    request.on('error', (error: NodeJS.ErrnoException) => {
      cancel()
      // The server closed an idle connection just as we took it again: nothing has been read, so a new one is tried.
      const isBroken = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      const isStale = request.reusedSocket && answer === undefined && isBroken
      if (isStale && !signal.aborted) resolve(send(sending))
      else reject(error)
    })
    request.end(body)
  })
}

/** Destroys a request whose connection does not come to stand in time. */
function watchConnect(request: ClientRequest, ms: number, timers: Timers): () => void {
  const cancel = timers.after(ms, () => {
    request.destroy(Object.assign(new Error(`no connection after ${ms} ms`), { code: 'ETIMEDOUT' }))
  })
  request.once('socket', (socket) => {
    // Also true of a secure one whose handshake is still to come.
    if (!socket.connecting) cancel()
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', cancel)
  })
  return cancel
}

function headersOf(response: IncomingMessage): { [name: string]: string } {
  const headers: { [name: string]: string } = {}
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}

// How long the rest of a body may take after its reader has left, before its connection is given up.
const DRAIN_MS = 1_000

// Beyond this the vendor has to wait for us.
const WAITING_BYTES = 1024 * 1024

/** What has come since it was last asked for, in one piece: vendors send each event by itself. */
async function* bodyOf(response: IncomingMessage, timers: Timers): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let end: { error?: Error } | undefined
  let wake = () => {}
  const finish = (error?: Error) => {
    end ??= error ? { error } : {}
    wake()
  }
  response.on('data', (chunk: Buffer) => {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes > WAITING_BYTES) response.pause()
    wake()
  })
  response.once('end', () => finish())
  response.once('error', finish)
  response.once('close', () => finish(response.readableEnded ? undefined : new Error('the connection was closed')))
  try {
    for (;;) {
      if (waiting.length > 0) {
        const piece = Buffer.concat(waiting)
        waiting = []
        bytes = 0
        response.resume()
        yield piece
      } else if (end) {
        if (end.error) throw end.error
        return
      } else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    if (!response.destroyed && !response.readableEnded) drain(response, timers)
  }
}

/** Reads what is left into nothing, so that the connection can be used again. */
function drain(response: IncomingMessage, timers: Timers): void {
  const cancel = timers.after(DRAIN_MS, () => response.destroy())
  response.once('close', cancel)
  response.resume()
}
