import { CLOSE, type ClientFrame, type Door, type Problem, type ServerFrame } from '@maru/protocol'
import type { Key, OwnHistory, Scope } from '@maru/store'
import type { WebSocket } from 'ws'
import { hasScope } from '../access/identify.ts'
import type { Throttle } from '../access/throttle.ts'
import { refusal } from '../http/problem.ts'
import type { Agents, Inside } from '../inside.ts'
import { admitFrame } from './admit.ts'
import { answerCall, type Listing } from './calls.ts'
import { type Channels, startFollow } from './follow.ts'
import type { HeldLeases } from './held-leases.ts'
import { Outlet } from './outlet.ts'
import { misses, problemOf } from './problems.ts'
import { readFrame } from './read-frame.ts'
import { scopeOf } from './scopes.ts'
import { tellLive } from './tell-live.ts'
import { createTurns } from './turns.ts'

/** What all sockets share. */
export interface Hall {
  inside: Inside
  agents: Agents
  throttle: Throttle
  channels: Channels
  leases: HeldLeases<Connection>
  full: number
}

const MOST_FOLLOWS = 256
// Requests of one client that are answered at the same time; then it is not listened to for a while.
const MOST_REQUESTS = 64
// Sessions that are read for one client at the same time.
const MOST_READS = 4

/** One client at the socket door. */
export class Connection {
  readonly key: Key
  readonly outlet: Outlet
  /** Something came since it was last asked whether it is there. */
  isAlive = true
  /** Since when it is being closed. */
  closingSince: number | undefined
  readonly #socket: WebSocket
  readonly #hall: Hall
  readonly #own: Promise<OwnHistory>
  readonly #takeTurn = createTurns(MOST_READS)
  readonly #follows = new Map<string, () => void>()
  readonly #listing: { open?: Listing } = {}
  readonly #calls = new Map<string, Promise<unknown>>()
  #door: Door
  #watching: AbortController | undefined
  #requests = 0
  #isRevoked = false

  constructor(socket: WebSocket, hall: Hall, { key, door }: { key: Key; door: Door }) {
    const { options } = hall.inside
    this.#socket = socket
    this.#hall = hall
    this.key = key
    this.#door = door
    this.outlet = new Outlet(socket, { now: options.now, full: hall.full })
    this.#own = hall.inside.ownOf(key.person.id)
    this.#own.catch((error: unknown) => {
      this.#log('error', 'socket-history', error)
      this.close(CLOSE.bye, 'shutdown')
    })
    const { id, name } = key.person
    this.outlet.send({ type: 'hello', version: options.version, user: { id, name }, now: options.now() })
  }

  /** A frame came. They are taken one after the other, each as far as it goes without waiting. */
  receive(text: string): void {
    this.isAlive = true
    if (!this.checkKey()) return
    const read = readFrame(text)
    if ('problem' in read) this.refuse(read.problem, read.request)
    else {
      // The first ones wait until the person's history is open; from there on nothing comes between two of them.
      void this.#own.then((own) => this.#handle(own, read.frame)).catch((error: unknown) => this.#fail(error))
    }
    this.#slowDown()
  }

  refuse(problem: Problem, request?: string): void {
    this.outlet.send({ type: 'refused', ...(request !== undefined && { request }), problem })
  }

  /** Whether the key is still good. What happens behind its end is not told any more. */
  checkKey(): boolean {
    if (this.closingSince !== undefined) return false
    const { expiresAt } = this.key
    if (expiresAt === undefined || expiresAt > this.#hall.inside.options.now()) return true
    this.close(CLOSE.unauthorised, 'revoked')
    return false
  }

  /** Says goodbye, and why. What is not read is not sent: nobody is waited for. */
  close(code: number, reason: Extract<ServerFrame, { type: 'bye' }>['reason']): void {
    if (this.closingSince !== undefined) return
    this.closingSince = this.#hall.inside.options.now()
    this.#isRevoked = code === CLOSE.unauthorised
    this.#letGo()
    this.outlet.send({ type: 'bye', reason })
    this.outlet.close()
    this.#socket.close(code)
  }

  /** Asks whether somebody is there; false, if nobody answered the last time. */
  ping(): boolean {
    // Its answer could not be heard, or would come behind what it does not read; that has a limit of its own.
    if (this.#socket.isPaused || this.outlet.blockedSince !== undefined) return true
    if (!this.isAlive) return false
    this.isAlive = false
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
    return true
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /** The socket is gone. */
  onClosed(): void {
    this.closingSince ??= this.#hall.inside.options.now()
    this.outlet.close()
    this.#letGo()
    this.#hall.leases.leave(this)
  }

  #letGo(): void {
    for (const stop of this.#follows.values()) stop()
    this.#follows.clear()
    this.#watching?.abort()
    this.#watching = undefined
    delete this.#listing.open
  }

  #handle(own: OwnHistory, frame: ClientFrame): void {
    if (this.closingSince !== undefined) return
    const missing = this.#missingScope(frame)
    if (missing) {
      this.refuse(misses(missing), 'request' in frame ? frame.request : undefined)
      return
    }
    switch (frame.type) {
      case 'door':
        this.#door = this.key.kind === 'cookie' ? 'web' : frame.door
        return
      case 'follow':
        this.#follow(own, frame)
        return
      case 'unfollow':
        this.#unfollow(frame.id)
        return
      case 'watch':
        void this.#watch(own, frame.cursor)
        return
      case 'unwatch':
        this.#watching?.abort()
        this.#watching = undefined
        return
      case 'admit':
        void this.#answer(frame.request, async () => {
          const { inside, throttle, agents } = this.#hall
          const admitting = { inside, throttle, agents, key: this.key, door: this.#door, own }
          const answer = await this.#inOrder(frame.session, () => admitFrame(admitting, frame))
          if ('problem' in answer) this.refuse(answer.problem, frame.request)
          else this.outlet.send({ type: 'admitted', request: frame.request, record: answer.record })
        })
        return
      case 'call':
        void this.#answer(frame.request, async () => {
          const { leases } = this.#hall
          const caller = { holder: this, owner: own.owner, log: own.log, leases, listing: this.#listing }
          const { call } = frame
          const value = await ('id' in call
            ? this.#inOrder(call.id, () => answerCall(caller, call))
            : answerCall(caller, call))
          this.outlet.send({ type: 'result', request: frame.request, value })
        })
        return
      case 'publish':
      case 'settle':
        this.#tell(own.owner, frame)
        return
      case 'ping':
        this.outlet.send({ type: 'pong' })
        return
      default:
        frame satisfies never
    }
  }

  #missingScope(frame: ClientFrame): Scope | undefined {
    const scope = scopeOf(frame)
    return scope === undefined || hasScope(this.key, scope) ? undefined : scope
  }

  #follow(own: OwnHistory, { id, after }: { id: string; after: number }): void {
    this.#unfollow(id)
    if (this.#follows.size >= MOST_FOLLOWS) {
      const detail = `one connection follows at most ${MOST_FOLLOWS} sessions: unfollow some`
      const problem = refusal('too-many', detail).problem
      this.outlet.send({ type: 'gone', id, problem })
      return
    }
    const { channels, inside } = this.#hall
    const live = inside.liveOf(own.owner)
    const stop = startFollow({
      owner: own.owner,
      id,
      after,
      log: own.log,
      live,
      channels,
      client: this,
      takeTurn: this.#takeTurn,
      onEnd: () => {
        if (this.#follows.get(id) === stop) this.#follows.delete(id)
      },
    })
    this.#follows.set(id, stop)
  }

  #unfollow(id: string): void {
    this.#follows.get(id)?.()
    this.#follows.delete(id)
  }

  async #watch(own: OwnHistory, cursor: string | undefined): Promise<void> {
    this.#watching?.abort()
    const watching = new AbortController()
    this.#watching = watching
    try {
      for await (const change of own.log.watch(cursor, watching.signal)) {
        if (watching.signal.aborted || !this.checkKey()) return
        this.outlet.send({ type: 'change', change })
        if (this.outlet.isFull && !(await this.outlet.drained())) return
      }
    } catch (error) {
      if (!watching.signal.aborted) this.refuse(problemOf(error))
    }
  }

  #tell(owner: string, frame: Extract<ClientFrame, { type: 'publish' | 'settle' }>): void {
    const { leases, inside } = this.#hall
    const problem = tellLive({ held: leases.find(this, { owner, id: frame.id }), live: inside.liveOf(owner) }, frame)
    if (problem) this.refuse(problem)
  }

  // What a client asks of a session is done in the order of asking: it need not wait for one to ask for the next. Once its
  // key has ended nothing more is begun.
  async #inOrder<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#calls.get(id)
    const begin = () => (this.#isRevoked ? Promise.reject(refusal('unauthorised')) : work())
    const working = before ? before.then(begin, begin) : begin()
    this.#calls.set(id, working)
    try {
      return await working
    } finally {
      if (this.#calls.get(id) === working) this.#calls.delete(id)
    }
  }

  async #answer(request: string, work: () => Promise<void>): Promise<void> {
    this.#requests++
    this.#slowDown()
    try {
      await work()
    } catch (error) {
      const problem = problemOf(error)
      if (problem.status >= 500) this.#log('error', 'socket-request', error)
      this.refuse(problem, request)
    } finally {
      this.#requests--
      this.#listenAgain()
    }
  }

  // Who asks more than can be answered, or does not read the answers, is not listened to until that is done.
  #slowDown(): void {
    if (this.#socket.isPaused || (this.#requests < MOST_REQUESTS && !this.outlet.isFull)) return
    this.#socket.pause()
    this.#listenAgain()
  }

  #listenAgain(): void {
    if (!this.#socket.isPaused || this.#requests > MOST_REQUESTS / 2 || this.outlet.isClosed) return
    if (this.outlet.isFull) void this.outlet.drained().then(() => this.#listenAgain())
    else this.#socket.resume()
  }

  #fail(error: unknown): void {
    this.#log('error', 'socket-frame', error)
    this.refuse(problemOf(error))
  }

  // Of what kind it was: a message could hold what somebody said.
  #log(level: 'warn' | 'error', event: string, error: unknown): void {
    const { name, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { name: typeof error }
    this.#hall.inside.options.onLog({ level, event, key: this.key.id, error: name, ...(code && { code }) })
  }
}
