import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import WebSocket from 'ws'

/** Where a connection is cut: a frame is lost on its way out, or its answer is, or everything behind a frame that came. */
export type Cut = 'before-send' | 'after-send' | 'after-receive'

export interface Scissors {
  /** Frames that passed, over all connections. */
  sent: number
  received: number
  cuts: { [place in Cut]: ReadonlySet<number> }
}

const NOWHERE: ReadonlySet<number> = new Set()

export function scissors(cuts: Partial<Scissors['cuts']> = {}): Scissors {
  return {
    sent: 0,
    received: 0,
    cuts: { 'before-send': NOWHERE, 'after-send': NOWHERE, 'after-receive': NOWHERE, ...cuts },
  }
}

/** Real sockets that are torn apart at certain frames. */
export function cuttingSocket(state: Scissors): new (url: string, protocols?: string[], options?: object) => WebSocket {
  return class extends WebSocket {
    constructor(url: string, protocols?: string[], options?: object) {
      super(url, protocols, options)
      this.on('message', () => {
        // Behind the microtask all listeners have had it.
        if (state.cuts['after-receive'].has(++state.received)) queueMicrotask(() => this.terminate())
      })
    }

    override send(data: unknown): void {
      const at = ++state.sent
      if (state.cuts['before-send'].has(at)) this.terminate()
      else if (state.cuts['after-send'].has(at)) super.send(data as string, () => this.terminate())
      else super.send(data as string)
    }
  }
}

/** Real sockets of which the first frame that looks so is never heard: the connection is cut in its place. */
export function losingSocket(lost: RegExp, heard: string[]): typeof WebSocket {
  let isLost = false
  return class extends WebSocket {
    override emit(event: string | symbol, ...given: unknown[]): boolean {
      if (event !== 'message') return super.emit(event, ...given)
      const frame = String(given[0])
      if (isLost || !lost.test(frame)) {
        heard.push(frame)
        return super.emit(event, ...given)
      }
      isLost = true
      this.terminate()
      return true
    }
  }
}

/** A wire that breaks after so many bytes, in whatever direction they went: one number for each connection in turn. */
export async function startBreakingWire(target: string, breaks: number[]): Promise<{ url: string; close(): void }> {
  const { port } = new URL(target)
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((near) => {
    let left = breaks[connections++] ?? Number.POSITIVE_INFINITY
    const far = connectTcp(Number(port), '127.0.0.1')
    const destroy = () => {
      near.destroy()
      far.destroy()
      open.delete(near)
    }
    const carry = (to: Socket) => (bytes: Buffer) => {
      to.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left <= 0) destroy()
    }
    open.add(near)
    near.on('data', carry(far))
    far.on('data', carry(near))
    for (const socket of [near, far]) socket.on('error', destroy).on('close', destroy)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
