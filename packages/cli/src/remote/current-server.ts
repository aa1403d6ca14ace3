import type { Socket, SocketClass } from '@maru/client'
import { WebSocket } from 'ws'
import type { FoundServer } from './find-server.ts'
import { pinnedFetch } from './pinned-fetch.ts'

type Server = Pick<FoundServer, 'url' | 'token' | 'cert'>

/** A server as it is reached now: one of this machine has another key, and perhaps another port, each time it is started. */
export interface CurrentServer {
  readonly WebSocket: SocketClass
  readonly fetch: typeof globalThis.fetch
}

// A server that was just started takes old keys back before it tells its new one.
const MOST_REFUSALS = 6

/** `isRenewed`: a key that is refused may be another in a moment, and is not the last word. */
export function currentServer(now: () => Server, { isRenewed }: { isRenewed: boolean }): CurrentServer {
  let refusals = 0
  const isHidden = (isRefusal: boolean): boolean => isRefusal && isRenewed && ++refusals < MOST_REFUSALS
  class CurrentSocket implements Socket {
    onopen: Socket['onopen'] = null
    onmessage: Socket['onmessage'] = null
    onerror: Socket['onerror'] = null
    onclose: Socket['onclose'] = null
    readonly #socket: WebSocket

    constructor(address: string, protocols: string[] = []) {
      const { token, cert } = now()
      const headers = { authorization: `Bearer ${token}` }
      const socket = new WebSocket(leadTo(address), protocols, { headers, ...(cert !== undefined && { ca: cert }) })
      this.#socket = socket
      socket.onopen = (event) => this.onopen?.(event as never)
      socket.onmessage = (event) => {
        refusals = 0
        this.onmessage?.(event as never)
      }
      socket.onerror = ({ message }) =>
        this.onerror?.({ message: isHidden(/\b401\b/.test(message)) ? '' : message } as never)
      socket.onclose = ({ code }) => this.onclose?.({ code: isHidden(code === UNAUTHORISED) ? 1006 : code } as never)
    }

    get bufferedAmount(): number {
      return this.#socket.bufferedAmount
    }

    send(text: string): void {
      this.#socket.send(text)
    }

    close(code?: number, reason?: string): void {
      this.#socket.close(code, reason)
    }

    terminate(): void {
      this.#socket.terminate()
    }
  }
  const leadTo = (address: string): string => {
    const [target, base] = [new URL(address), new URL(now().url)]
    const isSocket = target.protocol.startsWith('ws')
    target.protocol = isSocket ? base.protocol.replace('http', 'ws') : base.protocol
    target.host = base.host
    return target.href
  }
  return {
    WebSocket: CurrentSocket,
    async fetch(input, init = {}) {
      const { token, cert } = now()
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      const send = cert === undefined ? globalThis.fetch : pinnedFetch(cert)
      return send(leadTo(input instanceof Request ? input.url : String(input)), { ...init, headers })
    },
  }
}

const UNAUTHORISED = 4001
