import type { api, Problem } from '@maru/protocol'
import { wait } from './link.ts'
import { ApiError, isTemporary } from './problem-error.ts'

export interface HttpOptions {
  /** `http://127.0.0.1:4242`, as the server prints it. */
  url: string
  /** Without one the cookie says who it is, and changes carry what proves that a page of ours makes them. */
  token?: string
  fetch?: typeof globalThis.fetch
  /** How often what may be done twice is tried again, where the server is away or asks to wait. */
  retries?: number
}

export type Query = { [name: string]: string | number | boolean | undefined }

export interface HttpCall {
  query?: Query
  /** Bytes go as they are, anything else as JSON. */
  body?: unknown
  headers?: { [name: string]: string }
  signal?: AbortSignal
  /** Doing it twice is doing it once. So it is for whatever only reads. */
  isRepeatable?: boolean
  /** For whoever is not signed in yet. */
  isPublic?: boolean
}

/** Asks the server; a problem is thrown as an `ApiError`. */
export type Http = (method: string, path: string, call?: HttpCall) => Promise<Response>

const RETRY_MS = 300
const LONGEST_RETRY_MS = 10_000

export function createHttp({ url, token, fetch = globalThis.fetch, retries = 4 }: HttpOptions): Http {
  const base = url.replace(/\/?$/, '/')
  let csrf: Promise<string | undefined> | undefined

  const send = async (method: string, path: string, call: HttpCall) => {
    const { query = {}, body, headers, signal, isPublic = false } = call
    const target = new URL(`api/v1/${path}`, base)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value))
    }
    const isBytes = body instanceof Uint8Array
    const isProven = method === 'GET' || token !== undefined || isPublic
    const proof = isProven ? undefined : await proofOf()
    const response = await fetch(target, {
      method,
      credentials: 'same-origin',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(proof !== undefined && { 'x-maru-csrf': proof }),
        ...(body !== undefined && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    // Somebody else may be signed in from here on.
    if (isPublic) csrf = undefined
    if (response.ok) return response
    const problem = await readProblem(response)
    // What proved an old session proves nothing now.
    if (problem.code === 'csrf-missing') csrf = undefined
    throw new ApiError(problem)
  }
  const proofOf = () => {
    csrf ??= findCsrf().catch((error: unknown) => {
      csrf = undefined
      throw error
    })
    return csrf
  }
  const findCsrf = async () => {
    const response = await send('GET', 'auth/me', {})
    return ((await response.json()) as api.Me).csrf
  }

  return async (method, path, call = {}) => {
    const { isRepeatable = method === 'GET', signal } = call
    for (let attempts = 0; ; attempts++) {
      try {
        return await send(method, path, call)
      } catch (error) {
        const isOver = attempts >= retries || signal?.aborted === true
        if (isOver || !isWorthRepeating(error, isRepeatable)) throw error
        const asked = error instanceof ApiError ? error.retryAfter : undefined
        const ms = asked === undefined ? wait(attempts, RETRY_MS, LONGEST_RETRY_MS) : asked * 1000
        await pause(ms, signal)
      }
    }
  }
}

// What the server refused for now it has not done; whether it did what it never answered, nobody knows.
function isWorthRepeating(error: unknown, isRepeatable: boolean): boolean {
  if (!(error instanceof ApiError)) return isRepeatable
  return error.code === 'csrf-missing' || (isTemporary(error.problem) && (isRepeatable || error.status === 429))
}

async function readProblem(response: Response): Promise<Problem> {
  const { status, statusText } = response
  const isProblem = response.headers.get('content-type')?.includes('json') === true
  const body = isProblem ? ((await response.json().catch(() => ({}))) as Partial<Problem>) : {}
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    code: 'http-error',
    title: statusText || `The server answered ${status}.`,
    ...(Number.isFinite(after) && { retryAfter: after }),
    ...body,
    status,
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
}
