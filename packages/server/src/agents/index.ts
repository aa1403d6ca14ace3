import { type api, type DoorFact, type Recorded, spillParts } from '@maru/protocol'
import { newSessionId, type OwnHistory, uniqueHex } from '@maru/store'
import { actorOf } from '../access/identify.ts'
import { refusal } from '../http/problem.ts'
import type { Agents, Inside } from '../inside.ts'
import type { Elsewhere } from './elsewhere.ts'
import { catchUp, createGlance, hasWork, hasWorkOfItsOwn, pendingOf } from './glance.ts'
import { describeSession, listSessions, type Place, type Seen } from './list-sessions.ts'
import { createPlaces } from './places.ts'
import { findRoot } from './roots.ts'
import { createSeat, type Seat } from './seat.ts'

export interface AgentsOptions {
  /** How long an agent stays open after a run for the next input. */
  restMs?: number
  /** How long a runner elsewhere has to take up what was said in its session. */
  yieldMs?: number
}

/** Those that the socket door tells of runners elsewhere. */
export interface LocalAgents extends Agents {
  setElsewhere(elsewhere: Elsewhere): void
  /** Takes up runs that the end of a process has cut short. Done by itself at the start. */
  resume(): Promise<void>
}

const REST_MS = 5 * 60_000
const YIELD_MS = 3_000
// What was cut short longer ago waits for somebody to say so.
const RESUMED_MS = 86_400_000
const LOOKED_AT = 50
// A session that takes the server down with it is not tried for ever.
const MOST_CUTS = 3
const WAKING = new Set<Recorded['type']>(['input-admit', 'approval-answer', 'question-answer', 'interrupt'])

/**
 * Agents at work in this process: at most one for a session, so many at a time, each as long as it has something to do.
 * Doors never talk to them: what a door admits to the log is what they follow.
 */
export function createAgents(
  inside: Inside,
  { restMs = REST_MS, yieldMs = YIELD_MS }: AgentsOptions = {},
): LocalAgents {
  const { options, limits } = inside
  const { onLog, now, roots, workshop } = options
  const places = createPlaces(limits.agents, (busy) => inside.gauge('agents_running', busy))
  inside.gauge('agents_running', 0)
  const seats = new Map<string, Seat>()
  const seen: Seen = new Map()
  const yielding = new Set<NodeJS.Timeout>()
  const underWay = new Set<Promise<unknown>>()
  let elsewhere: Elsewhere = { isHeld: () => false, isHere: () => false }
  let isClosing = false

  function keep(work: Promise<unknown>): void {
    const kept = work
      .catch((error: unknown) => {
        onLog({ level: 'error', event: 'agents', message: error instanceof Error ? error.message : String(error) })
      })
      .finally(() => underWay.delete(kept))
    underWay.add(kept)
  }

  async function takeUp(owner: string, id: string): Promise<void> {
    const own = await inside.ownOf(owner)
    if (isClosing) return
    const name = `${owner}/${id}`
    let seat = seats.get(name)
    if (!seat) {
      seat = createSeat({
        id,
        own,
        live: inside.liveOf(owner),
        workshop,
        roots,
        places,
        restMs,
        onLog,
        onEmpty: () => {
          if (seats.get(name) === seat) seats.delete(name)
        },
      })
      seats.set(name, seat)
    }
    seat.wake()
    retireSome()
  }

  // Agents that only rest hold files and processes: no more of them than may work.
  function retireSome(): void {
    const resting = [...seats.values()].filter(({ phase }) => phase === 'resting')
    for (const seat of resting.slice(0, Math.max(0, resting.length - limits.agents))) seat.retire()
  }

  function wake(owner: string, id: string): void {
    if (isClosing || elsewhere.isHeld(owner, id)) return
    if (seats.has(`${owner}/${id}`) || !elsewhere.isHere(owner, id)) {
      keep(takeUp(owner, id))
      return
    }
    // A terminal that has worked on it is still there and goes first.
    const timer = setTimeout(() => {
      yielding.delete(timer)
      if (!elsewhere.isHeld(owner, id)) keep(takeUp(owner, id))
    }, yieldMs)
    yielding.add(timer)
  }

  function stateOf({ phase, glance }: Seat): api.Session['state'] {
    if (phase === 'elsewhere') return 'elsewhere'
    if (phase === 'queued') return 'waiting'
    const { approvals, questions } = pendingOf(glance)
    if (approvals.length + questions.length > 0) return 'waiting'
    // An agent that has ended its run may still be putting its things away.
    const isAtWork = phase === 'looking' || (phase === 'working' && hasWork(glance))
    return isAtWork ? 'running' : 'idle'
  }

  async function resumeOf(owner: string): Promise<void> {
    const own = await inside.ownOf(owner)
    let looked = 0
    for await (const { id, changedAt, start } of own.log.list()) {
      if (isClosing) return
      // A terminal's own sessions are its own to resume; without a folder nobody works.
      const isOurs = start?.agent.kind === 'maru' && start.door !== 'terminal' && start.cwd !== undefined
      if (!isOurs || now() - changedAt > RESUMED_MS) continue
      if (++looked > LOOKED_AT) return
      try {
        const glance = createGlance()
        await catchUp(glance, { log: own.log, id })
        // One that was only tagged or archived since is as old as it was.
        if (now() - glance.at > RESUMED_MS) continue
        if (hasWorkOfItsOwn(glance) && glance.cuts < MOST_CUTS) wake(owner, id)
      } catch (error) {
        // One that cannot be read, or was erased meanwhile, keeps no other from going on.
        onLog({
          level: 'warn',
          event: 'agent-unread',
          session: id,
          error: error instanceof Error ? error.name : 'unknown',
        })
      }
    }
  }

  async function resume(): Promise<void> {
    if (roots.length === 0) return
    for (const { id } of await options.access.people()) {
      if (isClosing) return
      await resumeOf(id)
    }
  }

  const starting = setTimeout(() => keep(resume()), 0)

  return {
    async start(key, wish, by = actorOf(key)) {
      const root = await findRoot(roots, wish.repo)
      if (root === undefined) {
        throw refusal('root-refused', 'GET /api/v1/repositories lists where agents of this server may work')
      }
      const owner = key.person.id
      const own = await inside.ownOf(owner)
      const id = newSessionId(now())
      // What begins at a terminal is taken for its own to run, and to resume; this one runs here, whoever wanted it.
      const door = by.door === undefined || by.door === 'terminal' ? 'api' : by.door
      const record = await own.log.create(id, { agent: { kind: 'maru' }, door, cwd: root })
      for (const fact of await firstFacts(own, id, { wish, by })) await own.log.admit(id, fact)
      if (wish.input !== undefined) wake(owner, id)
      const state = wish.input === undefined ? 'idle' : 'running'
      const start = { agent: { kind: 'maru' as const }, door, cwd: root }
      return describeSession({ id, startedAt: record.at, changedAt: record.at, start }, state)
    },
    async list(key, { limit, cursor }) {
      const owner = key.person.id
      const { items, end } = await listSessions({
        own: await inside.ownOf(owner),
        limit,
        ...(cursor !== undefined && { behind: readPlace(cursor) }),
        now: now(),
        seen,
        seatOf: (id) => {
          const seat = seats.get(`${owner}/${id}`)
          return seat && { glance: seat.glance, state: stateOf(seat) }
        },
        isElsewhere: (id) => elsewhere.isHeld(owner, id),
      })
      return { items, ...(end && { nextCursor: `${end.no}.${end.looks}` }) }
    },
    isAtWork(owner, id) {
      const seat = seats.get(`${owner}/${id}`)
      return seat?.phase === 'working' && hasWork(seat.glance)
    },
    wake,
    onAdmitted(owner, id, record) {
      if (WAKING.has(record.type)) wake(owner, id)
    },
    setElsewhere(given) {
      elsewhere = given
    },
    resume,
    async close() {
      isClosing = true
      clearTimeout(starting)
      for (const timer of yielding) clearTimeout(timer)
      await Promise.allSettled([...seats.values()].map((seat) => seat.close()))
      await Promise.allSettled(underWay)
    },
  }
}

function readPlace(cursor: string): Place {
  const [, no, looks] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  if (no === undefined) throw refusal('bad-query', 'this is not a place in this list', { at: 'cursor' })
  return { no: Number(no), looks: Number(looks) }
}

// What was chosen for the session stands in it, so that whoever goes on with it has it too.
async function firstFacts(
  own: OwnHistory,
  id: string,
  { wish, by }: { wish: api.NewSession; by: DoorFact['by'] },
): Promise<DoorFact[]> {
  const { provider, model, mode, input } = wish
  const facts: DoorFact[] = []
  if (provider !== undefined || model !== undefined || mode !== undefined) {
    facts.push({
      type: 'settings-change',
      key: uniqueHex(32),
      by,
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
    })
  }
  if (input !== undefined) {
    const parts = await spillParts([{ type: 'text', text: input }], id, own.blobs)
    facts.push({ type: 'input-admit', key: uniqueHex(32), by, delivery: 'queue', parts })
  }
  return facts
}
