import { once } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Problem } from '@maru/protocol'
import type { Headers, Reply } from './route.ts'

/** Stands on every answer: none is guessed at, framed or told about elsewhere. */
const ALWAYS: Headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
const PRIVATE: Headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

/** A refusal as an answer. */
export function problemReply(problem: Problem): Reply {
  return {
    status: problem.status,
    type: 'application/problem+json',
    headers: {
      ...(problem.retryAfter !== undefined && { 'retry-after': String(Math.ceil(problem.retryAfter)) }),
      ...(problem.status === 401 && { 'www-authenticate': 'Bearer realm="maru"' }),
    },
    json: problem,
  }
}

// Whoever takes nothing at all for so long does not want it; meanwhile it is kept in memory.
const STALLED_MS = 60_000
const SHORT = 64 * 1024

/** Sends an answer, as slowly as the client takes it. */
export async function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, json, content, type = 'application/json; charset=utf-8' }: Reply,
  stalledMs = STALLED_MS,
): Promise<void> {
  const body = json === undefined ? content : JSON.stringify(json)
  const head: OutgoingHttpHeaders = { ...ALWAYS, ...PRIVATE, ...headers }
  if (body !== undefined) head['content-type'] = type
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    if (body !== undefined) head['content-length'] = Buffer.byteLength(body)
    response.writeHead(status, head)
    // Each byte that is taken begins the time anew. What is short the system takes off our hands.
    if (body !== undefined && body.length > SHORT) response.setTimeout(stalledMs, () => response.destroy())
    response.end(method === 'HEAD' ? undefined : body)
    return
  }
  // Not written yet: where the first piece fails, a refusal can still be said.
  response.statusCode = status
  for (const [name, value] of Object.entries(head)) if (value !== undefined) response.setHeader(name, value)
  if (method !== 'HEAD') for await (const piece of body) await write(response, piece, stalledMs)
  response.end()
}

async function write(response: ServerResponse, piece: string | Uint8Array, stalledMs: number): Promise<void> {
  if (response.destroyed) throw new Error('the client is gone')
  if (response.write(piece)) return
  const gone = new AbortController()
  const leave = () => gone.abort()
  response.once('close', leave)
  response.setTimeout(stalledMs, leave)
  try {
    await once(response, 'drain', { signal: gone.signal })
  } finally {
    response.off('close', leave)
    response.off('timeout', leave)
    response.setTimeout(0)
  }
}
