import type { Change, Problem, Recorded } from '@maru/protocol'
import { createFollows, type Follower, type Following } from './follows.ts'
import { type ConnectionState, type ConnectOptions, type Hello, type Link, openLink } from './link.ts'
import { ApiError, CLOSED, REFUSED } from './problem-error.ts'
import { type Answered, createRequests, type Question } from './requests.ts'
import { createStream } from './stream.ts'
import { createWatches } from './watches.ts'

/** A connection that stays: what it follows and watches goes on after every cut, and what it asks is asked again. */
export interface Connection {
  readonly state: ConnectionState
  /** Goes up with each opening. */
  readonly opened: number
  /** Whom the server takes us for, and its version, once it has said so. */
  readonly hello: Hello | undefined
  onState(listener: (state: ConnectionState) => void): () => void
  /** What the server said no to without having been asked: a frame that it did not understand, or did not want. */
  onProblem(listener: (problem: Problem) => void): () => void
  /** Facts once and in order, live events, and what the open turn is after each cut. */
  listen(id: string, after: number, follower: Follower): Following
  /** The facts alone. Ends with the signal, and when the session is erased; one that never was is an `ApiError`. */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<Recorded>
  /** Changes from now, or from a cursor. The place is taken at once, not with the first that is read. */
  watch(cursor: string | undefined, signal: AbortSignal): AsyncIterable<Change>
  /** Sends until there is an answer. What that does, done twice, is for who asks to know. */
  ask(question: Question, signal?: AbortSignal): Promise<Answered>
  /** For what may be lost: false when it was. */
  readonly send: Link['send']
  /** Calls back when the server has looked at everything that was sent up to now; never, if it is cut before. */
  whenTaken(listener: () => void): void
  readonly buffered: number
  /** Tries now: the network is back, or somebody has signed in. */
  retry(): void
  close(): void
}

/** Unread facts and changes that are kept; of facts the rest is asked for again, of changes a reset remains. */
const UNREAD = 2_000

export function connect(options: ConnectOptions): Connection {
  const states = createTeller<ConnectionState>()
  const problems = createTeller<Problem>()
  let taken: { mark: number; listener: () => void }[] = []
  const follows = createFollows(() => link)
  const watches = createWatches(() => link)
  const requests = createRequests(() => link)
  const parts = [follows, watches, requests]
  // It calls back before it is there.
  let link: Link = { ...NO_LINK }
  link = openLink(options, {
    onFrame: (frame) => {
      for (const part of parts) part.onFrame(frame)
      if (frame.type === 'refused' && frame.request === undefined) problems.tell(frame.problem)
      if (frame.type === 'pong') {
        const past = taken.filter(({ mark }) => link.isPast(mark))
        taken = taken.filter(({ mark }) => !link.isPast(mark))
        for (const { listener } of past) listener()
      }
    },
    onState: (state, why) => {
      taken = []
      if (state === 'open') for (const part of parts) part.onOpen()
      if (state === 'refused') requests.fail(REFUSED)
      if (state === 'closed') requests.fail(CLOSED)
      states.tell(state)
      options.onState?.(state, why)
    },
  })
  // Ends a stream with its signal, and when the connection is over for good.
  const bind = (stream: { cut(): void; end(error?: unknown): void }, signal: AbortSignal) => {
    const cut = () => stream.cut()
    signal.addEventListener('abort', cut, { once: true })
    const over = (state: ConnectionState) => {
      if (state === 'closed') stream.cut()
      if (state === 'refused') stream.end(new ApiError(REFUSED))
    }
    const off = states.add(over)
    over(link.state)
    if (signal.aborted) cut()
    return () => {
      signal.removeEventListener('abort', cut)
      off()
    }
  }

  async function* follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<Recorded, void> {
    if (signal.aborted) return
    let isShort = false
    const stream = createStream<Recorded>(UNREAD, () => {
      if (isShort) following.resume()
      isShort = false
    })
    const unbind = bind(stream, signal)
    const following = follows.add(id, after, {
      get room() {
        return stream.room
      },
      facts(facts) {
        for (const fact of facts) stream.push(fact)
        isShort ||= stream.room === 0
      },
      gone: (problem) => stream.end(problem && new ApiError(problem)),
    })
    try {
      yield* stream.read()
    } finally {
      following.stop()
      unbind()
    }
  }

  function watch(cursor: string | undefined, signal: AbortSignal): AsyncIterable<Change> {
    const stream = createStream<Change>(UNREAD)
    const stop = watches.add(cursor, (change) => {
      if (stream.room > 1) stream.push(change)
      else if (stream.room === 1) stream.push({ cursor: change.cursor, reset: true })
    })
    const unbind = bind(stream, signal)
    const end = () => {
      stop()
      unbind()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    return readUntil(stream.read(), end)
  }

  return {
    get state() {
      return link.state
    },
    get opened() {
      return link.opened
    },
    get hello() {
      return link.hello
    },
    get buffered() {
      return link.buffered
    },
    onState: states.add,
    onProblem: problems.add,
    listen: follows.add,
    follow,
    watch,
    ask: requests.ask,
    send: (frame) => link.send(frame),
    whenTaken: (listener) => void taken.push({ mark: link.mark(), listener }),
    retry: () => link.retry(),
    close: () => link.close(),
  }
}

function createTeller<T>() {
  const listeners = new Set<(what: T) => void>()
  return {
    tell(what: T) {
      for (const listener of [...listeners]) listener(what)
    },
    add(listener: (what: T) => void) {
      const own = (what: T) => listener(what)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}

async function* readUntil<T>(items: AsyncIterable<T>, end: () => void): AsyncGenerator<T, void> {
  try {
    yield* items
  } finally {
    end()
  }
}

const NO_LINK: Link = {
  state: 'connecting',
  opened: 0,
  hello: undefined,
  buffered: 0,
  send: () => false,
  mark: () => 0,
  isPast: () => true,
  retry: () => undefined,
  close: () => undefined,
}
