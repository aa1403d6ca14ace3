import type { Live, LiveBus, OpenTurn, Recorded, SessionLog } from '@maru/protocol'
import { type FactsFrame, printFacts, printLive } from './print-frames.ts'

/** Somebody who has read a session up to `last` and wants what comes. */
export interface Member {
  last: number
  readonly isFull: boolean
  sendBytes(frame: Buffer): void
  sendOpen(open: OpenTurn): void
  /** It cannot take more now: it comes back when it can, by reading. */
  onBehind(): void
  /** The session was erased. */
  onGone(): void
  /** The log cannot be followed now. */
  onBroken(error: unknown): void
}

/** A session that somebody follows here. Each event is printed once, however many listen. */
export interface Channel {
  /** False, if too much happened since the member read: it has to read on. */
  join(member: Member): boolean
  leave(member: Member): void
}

// Between the end of a member's reading and its joining there is hardly time for more.
const RECENT = 256

// Of text that comes all at once, so much makes one frame.
const LONG_PIECE = 16 * 1024

interface Session {
  id: string
  log: SessionLog
  live: LiveBus
  /** Up to where its first member has read. */
  after: number
  onEmpty(): void
}

/**
 * Follows a session once for all its members. Facts and live events leave in the order in which they happened: a turn's
 * text behind its start and ahead of its end. They are gathered until the microtasks are done, for a fact takes a few more
 * of them on its way here than a live event that was told after it.
 */
export function openChannel({ id, log, live, after, onEmpty }: Session): Channel {
  const members = new Set<Member>()
  const stop = new AbortController()
  let last = after
  let recent: Recorded[] = []
  let waiting: (Recorded | Live)[] = []
  let endedTurn: string | undefined
  let isScheduled = false

  const heard = live.subscribe(id, (event) => {
    if (event.type === 'text-delta' && event.turnId === endedTurn) {
      // Told too late: it stands in the turn's fact.
      live.settle(id, { turnId: event.turnId })
      return
    }
    waiting.push(event)
    schedule()
  })
  void follow()

  async function follow(): Promise<void> {
    let failure: { error: unknown } | undefined
    try {
      for await (const record of log.follow(id, last, stop.signal)) take(record)
    } catch (error) {
      failure = { error }
    }
    flush()
    const left = [...members]
    members.clear()
    close()
    for (const member of left) {
      if (failure) member.onBroken(failure.error)
      else member.onGone()
    }
  }

  function take(record: Recorded): void {
    last = record.seq
    recent.push(record)
    if (recent.length > 2 * RECENT) recent = recent.slice(-RECENT)
    settle(live, id, record)
    if (record.type === 'turn-end' || record.type === 'turn-fail') endedTurn = record.turnId
    const place = waiting.findIndex((event) => isBehind(event, record))
    if (place < 0) waiting.push(record)
    else waiting.splice(place, 0, record)
    schedule()
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      flush()
    })
  }

  function flush(): void {
    const events = waiting
    if (events.length === 0) return
    waiting = []
    for (let at = 0; at < events.length; ) {
      const event = events[at] as Recorded | Live
      let next = at + 1
      if ('seq' in event) {
        while (next < events.length && 'seq' in (events[next] as Recorded | Live)) next++
        const facts = events.slice(at, next) as Recorded[]
        for (const frame of printFacts(id, facts)) spreadFacts(frame, facts)
      } else {
        let whole: Live = event
        for (; next < events.length; next++) {
          const longer = join(whole, events[next] as Recorded | Live)
          if (!longer) break
          whole = longer
        }
        spread(printLive(id, whole))
      }
      at = next
    }
  }

  function spread(frame: Buffer): void {
    for (const member of members) {
      if (member.isFull) turnAway(member)
      else member.sendBytes(frame)
    }
  }

  function spreadFacts(frame: FactsFrame, facts: Recorded[]): void {
    for (const member of members) {
      if (member.last >= frame.last) continue
      if (member.isFull) turnAway(member)
      else {
        if (member.last < frame.first) member.sendBytes(frame.bytes)
        else sendFacts(member, facts)
        member.last = frame.last
      }
    }
  }

  function sendFacts(member: Member, facts: Recorded[]): void {
    const missing = facts.filter(({ seq }) => seq > member.last)
    for (const { bytes } of printFacts(id, missing)) member.sendBytes(bytes)
    member.last = missing.at(-1)?.seq ?? member.last
  }

  function turnAway(member: Member): void {
    members.delete(member)
    member.onBehind()
    if (members.size === 0) close()
  }

  function close(): void {
    stop.abort()
    heard.close()
    onEmpty()
  }

  return {
    join(member) {
      flush()
      if (stop.signal.aborted) return false
      if (member.last < last) {
        const first = recent[0]
        if (!first || first.seq > member.last + 1) return false
        sendFacts(member, recent)
      }
      members.add(member)
      const { open, close: closeLook } = live.subscribe(id, () => undefined)
      closeLook()
      member.sendOpen(open)
      return true
    },
    leave(member) {
      if (members.delete(member) && members.size === 0) close()
    },
  }
}

/** What has become a fact is no longer under way, also where its runner died before it could say so. */
export function settle(live: LiveBus, id: string, record: Recorded): void {
  if (record.type === 'turn-end' || record.type === 'turn-fail') live.settle(id, { turnId: record.turnId })
  else if (record.type === 'tool-end') live.settle(id, { callId: record.callId })
}

function isBehind(event: Recorded | Live, record: Recorded): boolean {
  if (record.type === 'turn-start') return event.type === 'text-delta' && event.turnId === record.turnId
  return record.type === 'tool-start' && event.type === 'tool-progress' && event.callId === record.callId
}

// Two pieces of text that stand side by side are one.
function join(one: Live, other: Recorded | Live): Live | undefined {
  const isSame =
    (one.type === 'text-delta' &&
      other.type === 'text-delta' &&
      one.turnId === other.turnId &&
      one.part === other.part) ||
    (one.type === 'tool-progress' && other.type === 'tool-progress' && one.callId === other.callId)
  if (!isSame || !('offset' in one) || !('offset' in other) || one.text.length > LONG_PIECE) return undefined
  return other.offset === one.offset + one.text.length ? { ...one, text: one.text + other.text } : undefined
}
