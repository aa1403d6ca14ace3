import type { Actor, Infer, ObjectShape, Shape } from '@maru/protocol'
import type { Key, Scope } from '@maru/store'

/** What a handler is given. Everything in it was checked. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  params: Params
  query: Query
  body: Body
  /** Whose request it is; on a public route, nobody's. */
  key: Key
  by: Actor
  /** What a page must send back with each change, where a cookie says who asks. */
  csrf: string | undefined
  /** The request's own body, where a route takes bytes. */
  stream: AsyncIterable<Uint8Array> & { readonly length: number | undefined }
  header(name: string): string | undefined
  /** Who asks, as an address. */
  address: string
  /** Whether the way from the browser is encrypted. */
  isSecure: boolean
  /** By what name the client reached us: scheme, host and port. */
  origin: string
  /** The client is gone, or the server stops. */
  signal: AbortSignal
}

export type Headers = { [name: string]: string | string[] }

export interface Reply {
  status: number
  headers?: Headers
  json?: unknown
  /** Instead of JSON. */
  content?: string | Uint8Array | AsyncIterable<string | Uint8Array>
  type?: string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an answer looks like: JSON of a shape, something of another type (or of one of several), or nothing. */
export type Answer = { description: string } & (
  | { shape: Shape }
  | { type: string | readonly string[]; shape?: never }
  | object
)

export interface RouteOf<Params, Query, Body> {
  method: Method
  /** `/api/v1/conversations/:id` */
  path: string
  /** What the key must allow; `any` is any key, `public` needs none. */
  scope: Scope | 'any' | 'public'
  summary: string
  tag: string
  params?: ObjectShape
  query?: ObjectShape
  /** JSON of this shape, or bytes that the handler reads itself. */
  body?: Shape | 'bytes'
  /** Whether none at all is an empty one. */
  isBodyOptional?: boolean
  /** By status; refusals need no mention. */
  answers: { [status: number]: Answer }
  /** Whether an ETag guards it. */
  hasVersion?: boolean
  handle(call: Call<Params, Query, Body>): Promise<Reply>
}

export type Route = RouteOf<never, never, never>

type Of<S> = S extends Shape ? Infer<S> : undefined

/** A row of the table of routes; what its handler is given follows from its shapes. */
export function defineRoute<
  const P extends ObjectShape | undefined = undefined,
  const Q extends ObjectShape | undefined = undefined,
  const B extends Shape | 'bytes' | undefined = undefined,
>(route: Omit<RouteOf<Of<P>, Of<Q>, Of<B>>, 'params' | 'query' | 'body'> & { params?: P; query?: Q; body?: B }): Route {
  return route as unknown as Route
}

export interface Found {
  route: Route
  params: { [name: string]: string }
}

/** Finds routes by their paths, a segment at a time. */
export function createRouter(routes: readonly Route[]) {
  const root: Place = { fixed: new Map(), routes: new Map() }
  for (const route of routes) {
    let place = root
    for (const segment of segmentsOf(route.path)) place = placeBelow(place, segment)
    if (place.routes.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`)
    place.routes.set(route.method, route)
  }
  return {
    /** The route; or, where only others exist, the methods that are allowed there. */
    find(method: string, segments: readonly string[]): Found | { allowed: string[] } {
      const values: string[] = []
      const place = descend(root, segments, values)
      if (!place) return { allowed: [] }
      const route = place.routes.get(method === 'HEAD' ? 'GET' : method)
      if (!route) return { allowed: [...place.routes.keys()] }
      const names = segmentsOf(route.path).filter((segment) => segment.startsWith(':'))
      return { route, params: Object.fromEntries(names.map((name, at) => [name.slice(1), values[at] ?? ''])) }
    },
  }
}

interface Place {
  fixed: Map<string, Place>
  named?: Place
  routes: Map<string, Route>
}

function placeBelow(place: Place, segment: string): Place {
  const known = segment.startsWith(':') ? place.named : place.fixed.get(segment)
  if (known) return known
  const made: Place = { fixed: new Map(), routes: new Map() }
  if (segment.startsWith(':')) place.named = made
  else place.fixed.set(segment, made)
  return made
}

function descend(root: Place, segments: readonly string[], values: string[]): Place | undefined {
  let place: Place | undefined = root
  for (const segment of segments) {
    const fixed: Place | undefined = place.fixed.get(segment)
    if (!fixed) values.push(segment)
    place = fixed ?? place.named
    if (!place) return undefined
  }
  return place.routes.size > 0 ? place : undefined
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
