import type { ClientFrame, Live, OpenTurn, Recorded, ServerFrame } from '@maru/protocol'
import { WebSocket } from 'ws'

/** A client that keeps what it was told, and what a person would see of it. */
export class Client {
  readonly frames: ServerFrame[] = []
  readonly socket: WebSocket
  closed: { code: number } | undefined
  readonly #waiting = new Set<() => void>()
  readonly #shown = new Map<string, { open: OpenTurn; turns: { [turnId: string]: string[] } }>()

  constructor(url: string, secret: string, headers: { [name: string]: string } = {}) {
    this.socket = new WebSocket(url, { headers: { authorization: `Bearer ${secret}`, ...headers } })
    this.socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString('utf8')) as ServerFrame
      this.frames.push(frame)
      this.#show(frame)
      this.#wake()
    })
    this.socket.on('close', (code) => {
      this.closed = { code }
      this.#wake()
    })
    this.socket.on('error', () => undefined)
  }

  static async open({ url }: { url: string }, { secret }: { secret: string }, headers?: { [name: string]: string }) {
    const client = new Client(url, secret, headers)
    await client.first('hello')
    return client
  }

  send(...frames: ClientFrame[]): void {
    for (const frame of frames) this.socket.send(JSON.stringify(frame))
  }

  raw(data: string | Buffer): void {
    this.socket.send(data)
  }

  /** Waits until the frames so far, or the end of the socket, give something. */
  until<T>(find: () => T | undefined | false, what = 'what was waited for'): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look)
        const seen = JSON.stringify(this.frames.slice(-8)).slice(0, 2_000)
        reject(new Error(`${what} did not come; the last frames: ${seen}`))
      }, 90_000)
      const look = () => {
        const found = find()
        if (found === undefined || found === false) return
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve(found)
      }
      this.#waiting.add(look)
      look()
    })
  }

  first<T extends ServerFrame['type']>(
    type: T,
    fits: (frame: Extract<ServerFrame, { type: T }>) => boolean = () => true,
  ) {
    type Wanted = Extract<ServerFrame, { type: T }>
    return this.until(() => this.frames.find((frame) => frame.type === type && fits(frame as Wanted)) as Wanted, type)
  }

  /** What comes back for a request. */
  answer(request: string) {
    return this.until(
      () => this.frames.find((frame) => 'request' in frame && frame.request === request),
      `the answer to ${request}`,
    ) as Promise<Extract<ServerFrame, { type: 'admitted' | 'result' | 'refused' }>>
  }

  async ended(): Promise<number> {
    return (await this.until(() => this.closed, 'the end of the socket')).code
  }

  facts(id: string): Recorded[] {
    return this.frames.flatMap((frame) => (frame.type === 'facts' && frame.id === id ? frame.facts : []))
  }

  seqs(id: string): number[] {
    return this.facts(id).map(({ seq }) => seq)
  }

  /** The text of each turn as it is, or was last, shown. */
  shown(id: string): { [turnId: string]: string } {
    const { turns = {} } = this.#shown.get(id) ?? {}
    return Object.fromEntries(Object.entries(turns).map(([turnId, parts]) => [turnId, parts.join('')]))
  }

  close(): void {
    this.socket.close()
  }

  #show(frame: ServerFrame): void {
    if (frame.type !== 'open' && frame.type !== 'live') return
    const shown = this.#shown.get(frame.id) ?? { open: { parts: [], progress: {} }, turns: {} }
    this.#shown.set(frame.id, shown)
    if (frame.type === 'open') shown.open = { ...frame.open, parts: [...frame.open.parts] }
    else apply(shown.open, frame.live)
    if (shown.open.turnId !== undefined) shown.turns[shown.open.turnId] = shown.open.parts
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}

// Strict on purpose: a piece that does not stand right behind what is shown is a hole or a double.
function apply(open: OpenTurn, live: Live): void {
  if (live.type !== 'text-delta') return
  if (open.turnId !== live.turnId) {
    open.turnId = live.turnId
    open.parts = []
  }
  const shown = open.parts[live.part] ?? ''
  if (live.offset !== shown.length) throw new Error(`a piece at ${live.offset}, where ${shown.length} are shown`)
  open.parts[live.part] = shown + live.text
}
