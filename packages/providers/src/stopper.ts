import type { Failure } from '@maru/protocol'
import { type Addressee, failureOfConnection } from './failure.ts'
import type { Timers } from './timers.ts'

/** Watches over one try: it stops when its caller wants so or when the model has been silent for too long. */
export interface Stopper {
  /** For the transport: aborted when the try stops. */
  readonly signal: AbortSignal
  readonly isStopped: boolean
  /** The value of a promise, or why there is none: it broke, or the try was stopped, which waits for nobody. */
  guard<T>(work: Promise<T>): Promise<{ value: T } | { broken: Failure }>
  /** The model is at work. */
  beat(): void
  /** The answer has been read: its connection may be used again. */
  keep(): void
  /** Ends the watch, and destroys the connection unless it is to be kept. */
  release(): void
}

export interface Watched {
  signal: AbortSignal
  timers: Timers
  idleMs: number
  to: Addressee
}

export function createStopper({ signal, timers, idleMs, to }: Watched): Stopper {
  const inner = new AbortController()
  let lastBeat = timers.now()
  let reason: Failure | undefined
  let isKept = false
  let wake: ((broken: { broken: Failure }) => void) | undefined

  function halt(failure: Failure): void {
    reason ??= failure
    inner.abort()
    wake?.({ broken: reason })
  }
  const onAbort = () => halt({ code: 'aborted', message: 'interrupted' })
  signal.addEventListener('abort', onAbort)

  // One timer that looks at the clock when it fires: setting one anew for each event would cost more than the event.
  let cancel = timers.after(idleMs, checkIdle)
  function checkIdle(): void {
    const left = lastBeat + idleMs - timers.now()
    if (left > 0) cancel = timers.after(left, checkIdle)
    else halt({ code: 'timeout', message: `${to.host} sent no event for ${Math.round(idleMs / 1000)} s: try again` })
  }
  if (signal.aborted) onAbort()

  return {
    signal: inner.signal,
    get isStopped() {
      return reason !== undefined
    },
    guard<T>(work: Promise<T>) {
      return new Promise<{ value: T } | { broken: Failure }>((resolve) => {
        const done = (outcome: { value: T } | { broken: Failure }) => {
          wake = undefined
          resolve(outcome)
        }
        wake = done
        work.then(
          (value) => done({ value }),
          (error: unknown) => done({ broken: reason ?? failureOfConnection(error, to) }),
        )
        if (reason !== undefined) done({ broken: reason })
      })
    },
    beat() {
      lastBeat = timers.now()
    },
    keep() {
      isKept = true
    },
    release() {
      cancel()
      signal.removeEventListener('abort', onAbort)
      if (!isKept) inner.abort()
    },
  }
}
