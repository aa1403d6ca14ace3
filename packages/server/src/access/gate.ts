import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { refusal } from '../http/problem.ts'
import type { Headers } from '../http/route.ts'
import { createHostCheck, isLoopback, plainAddress } from './hosts.ts'
import { type Asker, judgeOrigin, readOrigins } from './origins.ts'

export interface GateOptions {
  host: string
  allowedHosts: readonly string[]
  allowedOrigins: readonly string[]
  isBehindProxy: boolean
}

/** What is known of a request before anybody asks who sent it. */
export interface Visitor {
  address: string
  isSecure: boolean
  /** Scheme, host and port by which we were reached. */
  origin: string
  asker: Asker
  /** Came through a proxy, so that its address is what the proxy says. */
  isForwarded: boolean
}

/** Looks at Host and Origin of every request and upgrade. Being on the loopback is no reason to be trusted. */
export function createGate({ host, allowedHosts, allowedOrigins, isBehindProxy }: GateOptions) {
  const isOurs = createHostCheck({ host, allowedHosts })
  const allowed = readOrigins(allowedOrigins)
  return {
    /** Throws a refusal for who may not come in by this name, or from this page. */
    receive(request: IncomingMessage): Visitor {
      const { headers, socket } = request
      const remote = plainAddress(socket.remoteAddress ?? '')
      const isForwarded = isBehindProxy && isLoopback(remote) && headers['x-forwarded-proto'] !== undefined
      const said = (name: string) => (isForwarded ? headers[name]?.toString().split(',') : undefined)
      const isSecure = (said('x-forwarded-proto')?.at(0)?.trim() ?? schemeOf(socket as TLSSocket)) === 'https'
      const hostHeader = said('x-forwarded-host')?.at(0)?.trim() ?? headers.host
      // The nearest proxy's word is the last; those before it are whatever the client wrote.
      const address = said('x-forwarded-for')?.at(-1)?.trim().slice(0, 64) ?? remote
      const arrival = { localAddress: socket.localAddress, localPort: socket.localPort ?? 0, isSecure }
      if (hasTwoHosts(request) || !isOurs(hostHeader, arrival)) {
        throw refusal('host-refused', 'use the address that the server printed, or allow this host')
      }
      const origin = ownOrigin(`${isSecure ? 'https' : 'http'}://${hostHeader}`)
      const asker = judgeOrigin(headers.origin, { own: origin, allowed })
      const isCrossSite = headers['sec-fetch-site'] === 'cross-site' && asker !== 'allowed'
      const isNavigation = request.method === 'GET' && headers['sec-fetch-mode'] === 'navigate'
      if (asker === 'refused' || (isCrossSite && !isNavigation)) {
        throw refusal('origin-refused', 'allow this origin when the server is started')
      }
      return { address, isSecure, origin, asker, isForwarded }
    },
  }
}
export type Gate = ReturnType<typeof createGate>

// Of two, a proxy before us may have looked at the other one.
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at] ?? '')) hosts++
  return hosts > 1
}

function schemeOf(socket: TLSSocket): string {
  return socket.encrypted ? 'https' : 'http'
}

// As a browser prints it: without the port that goes without saying.
function ownOrigin(text: string): string {
  try {
    return new URL(text).origin
  } catch {
    throw refusal('host-refused')
  }
}

/** What lets a page of an allowed origin read the answer; never for everybody. */
export function corsHeaders({ asker }: Visitor, origin: string | undefined): Headers {
  if (asker !== 'allowed' || origin === undefined) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'content-disposition, content-range, etag, location, retry-after',
  }
}

/** The answer to a browser that asks before it sends. */
export function preflightHeaders(methods: readonly string[]): Headers {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, if-match, range, x-maru-csrf, x-maru-door',
    'access-control-max-age': '600',
  }
}
