import type { api, SessionInfo } from '@maru/protocol'
import type { OwnHistory } from '@maru/store'
import { catchUp, createGlance, type Glance, pendingOf } from './glance.ts'

/** Sessions that may still wait for somebody are looked into; older ones stand still until somebody speaks there. */
const LOOKED_INTO = 50
const RECENT_MS = 7 * 86_400_000
const KEPT = 200

/** What was seen of sessions that nobody works on here, by name; the next look reads only what is new. */
export type Seen = Map<string, { changedAt: number; glance: Glance }>

/** Where a page ends, and how many sessions were looked into by then: pages that follow each other share what may be. */
export interface Place {
  no: number
  looks: number
}

interface Listing {
  own: OwnHistory
  limit: number
  behind?: Place
  now: number
  seen: Seen
  /** The seat of a session that is worked on here. */
  seatOf(id: string): { glance: Glance; state: api.Session['state'] } | undefined
  isElsewhere(id: string): boolean
}

/** Sessions of agents and how they stand, the youngest first: a page of them. */
export async function listSessions(listing: Listing): Promise<{ items: api.Session[]; end?: Place }> {
  const { own, limit, behind, now, seen, seatOf, isElsewhere } = listing
  const sessions: api.Session[] = []
  let end: Place | undefined
  let looks = behind?.looks ?? 0
  for await (const { no, info } of own.conversations.sessions(behind?.no)) {
    if (!isOfAgent(info)) continue
    // Only now is it known that there is one more.
    if (sessions.length >= limit) return { items: sessions, ...(end && { end }) }
    const seat = seatOf(info.id)
    const elsewhere = !seat && isElsewhere(info.id)
    // Without a folder nobody works there, so nobody waits.
    const mayWait = info.start?.cwd !== undefined && now - info.changedAt < RECENT_MS && looks < LOOKED_INTO
    if (seat) sessions.push(describeSession(info, seat.state, seat.glance))
    else if (elsewhere || mayWait) {
      looks++
      const glance = await look(own, info, seen)
      const { approvals, questions } = pendingOf(glance)
      const idle = approvals.length + questions.length > 0 ? 'waiting' : 'idle'
      sessions.push(describeSession(info, elsewhere ? 'elsewhere' : idle, glance))
    } else sessions.push(describeSession(info, 'idle'))
    end = { no, looks }
  }
  return { items: sessions }
}

export function describeSession(info: SessionInfo, state: api.Session['state'], glance?: Glance): api.Session {
  const { id, title, start, startedAt, changedAt } = info
  return {
    id,
    ...(title !== undefined && { title }),
    ...(start?.cwd !== undefined && { repo: start.cwd }),
    state,
    startedAt,
    changedAt,
    ...(glance ? pendingOf(glance) : { approvals: [], questions: [] }),
  }
}

function isOfAgent({ start }: SessionInfo): boolean {
  return start !== undefined && ['maru', 'acp', 'pty'].includes(start.agent.kind)
}

async function look({ owner, log }: OwnHistory, { id, changedAt }: SessionInfo, seen: Seen): Promise<Glance> {
  const name = `${owner}/${id}`
  const known = seen.get(name)
  const glance = known?.glance ?? createGlance()
  // The last to be asked for stays longest.
  seen.delete(name)
  if (known?.changedAt !== changedAt) {
    try {
      await catchUp(glance, { log, id })
    } catch {
      // Erased since it was listed, or it cannot be read: then nothing is known to be pending there.
      return createGlance()
    }
  }
  seen.set(name, { changedAt, glance })
  for (const oldest of seen.keys()) {
    if (seen.size <= KEPT) break
    seen.delete(oldest)
  }
  return glance
}
