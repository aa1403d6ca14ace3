import type { ServerFrame } from '@maru/protocol'
import type { WebSocket } from 'ws'

/** More than this is never waiting for one client; what is behind it is read again when there is room. */
export const FULL_BYTES = 256 * 1024

const AS_TEXT = { binary: false } as const

/** The way out to one client. Nobody is made to wait by `send`: whoever has more to say looks at `isFull` first. */
export class Outlet {
  /** Since when somebody waits for room. */
  blockedSince: number | undefined
  readonly #socket: WebSocket
  readonly #now: () => number
  readonly #full: number
  #waiting: ((hasRoom: boolean) => void)[] = []
  #isClosed = false

  constructor(socket: WebSocket, { now, full = FULL_BYTES }: { now(): number; full?: number }) {
    this.#socket = socket
    this.#now = now
    this.#full = full
  }

  get isFull(): boolean {
    return this.#socket.bufferedAmount > this.#full
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  send(frame: ServerFrame): void {
    this.sendBytes(Buffer.from(JSON.stringify(frame)))
  }

  /** A frame that was printed once for many. */
  sendBytes(frame: Buffer): void {
    if (!this.#isClosed) this.#socket.send(frame, AS_TEXT, this.#onWritten)
  }

  /** Waits until there is room again; false, if the client left. */
  drained(): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    if (!this.isFull) return Promise.resolve(true)
    this.blockedSince ??= this.#now()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  close(): void {
    this.#isClosed = true
    this.#wake(false)
  }

  readonly #onWritten = (): void => {
    if (this.#waiting.length > 0 && this.#socket.bufferedAmount <= this.#full / 2) this.#wake(true)
  }

  #wake(hasRoom: boolean): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.blockedSince = undefined
    for (const resolve of waiting) resolve(hasRoom)
  }
}
