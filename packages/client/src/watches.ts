import type { Change, ServerFrame } from '@maru/protocol'
import type { Link } from './link.ts'

export interface Watches {
  /** Each change of any session of mine. A `reset` says that some may be missing: read your lists anew. */
  add(cursor: string | undefined, listener: (change: Change) => void): () => void
  onOpen(): void
  onFrame(frame: ServerFrame): void
}

/** One watch on the wire, whose cursor goes on across cuts. */
export function createWatches(link: () => Link): Watches {
  const listeners = new Set<(change: Change) => void>()
  let cursor: string | undefined
  let isSent = false
  // What an earlier watch had on its way is not for this one.
  let begins = 0
  let hasWatched = false

  const ask = () => {
    // Changes that nobody gave a cursor for can be lost in a cut: only a reset is right then.
    const isLost = isSent && cursor === undefined
    const sent = link().send({ type: 'watch', ...(cursor !== undefined && { cursor }) })
    if (isLost && sent) for (const listener of [...listeners]) listener(RESET)
    isSent ||= sent
  }
  return {
    add(from, listener) {
      // A second listener, given again, is a second one.
      const own = (change: Change) => listener(change)
      const isFirst = listeners.size === 0
      listeners.add(own)
      if (isFirst) {
        cursor = from
        isSent = false
        if (hasWatched) begins = link().mark()
        hasWatched = true
        ask()
      } else if (from !== undefined && from !== cursor) own({ ...RESET, ...(cursor !== undefined && { cursor }) })
      return () => {
        if (!listeners.delete(own) || listeners.size > 0) return
        link().send({ type: 'unwatch' })
      }
    },
    onOpen() {
      begins = 0
      if (listeners.size > 0) ask()
    },
    onFrame(frame) {
      if (frame.type !== 'change' || listeners.size === 0 || !link().isPast(begins)) return
      cursor = frame.change.cursor
      for (const listener of [...listeners]) listener(frame.change)
    },
  }
}

// No server honours this cursor, so whoever comes back with it is told to read anew.
const RESET = { cursor: '', reset: true } as const
