import type { ClientFrame, Problem, ServerFrame } from '@maru/protocol'
import type { Link } from './link.ts'
import { makeKey } from './make-key.ts'
import { ApiError, CLOSED, isTemporary, REFUSED } from './problem-error.ts'

type Asking<T> = T extends { request: string } ? Omit<T, 'request'> : never
/** A frame that wants an answer. */
export type Question = Asking<ClientFrame>

/** `sends`: how often it was sent. After the first, an earlier one may have had its effect without our knowing. */
export interface Answered {
  value: unknown
  sends: number
}

export interface Requests {
  /** Resolves with the answer, whatever is cut in between: it is sent again until there is one. */
  ask(question: Question, signal?: AbortSignal): Promise<Answered>
  onOpen(): void
  /** Nobody will answer any more. */
  fail(problem: Problem): void
  onFrame(frame: ServerFrame): void
}

/** A refusal, and how often the question had been sent by then. */
export class Refusal extends ApiError {
  readonly sends: number

  constructor(problem: Problem, sends: number) {
    super(problem)
    this.sends = sends
  }
}

interface Pending {
  frame: ClientFrame
  sends: number
  timer?: ReturnType<typeof setTimeout>
  signal: AbortSignal | undefined
  resolve(answer: Answered): void
  reject(error: unknown): void
}

export function createRequests(link: () => Link): Requests {
  const pending = new Map<string, Pending>()
  const stops = createStops((request, reason) => settle(request)?.reject(reason))
  const send = (one: Pending) => {
    if (one.timer === undefined && link().send(one.frame)) one.sends++
  }
  const settle = (request: string): Pending | undefined => {
    const one = pending.get(request)
    clearTimeout(one?.timer)
    pending.delete(request)
    if (one?.signal) stops.leave(one.signal, request)
    return one
  }
  const refuse = (request: string, problem: Problem) => {
    const one = pending.get(request)
    if (!one) return
    if (!isTemporary(problem)) {
      settle(request)
      one.reject(new Refusal(problem, one.sends))
      return
    }
    one.timer = setTimeout(
      () => {
        delete one.timer
        send(one)
      },
      1000 * (problem.retryAfter ?? 1),
    )
  }
  return {
    ask: (question, signal) =>
      new Promise((resolve, reject) => {
        const { state } = link()
        if (state === 'closed' || state === 'refused') {
          reject(new ApiError(state === 'closed' ? CLOSED : REFUSED))
          return
        }
        if (signal?.aborted) {
          reject(signal.reason as Error)
          return
        }
        const request = makeKey()
        const one: Pending = { frame: { ...question, request }, sends: 0, signal, resolve, reject }
        pending.set(request, one)
        if (signal) stops.join(signal, request)
        send(one)
      }),
    onOpen() {
      for (const one of pending.values()) send(one)
    },
    fail(problem) {
      for (const request of [...pending.keys()]) settle(request)?.reject(new ApiError(problem))
    },
    onFrame(frame) {
      if (frame.type === 'admitted') answer(settle(frame.request), frame.record)
      else if (frame.type === 'result') answer(settle(frame.request), frame.value)
      else if (frame.type === 'refused' && frame.request !== undefined) refuse(frame.request, frame.problem)
    },
  }
}

function answer(one: Pending | undefined, value: unknown): void {
  one?.resolve({ value, sends: one.sends })
}

// One listener a signal, however many wait under it: they may be hundreds.
function createStops(onStop: (name: string, reason: unknown) => void) {
  const groups = new Map<AbortSignal, { names: Set<string>; stop(): void }>()
  return {
    join(signal: AbortSignal, name: string) {
      const known = groups.get(signal)
      if (known) {
        known.names.add(name)
        return
      }
      const names = new Set([name])
      const stop = () => {
        for (const each of [...names]) onStop(each, signal.reason)
      }
      groups.set(signal, { names, stop })
      signal.addEventListener('abort', stop, { once: true })
    },
    leave(signal: AbortSignal, name: string) {
      const group = groups.get(signal)
      if (!group?.names.delete(name) || group.names.size > 0) return
      groups.delete(signal)
      signal.removeEventListener('abort', group.stop)
    },
  }
}
