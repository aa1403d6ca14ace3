import type { Live, LiveBus, OpenTurn } from '@maru/protocol'
import type { Connection } from './connect.ts'
import { wait } from './link.ts'
import { createOpenTexts, type OpenTexts } from './open-text.ts'

/** Often enough for an eye, seldom enough for a wire. */
const GATHER_MS = 16
/** A socket that has this much to send yet is given nothing that may wait. */
const BUSY_BYTES = 256 * 1024
/** Of one live event: longer text goes in several. */
const LONGEST = 64 * 1024
/** With more than this waiting, what is open is told anew instead. */
const MOST_WAITING = 1_000
const AGAIN_MS = 50
const LONGEST_AGAIN_MS = 5_000

interface Session {
  texts: OpenTexts
  state?: Extract<Live, { type: 'session-state' }>
  listeners: Set<(live: Live) => void>
}

/**
 * Tells a server what its runner does, so that every other door sees it. Pieces that stand side by side go together. What
 * happens while the server is away is told from the beginning when it is back. Subscribers hear what is published here.
 */
export function createRemoteLive(connection: Connection): LiveBus & { close(): void } {
  const sessions = new Map<string, Session>()
  let waiting: { id: string; live: Live }[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  // A server takes nothing from who does not hold the lease there yet, and a piece behind one that it did not take would
  // make a hole: so after each opening the whole is told first, until it was taken.
  let phase: 'behind' | 'asking' | 'told' = 'behind'
  let refusals = 0

  const at = (id: string): Session => {
    const session = sessions.get(id) ?? { texts: createOpenTexts(), listeners: new Set() }
    sessions.set(id, session)
    return session
  }
  const tidy = (id: string) => {
    const session = sessions.get(id)
    if (session && session.listeners.size === 0 && !session.state && isEmpty(openOf(session))) sessions.delete(id)
  }
  const send = (events: { id: string; live: Live }[]) => {
    for (const { id, live } of events) {
      for (const piece of cut(live)) connection.send({ type: 'publish', id, live: piece })
    }
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (connection.state !== 'open' || phase === 'asking') return
    const events = phase === 'told' ? waiting : [...sessions].flatMap(([id, session]) => retell(id, session))
    waiting = []
    send(events)
    if (phase === 'told' || events.length === 0) return
    phase = 'asking'
    connection.whenTaken(() => {
      if (phase !== 'asking') return
      phase = 'told'
      refusals = 0
      schedule()
    })
  }
  const schedule = (ms = GATHER_MS) => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (connection.buffered > BUSY_BYTES) schedule()
      else flush()
    }, ms)
  }
  const fallBehind = () => {
    phase = 'behind'
    waiting = []
    clearTimeout(timer)
    timer = undefined
  }
  const stopListening = connection.onState((state) => {
    fallBehind()
    // Not at once: whoever holds the lease renews it first.
    if (state === 'open') schedule()
  })
  const stopHearing = connection.onProblem(({ code }) => {
    if (code !== 'not-held' || phase === 'behind') return
    fallBehind()
    schedule(wait(refusals++, AGAIN_MS, LONGEST_AGAIN_MS))
  })

  return {
    publish(id, live) {
      const session = at(id)
      if (live.type === 'text-delta' || live.type === 'tool-progress') session.texts.hear(live)
      else if (live.type === 'session-state') session.state = live
      for (const listener of [...session.listeners]) listener(live)
      tidy(id)
      if (phase !== 'behind') gather(waiting, { id, live })
      // So much is told anew with less.
      if (waiting.length > MOST_WAITING) fallBehind()
      schedule()
    },
    subscribe(id, listener) {
      const session = at(id)
      const own = (live: Live) => listener(live)
      session.listeners.add(own)
      return {
        open: structuredClone(openOf(session)),
        close() {
          session.listeners.delete(own)
          tidy(id)
        },
      }
    },
    settle(id, done) {
      const { texts } = at(id)
      if (phase === 'told') flush()
      if ('turnId' in done) texts.endTurn(done.turnId)
      else texts.endCall(done.callId)
      tidy(id)
      waiting = waiting.filter((event) => event.id !== id || !isOf(event.live, done))
      connection.send({ type: 'settle', id, ...done })
    },
    close() {
      fallBehind()
      stopListening()
      stopHearing()
    },
  }
}

function gather(waiting: { id: string; live: Live }[], event: { id: string; live: Live }): void {
  const before = waiting.at(-1)
  const longer = before?.id === event.id ? join(before.live, event.live) : undefined
  if (before && longer) before.live = longer
  else waiting.push({ ...event })
}

function isOf(live: Live, done: { turnId: string } | { callId: string }): boolean {
  if ('turnId' in done) return live.type === 'text-delta' && live.turnId === done.turnId
  return live.type === 'tool-progress' && live.callId === done.callId
}

function openOf({ texts, state }: Session): OpenTurn {
  const turn = texts.turns().at(-1)
  return {
    ...(turn && { turnId: turn.turnId }),
    parts: turn?.parts ?? [],
    progress: Object.fromEntries(texts.outputs().map(({ callId, offset, text }) => [callId, { offset, text }])),
    ...(state && { state }),
  }
}

function retell(id: string, session: Session): { id: string; live: Live }[] {
  const { turnId, parts, progress, state } = openOf(session)
  const texts = parts.flatMap((text, part): Live[] =>
    turnId === undefined || text === '' ? [] : [{ type: 'text-delta', turnId, part, offset: 0, text }],
  )
  const outputs = Object.entries(progress).map(([callId, piece]): Live => ({ type: 'tool-progress', callId, ...piece }))
  return [...(state ? [state] : []), ...texts, ...outputs].map((live) => ({ id, live }))
}

function isEmpty({ turnId, progress }: OpenTurn): boolean {
  return turnId === undefined && Object.keys(progress).length === 0
}

function join(one: Live, other: Live): Live | undefined {
  const isSame =
    (one.type === 'text-delta' &&
      other.type === 'text-delta' &&
      one.turnId === other.turnId &&
      one.part === other.part) ||
    (one.type === 'tool-progress' && other.type === 'tool-progress' && one.callId === other.callId)
  if (!isSame || !('offset' in one) || !('offset' in other)) return undefined
  return other.offset === one.offset + one.text.length ? { ...one, text: one.text + other.text } : undefined
}

function cut(live: Live): Live[] {
  if (!('offset' in live) || live.text.length <= LONGEST) return [live]
  const pieces: Live[] = []
  for (let at = 0; at < live.text.length; at += LONGEST) {
    pieces.push({ ...live, offset: live.offset + at, text: live.text.slice(at, at + LONGEST) })
  }
  return pieces
}
