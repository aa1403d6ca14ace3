import type { Live, OpenTurn, Problem, Recorded, ServerFrame } from '@maru/protocol'
import type { Link } from './link.ts'
import { readFact } from './read-fact.ts'

/** Whoever follows a session: facts come once and in order, across any number of cuts. */
export interface Follower {
  facts(facts: Recorded[]): void
  /** What the text of the open turn is now, whatever was heard of it before. */
  open?(open: OpenTurn): void
  live?(live: Live): void
  /** The session was erased, or never was: nothing comes any more. */
  gone?(problem?: Problem): void
  /** How many facts it can take now; the others come again after `resume`. */
  readonly room?: number
}

export interface Following {
  /** The last fact it was given. */
  readonly last: number
  resume(): void
  stop(): void
}

export interface Follows {
  add(id: string, after: number, follower: Follower): Following
  onOpen(): void
  onFrame(frame: ServerFrame): void
}

interface Place {
  last: number
  /** Something came, so the session was there. */
  isFound: boolean
  follower: Follower
}

interface Session {
  places: Set<Place>
  /** A follow was sent that has not caught up: what comes before is answered by it. */
  isAsked: boolean
}

/** One follow a session on the wire, from the place of whoever is furthest behind; the others pass over what they have. */
export function createFollows(link: () => Link): Follows {
  const sessions = new Map<string, Session>()

  const ask = (id: string) => {
    const session = sessions.get(id)
    if (!session) return
    const after = Math.min(...[...session.places].map(({ last }) => last))
    session.isAsked = link().send({ type: 'follow', id, after })
  }
  const leave = (id: string, place: Place) => {
    const session = sessions.get(id)
    if (!session?.places.delete(place) || session.places.size > 0) return
    sessions.delete(id)
    link().send({ type: 'unfollow', id })
  }
  const tell = (id: string, session: Session, frame: ServerFrame) => {
    for (const place of [...session.places]) {
      const { follower } = place
      // One told before it may have sent this one away.
      if (!session.places.has(place)) continue
      if (frame.type === 'facts') {
        const isGap = give(place, frame.facts)
        if (isGap && !session.isAsked) ask(id)
      } else if (frame.type === 'open') {
        place.isFound = true
        follower.open?.(frame.open)
      } else if (frame.type === 'live') follower.live?.(frame.live)
    }
  }
  const end = (id: string, problem: Problem | undefined) => {
    // A server that cannot look now is asked again.
    if (problem?.status === 503) {
      setTimeout(() => ask(id), 1000 * (problem.retryAfter ?? 1))
      return
    }
    const places = [...(sessions.get(id)?.places ?? [])]
    sessions.delete(id)
    for (const { follower, isFound } of places)
      follower.gone?.(isFound && problem?.code === 'missing' ? undefined : problem)
  }

  return {
    add(id, after, follower) {
      const session = sessions.get(id) ?? { places: new Set(), isAsked: false }
      const place: Place = { last: after, isFound: false, follower }
      sessions.set(id, session)
      session.places.add(place)
      ask(id)
      return {
        get last() {
          return place.last
        },
        resume: () => ask(id),
        stop: () => leave(id, place),
      }
    },
    onOpen() {
      for (const id of sessions.keys()) ask(id)
    },
    onFrame(frame) {
      if (frame.type === 'gone') return end(frame.id, frame.problem)
      if (frame.type !== 'facts' && frame.type !== 'open' && frame.type !== 'live') return
      const session = sessions.get(frame.id)
      if (!session) return
      if (frame.type === 'open') session.isAsked = false
      tell(frame.id, session, frame)
    },
  }
}

// Facts are dense, so the next one is known by its number. Says whether some are missing in between.
function give(place: Place, facts: Recorded[]): boolean {
  const room = place.follower.room ?? facts.length
  const fresh: Recorded[] = []
  for (const fact of facts) {
    if (fact.seq > place.last + 1) break
    if (fact.seq <= place.last || fresh.length >= room) continue
    place.last = fact.seq
    fresh.push(readFact(fact))
  }
  if (fresh.length > 0) {
    place.isFound = true
    place.follower.facts(fresh)
  }
  return room > 0 && (facts[0]?.seq ?? 0) > place.last + 1
}
