import type { Connection } from './link.ts'

/** Watches a connection and decides when it is lost for good. */
export interface Patience {
  /** Aborted when nobody waits for the server any more. */
  readonly over: AbortSignal
  /** The call's own result, unless the server is given up before there is one. */
  until<T>(call: Promise<T>): Promise<T | typeof GAVE_UP>
  close(): void
}

export const GAVE_UP = Symbol('gave-up')

export interface PatienceOptions {
  /** How long a server that went away is waited for. */
  readonly graceMs: number
  onCut(): void
  onBack(): void
}

export function createPatience(connection: Connection, { graceMs, onCut, onBack }: PatienceOptions): Patience {
  const over = new AbortController()
  const waiting = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  const wake = () => {
    for (const one of [...waiting]) one()
  }
  const giveUp = () => {
    over.abort()
    wake()
  }
  const look = () => {
    if (over.signal.aborted) return
    if (connection.isUp) {
      if (timer) onBack()
      clearTimeout(timer)
      timer = undefined
    } else if (connection.isRefused) {
      clearTimeout(timer)
      giveUp()
    } else if (!timer) {
      timer = setTimeout(giveUp, graceMs)
      onCut()
    }
  }
  const stopListening = connection.onChange(look)
  look()
  return {
    over: over.signal,
    until(call) {
      // Heard also where nobody waits for it any more.
      call.catch(() => undefined)
      let giveIn: () => void = () => undefined
      const gaveUp = new Promise<typeof GAVE_UP>((resolve) => {
        giveIn = () => {
          if (over.signal.aborted) resolve(GAVE_UP)
        }
      })
      waiting.add(giveIn)
      giveIn()
      return Promise.race([call, gaveUp]).finally(() => waiting.delete(giveIn))
    },
    close() {
      stopListening()
      clearTimeout(timer)
    },
  }
}
