import { type Connection, connect } from '@maru/client'
import type { Live, OpenTurn, Recorded } from '@maru/protocol'
import WebSocket from 'ws'

/** A client that keeps every fact it is told, and the text of each turn as a person would have seen it. */
export interface Listener {
  readonly connection: Connection
  readonly facts: Recorded[]
  /** By turn; with it, what was wrong with how it came. */
  readonly texts: Map<string, string>
  readonly faults: string[]
  /** Its line is cut, and stays so. */
  cut(): void
  mend(): void
}

export function listenTo({ url, token }: { url: string; token: string }, id: string): Listener {
  let isCut = false
  const sockets = new Set<WebSocket>()
  class Line extends WebSocket {
    constructor(address: string, protocols?: string[], options?: object) {
      // Nobody is there.
      super(isCut ? 'ws://127.0.0.1:9/' : address, protocols, options)
      sockets.add(this)
      this.on('close', () => sockets.delete(this))
    }
  }
  const timing = { retryMs: 30, longestRetryMs: 200 }
  const connection = connect({ url, token, WebSocket: Line, door: 'api', timing })
  const facts: Recorded[] = []
  const texts = new Map<string, string>()
  const faults: string[] = []
  connection.listen(id, 0, {
    facts: (more) => void facts.push(...more),
    open({ turnId, parts }: OpenTurn) {
      if (turnId !== undefined) texts.set(turnId, parts[0] ?? '')
    },
    live(live: Live) {
      if (live.type !== 'text-delta' || live.part !== 0) return
      const { turnId, offset, text } = live
      const known = texts.get(turnId) ?? ''
      if (offset > known.length) faults.push(`a hole in ${turnId}: ${offset} behind ${known.length}`)
      const overlap = known.slice(offset, offset + text.length)
      if (!text.startsWith(overlap)) faults.push(`another text in ${turnId}: ${text} over ${overlap}`)
      if (offset + text.length > known.length) texts.set(turnId, known.slice(0, offset) + text)
    },
    gone: (problem) => void faults.push(`gone: ${problem?.code}`),
  })
  return {
    ...{ connection, facts, texts, faults },
    cut() {
      isCut = true
      for (const socket of sockets) socket.terminate()
    },
    mend() {
      isCut = false
      connection.retry()
    },
  }
}
