import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { openTunnel, proxyHeaders } from './proxy.ts'
import type { Route } from './route.ts'

/** More of a body than this is not read. */
export const MAX_BODY = 2 * 1024 * 1024

/** One answer. `ending`: the body came whole, was longer than we read, or stopped before its end. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Uint8Array
  readonly ending: 'whole' | 'limit' | 'broken'
}

export interface Get {
  readonly url: URL
  readonly route: Route
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Whether the body of such an answer is worth reading. */
  wantsBody(status: number, headers: IncomingHttpHeaders): boolean
}

/**
 * One GET over a connection of its own, without cookies, and to no other address than the route says. Rejects if there
 * is no answer; a body that stops half-way is an answer.
 */
export async function httpGet(get: Get): Promise<Answer> {
  const { signal } = get
  signal.throwIfAborted()
  const request = await begin(get)
  return new Promise((resolve, reject) => {
    let answering: IncomingMessage | undefined
    const onAbort = () => (answering ?? request).destroy(new Error('aborted'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    // Once there is an answer, its body tells how it ended.
    const fail = (error: Error) => {
      if (answering === undefined) reject(error)
    }
    request.on('error', fail)
    request.once('close', () => {
      signal.removeEventListener('abort', onAbort)
      fail(new Error('the connection was closed without an answer'))
    })
    request.once('response', (response) => {
      answering = response
      const { statusCode: status = 0, headers } = response
      const body = get.wantsBody(status, headers) ? collect(response) : skip(response)
      body.then((read) => resolve({ status, headers, ...read }), reject)
    })
    request.end()
  })
}

async function begin({ url, route, headers, signal }: Get): Promise<ClientRequest> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isSecure = url.protocol === 'https:'
  const common = { method: 'GET', path: url.pathname + url.search, headers: { ...headers, host: url.host } }
  // Said outright, so that no variable of the environment can switch it off.
  const secure = { rejectUnauthorized: true, ...(isIP(host) === 0 && { servername: host }) }
  if (route.kind === 'direct') {
    const direct = { ...common, host, port: url.port, agent: false, lookup: answerWith(route.addresses) }
    return isSecure ? requestHttps({ ...direct, ...secure }) : requestHttp(direct)
  }
  const { proxy } = route
  if (isSecure) {
    const socket = await openTunnel(proxy, `${url.hostname}:${url.port || 443}`, signal)
    return requestHttps({ ...common, host, createConnection: () => connectTls({ socket, ...secure }) })
  }
  // A proxy takes the whole address where a server takes the path.
  return requestHttp({
    ...common,
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port,
    path: url.href,
    headers: { ...common.headers, ...proxyHeaders(proxy) },
    agent: false,
  })
}

/** Stands in for the resolver of the system: the name has been resolved and judged already. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (host, { all: wantsAll }, done) => {
    const [first] = all
    if (first === undefined) done(new Error(`no address for ${host}`), '')
    else if (wantsAll) done(null, all)
    else done(null, first.address, first.family)
  }
}

type Body = Pick<Answer, 'bytes' | 'ending'>

async function skip(response: IncomingMessage): Promise<Body> {
  response.on('error', () => undefined)
  response.destroy()
  return { bytes: new Uint8Array(), ending: 'limit' }
}

function collect(response: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const stream = unpacked(response)
    const finish = (ending: Answer['ending']) => {
      resolve({ bytes: Buffer.concat(chunks), ending })
      response.destroy()
      stream.destroy()
    }
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, MAX_BODY - size))
      size += chunk.length
      // What is unpacked is counted, so that a small bomb stays small.
      if (size > MAX_BODY) finish('limit')
    })
    stream.once('end', () => finish('whole'))
    for (const one of new Set<Readable>([response, stream])) {
      one.on('error', () => finish('broken'))
      one.once('close', () => {
        if (!one.readableEnded) finish('broken')
      })
    }
  })
}

/** Whether a body is packed in a way that we cannot undo. We ask for none, but not every server listens. */
export function isPackedStrangely(headers: IncomingHttpHeaders): boolean {
  return !['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br'].includes(packingOf(headers))
}

function unpacked(response: IncomingMessage): Readable {
  switch (packingOf(response.headers)) {
    case 'gzip':
    case 'x-gzip':
      return response.pipe(createGunzip())
    case 'deflate':
      return response.pipe(createInflate())
    case 'br':
      return response.pipe(createBrotliDecompress())
    default:
      return response
  }
}

function packingOf(headers: IncomingHttpHeaders): string {
  return headers['content-encoding']?.trim().toLowerCase() ?? ''
}
