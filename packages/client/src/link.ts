import { CLOSE, type ClientFrame, type Problem, type ServerFrame, type SocketDoor } from '@maru/protocol'
import { REFUSED } from './problem-error.ts'
import { drop, type Socket, type SocketClass, socketUrl } from './socket.ts'

/** `waiting` until the next attempt; `refused`: not let in, and no attempt is made before `retry`. */
export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'refused' | 'closed'

export interface Timing {
  /** The first wait before another attempt, and the longest. */
  retryMs: number
  longestRetryMs: number
  /** How long nothing may come before the server is asked whether it is there, and how long it may take to answer. */
  quietMs: number
  answerMs: number
}

export interface ConnectOptions {
  /** `http://127.0.0.1:4242`, as the server prints it. */
  url: string
  /** Goes into a header. Without one, or in a browser, the cookie says who it is. */
  token?: string
  WebSocket: SocketClass
  /** To find out why a browser's socket was not let in: it does not say. */
  fetch?: typeof globalThis.fetch
  /** What admitted facts say of where they come from. */
  door?: SocketDoor
  signal?: AbortSignal
  /** `why` comes with a goodbye and a refusal. */
  onState?(state: ConnectionState, why?: Problem): void
  timing?: Partial<Timing>
}

const TIMING: Timing = { retryMs: 250, longestRetryMs: 15_000, quietMs: 20_000, answerMs: 10_000 }

/** A socket that comes back. */
export interface Link {
  readonly state: ConnectionState
  /** How often it was open: what was sent in an earlier opening may be lost. */
  readonly opened: number
  readonly hello: Hello | undefined
  /** What waits inside the socket, in bytes. */
  readonly buffered: number
  /** False when it is not open: whoever sends must send again after the next opening. */
  send(frame: ClientFrame): boolean
  /** A place in what comes, behind everything that was sent up to now: what was asked before it is over then. */
  mark(): number
  isPast(mark: number): boolean
  /** Now, without waiting for the next attempt: the network is back, or somebody signed in. */
  retry(): void
  close(): void
}

export type Hello = Extract<ServerFrame, { type: 'hello' }>

interface Hooks {
  onFrame(frame: ServerFrame): void
  onState(state: ConnectionState, why?: Problem): void
}

export function openLink(options: ConnectOptions, { onFrame, onState }: Hooks): Link {
  const { WebSocket, token, fetch, door, signal } = options
  const timing = { ...TIMING, ...options.timing }
  const url = socketUrl(options.url)
  let state: ConnectionState = 'closed'
  let socket: Socket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempts = 0
  let opened = 0
  let pings = 0
  let pongs = 0
  let hello: Hello | undefined
  let why: Problem | undefined

  const enter = (next: ConnectionState) => {
    state = next
    onState(next, why)
  }
  const after = (ms: number, then: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(then, ms)
  }
  const leave = () => {
    clearTimeout(timer)
    if (socket) drop(socket)
    socket = undefined
  }
  const attempt = () => {
    leave()
    why = undefined
    const headers = token === undefined ? undefined : { headers: { authorization: `Bearer ${token}` } }
    const own = headers ? new WebSocket(url, [], headers) : new WebSocket(url)
    socket = own
    let problem = ''
    own.onmessage = (event: { data: unknown }) => {
      if (socket === own) receive(String(event.data))
    }
    own.onerror = (event: { message?: string }) => {
      problem = event.message ?? ''
    }
    own.onclose = (event: { code: number }) => {
      if (socket === own) void lost(event.code, problem)
    }
    after(timing.quietMs + timing.answerMs, () => void lost(0, ''))
    enter('connecting')
  }
  const receive = (text: string) => {
    const frame = JSON.parse(text) as ServerFrame
    listen()
    if (frame.type === 'hello') {
      hello = frame
      opened++
      pings = 0
      pongs = 0
      if (door !== undefined) socket?.send(JSON.stringify({ type: 'door', door } satisfies ClientFrame))
      enter('open')
      return
    }
    // Only one that serves is worth coming back to quickly.
    attempts = 0
    if (frame.type === 'pong') pongs++
    if (frame.type === 'bye')
      why = { code: frame.reason, status: 503, title: `The server said goodbye: ${frame.reason}.` }
    onFrame(frame)
  }
  const ping = () => {
    pings++
    socket?.send(JSON.stringify({ type: 'ping' } satisfies ClientFrame))
  }
  // Any frame shows that the server is there; when none comes it is asked, and then given up.
  const listen = () =>
    after(timing.quietMs, () => {
      ping()
      after(timing.answerMs, () => void lost(0, ''))
    })
  const lost = async (code: number, problem: string) => {
    const wasOpen = state === 'open'
    leave()
    const isRefused = code === CLOSE.unauthorised || code === CLOSE.forbidden || /response: 40[13]$/.test(problem)
    if (isRefused) return refuse()
    const ms = wait(attempts++, code === CLOSE.tooMany ? timing.longestRetryMs : timing.retryMs, timing.longestRetryMs)
    after(ms, attempt)
    enter('waiting')
    if (!wasOpen && fetch && token === undefined && (await isUnknown(fetch, options.url)) && state === 'waiting')
      refuse()
  }
  const refuse = () => {
    clearTimeout(timer)
    why ??= REFUSED
    enter('refused')
  }
  const close = () => {
    if (state === 'closed') return
    leave()
    enter('closed')
  }
  if (!signal?.aborted) attempt()
  signal?.addEventListener('abort', close, { once: true })

  return {
    get state() {
      return state
    },
    get opened() {
      return opened
    },
    get hello() {
      return hello
    },
    get buffered() {
      return socket?.bufferedAmount ?? 0
    },
    send(frame) {
      if (state !== 'open') return false
      socket?.send(JSON.stringify(frame))
      return true
    },
    mark() {
      if (state === 'open') ping()
      return pings
    },
    isPast: (mark) => pongs >= mark,
    retry() {
      attempts = 0
      if (state === 'waiting' || state === 'refused') attempt()
    },
    close,
  }
}

/** Twice as long each time, up to a longest, and never at the same moment as everybody else. */
export function wait(attempts: number, first: number, longest: number): number {
  return Math.min(longest, first * 2 ** Math.min(attempts, 30)) * (0.5 + Math.random() / 2)
}

async function isUnknown(fetch: typeof globalThis.fetch, url: string): Promise<boolean> {
  try {
    const { status } = await fetch(new URL('api/v1/auth/me', url.replace(/\/?$/, '/')), { credentials: 'same-origin' })
    return status === 401
  } catch {
    // Not reachable at all: that is no refusal.
    return false
  }
}
