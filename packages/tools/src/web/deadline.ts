/** A signal that follows the caller's and aborts by itself when the time is over. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Why it was aborted, if it was. */
  readonly cause: 'interrupted' | 'timeout' | undefined
  /** Lets go of the caller's signal and of the clock. May be called twice. */
  close(): void
}

export function startDeadline(signal: AbortSignal, ms: number): Deadline {
  const controller = new AbortController()
  let cause: Deadline['cause']
  const end = (why: 'interrupted' | 'timeout') => {
    cause ??= why
    controller.abort(new Error(why))
  }
  const onAbort = () => end('interrupted')
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => end('timeout'), ms)
  return {
    signal: controller.signal,
    get cause() {
      return cause
    },
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** A promise that cannot be stopped, left behind when the signal says so. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error('aborted'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
