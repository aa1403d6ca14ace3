import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Key } from '@maru/store'
import { corsHeaders, type Gate, preflightHeaders, type Visitor } from '../access/gate.ts'
import { actorOf, expectCsrf, hasScope, type Identity, identify } from '../access/identify.ts'
import { csrfOf } from '../access/secrets.ts'
import type { Inside } from '../inside.ts'
import type { KeyKeeper } from '../keep/keep-keys.ts'
import type { Metrics } from '../keep/metrics.ts'
import { problemOf, refusal } from './problem.ts'
import { expectLength, readBytes, readJson, readParams, readQuery, readTarget } from './read-request.ts'
import type { Call, createRouter, Headers, Reply, Route } from './route.ts'
import { problemReply, send } from './send.ts'

export interface HandlerDeps {
  inside: Inside
  gate: Gate
  router: ReturnType<typeof createRouter>
  keys: KeyKeeper
  metrics: Metrics
  closing: AbortSignal
}

/** What is told of a request when it is over. Never an address as it was sent: only which route it was. */
interface Account {
  route: string
  user?: string
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  account: Account
  /** Whose it is, once that is known. */
  key?: Key
}

/** Answers requests: Host and Origin, then the key, then shapes, then the route's own handler. */
export function createHandler(deps: HandlerDeps) {
  const { inside, metrics } = deps
  return (request: IncomingMessage, response: ServerResponse): void => {
    const begun = performance.now()
    const account: Account = { route: 'unknown' }
    response.on('error', () => undefined)
    response.once('close', () => {
      const ms = performance.now() - begun
      const { method = '', statusCode: status } = { method: request.method, statusCode: response.statusCode }
      metrics.count('requests', 1, { method: knownMethod(method), route: account.route, status: String(status) })
      metrics.time(account.route, ms / 1000)
      inside.options.onLog({
        level: status >= 500 ? 'warn' : 'info',
        event: 'request',
        method: knownMethod(method),
        ...account,
        status,
        ms: Math.round(ms * 10) / 10,
        ...(!response.writableFinished && { cut: true }),
      })
    })
    void answer(deps, { request, response, account })
  }
}

async function answer(deps: HandlerDeps, exchange: Exchange): Promise<void> {
  const { request, response, account } = exchange
  let headers: Headers = {}
  try {
    const visitor = deps.gate.receive(request)
    headers = corsHeaders(visitor, request.headers.origin)
    const reply = await replyTo(deps, exchange, visitor)
    await deliver(deps, exchange, { ...reply, headers: { ...headers, ...reply.headers } })
  } catch (error) {
    const problem = problemOf(error)
    if (problem.code === 'internal') tellOperator(deps.inside, account, error)
    if (response.headersSent) {
      // Too late to say so: what is cut short must not look whole.
      response.destroy()
      return
    }
    const reply = problemReply(problem)
    await drain(request)
    if (!request.complete) response.setHeader('connection', 'close')
    await send(request, response, { ...reply, headers: { ...headers, ...reply.headers } }).catch(() =>
      response.destroy(),
    )
  }
}

async function replyTo(deps: HandlerDeps, exchange: Exchange, visitor: Visitor): Promise<Reply> {
  const { request, response, account } = exchange
  const { method = '' } = request
  const { segments, query } = readTarget(request.url ?? '')
  const found = deps.router.find(method, segments)
  if (method === 'OPTIONS') return preflight(deps, segments)
  if (!('route' in found)) {
    if (found.allowed.length === 0) throw refusal('not-found')
    const allow = [...found.allowed, ...(found.allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    response.setHeader('allow', allow)
    throw refusal('method-not-allowed', `use ${allow}`)
  }
  const { route } = found
  account.route = route.path
  const identity = await letIn(deps, route, { request, visitor })
  if (identity) {
    exchange.key = identity.key
    account.user = identity.key.person.id
  }
  const { limits } = deps.inside
  const hasBytes = route.body === 'bytes'
  if (hasBytes) expectLength(request, limits.upload)
  const signalOf = createSignal(response, deps.closing)
  const call: Call = {
    params: readParams(route.params, found.params),
    query: readQuery(route.query, query),
    body: await bodyOf(route, request, route.scope === 'public' ? Math.min(PUBLIC_BYTES, limits.body) : limits.body),
    // A public route has no use for it, and types say so nowhere else.
    key: identity?.key as Key,
    by: identity
      ? actorOf(identity.key, request.headers['x-maru-door'])
      : { kind: 'person', id: 'nobody', door: 'api' },
    csrf: identity?.cookie === undefined ? undefined : csrfOf(identity.cookie),
    stream: readBytes(request, limits.upload),
    header: (name) => request.headers[name]?.toString(),
    address: visitor.address,
    isSecure: visitor.isSecure,
    origin: visitor.origin,
    get signal() {
      return signalOf()
    },
  }
  const handle = () => route.handle(call as never)
  return hasBytes ? whileKeyHolds(deps, { key: identity?.key, onEnd: () => request.destroy() }, handle) : handle()
}

// Names, passwords and codes are short, and whoever sends them is nobody yet.
const PUBLIC_BYTES = 16 * 1024

// Made for whoever asks for it: hardly any handler does, and each that is aborted makes an error with its stack.
function createSignal(response: ServerResponse, closing: AbortSignal): () => AbortSignal {
  let signal: AbortSignal | undefined
  return () => {
    if (signal) return signal
    const gone = new AbortController()
    if (response.destroyed) gone.abort()
    else response.once('close', () => gone.abort())
    signal = AbortSignal.any([gone.signal, closing])
    return signal
  }
}

async function bodyOf({ body, isBodyOptional }: Route, request: IncomingMessage, most: number): Promise<unknown> {
  if (body === undefined || body === 'bytes') return undefined
  if (isBodyOptional && !isSending(request)) return {}
  return readJson(request, body, most)
}

function preflight(deps: HandlerDeps, segments: string[]): Reply {
  const found = deps.router.find('OPTIONS', segments)
  const methods = 'allowed' in found ? found.allowed : []
  if (methods.length === 0) throw refusal('not-found')
  return { status: 204, headers: { allow: [...methods, 'OPTIONS'].join(', '), ...preflightHeaders(methods) } }
}

/** To who has no key at all. */
export const SIGN_IN = 'send "Authorization: Bearer TOKEN", or sign in on the page of the server'

async function letIn(
  { inside: { options } }: HandlerDeps,
  route: Route,
  { request, visitor }: { request: IncomingMessage; visitor: Visitor },
): Promise<Identity | undefined> {
  if (route.scope === 'public') return undefined
  const identity = await identify(options.access, request.headers, visitor)
  if (!identity) throw refusal('unauthorised', SIGN_IN)
  if (route.method !== 'GET') expectCsrf(identity, request.headers['x-maru-csrf'])
  if (!hasScope(identity.key, route.scope)) throw refusal('forbidden', `it needs the scope "${route.scope}"`)
  return identity
}

async function deliver(deps: HandlerDeps, { request, response, key }: Exchange, reply: Reply): Promise<void> {
  const isLong = typeof reply.content === 'object' && Symbol.asyncIterator in reply.content
  if (!isLong) return send(request, response, reply)
  return whileKeyHolds(deps, { key, onEnd: () => response.destroy() }, () => send(request, response, reply))
}

// Long answers and uploads are open for as long as their key holds.
async function whileKeyHolds<T>(
  { keys }: HandlerDeps,
  { key, onEnd }: { key: Key | undefined; onEnd(): void },
  work: () => Promise<T>,
): Promise<T> {
  if (!key) return work()
  const release = keys.hold(key)
  const forget = keys.onKeyEnd((ended) => ended === key.id && onEnd())
  try {
    return await work()
  } finally {
    forget()
    release()
  }
}

const DRAIN_BYTES = 16 * 1024 * 1024
const DRAIN_MS = 2_000

// Whoever is still sending would not hear the answer; but nobody is listened to for long.
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed || !isSending(request)) return
  let left = DRAIN_BYTES
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DRAIN_MS)
    const done = () => {
      clearTimeout(timer)
      request.pause()
      resolve()
    }
    request.on('data', (piece: Buffer) => {
      left -= piece.length
      if (left < 0) done()
    })
    request.once('end', done)
    request.once('close', done)
    request.resume()
  })
}

function isSending({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

// It becomes a label, and clients may make up as many as they like.
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other'
}

// Where it happened and of what kind: a message could hold what somebody said.
function tellOperator({ options }: Inside, { route }: Account, error: unknown): void {
  const { name, code, stack } = error instanceof Error ? (error as NodeJS.ErrnoException) : { name: typeof error }
  const where = stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5)
    .map((line) => line.trim())
  options.onLog({ level: 'error', event: 'broken', route, error: name, ...(code && { code }), ...(where && { where }) })
}
