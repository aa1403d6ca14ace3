/** Time and chance, as a parameter. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after this time, unless the function it gives is called before. */
  after(ms: number, callback: () => void): () => void
  /** A number from 0 to 1. */
  random(): number
}

/** The time and chance of this process. */
export const realTimers: Timers = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
  random: Math.random,
}

/** Waits; false when the signal aborted first. */
export function sleep(ms: number, timers: Timers, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const cancel = timers.after(ms, () => done(true))
    const onAbort = () => done(false)
    const done = (isOver: boolean) => {
      cancel()
      signal.removeEventListener('abort', onAbort)
      resolve(isOver)
    }
    signal.addEventListener('abort', onAbort)
  })
}
