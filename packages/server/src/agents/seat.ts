import { runSession } from '@maru/agent'
import { type Live, type LiveBus, LogError, type Recorded } from '@maru/protocol'
import { type OwnHistory, uniqueHex } from '@maru/store'
import type { Agent, ServerOptions, Workshop } from '../ports.ts'
import { catchUp, createGlance, type Glance, hasWork, pendingOf, takeFact } from './glance.ts'
import type { Place, Places } from './places.ts'
import { findRoot } from './roots.ts'
import { createStoppableLog } from './stoppable-log.ts'

export interface SeatOptions {
  id: string
  own: OwnHistory
  live: LiveBus
  workshop: Workshop
  roots: readonly string[]
  places: Places
  /** How long an agent stays open for the next input. */
  restMs: number
  onLog: ServerOptions['onLog']
  /** Nobody works here any more. */
  onEmpty(): void
}

const RETRIES = 8

type Phase = 'looking' | 'queued' | 'working' | 'elsewhere' | 'resting'

/** Where one session is worked on, by one agent at a time. */
export interface Seat {
  readonly phase: Phase
  readonly glance: Glance
  /** There may be something to do. */
  wake(): void
  /** Lets go of an agent that only rests. */
  retire(): void
  /** Stops where it can be resumed. */
  close(): Promise<void>
}

export function createSeat(options: SeatOptions): Seat {
  const { id, own, live, workshop, roots, places, restMs, onLog, onEmpty } = options
  const glance = createGlance()
  const stop = new AbortController()
  const gate = createStoppableLog(own.log)
  let phase: Phase = 'looking'
  let isWanted = false
  let loop: Promise<void> | undefined
  let opened: { agent: Agent; following: AbortController; followed: Promise<void> } | undefined
  let place: Place | undefined
  let rest: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let retries = 0
  let closing: Promise<void> = Promise.resolve()
  let isStale = false
  let told = ''

  const tell = (state: Extract<Live, { type: 'session-state' }>['state'], detail?: string) => {
    const event: Live = { type: 'session-state', state, ...(detail !== undefined && { detail }) }
    const said = JSON.stringify(event)
    if (said !== told) live.publish(id, event)
    told = said
  }

  function wake(): void {
    if (stop.signal.aborted) return
    isWanted = true
    clearTimeout(rest)
    clearTimeout(retry)
    retry = undefined
    loop ??= goOn()
  }

  async function goOn(): Promise<void> {
    try {
      while (isWanted && !stop.signal.aborted) {
        isWanted = false
        await catchUp(glance, { log: own.log, id }, takeIn)
        if (!hasWork(glance)) break
        const root = await findRoot(roots, glance.start?.cwd ?? '')
        if (root === undefined) {
          // Somebody else's to do, maybe: nothing is written.
          tell('ended', `agents of this server may not work in ${glance.start?.cwd ?? 'no folder'}`)
          break
        }
        await takePlace(root)
        retries = 0
      }
    } catch (error) {
      onLog({ level: 'error', event: 'agent-failed', session: id, message: messageOf(error) })
      tell('ended', 'the session could not be worked on')
      // A database that restarts is back before long.
      const isPassing = error instanceof LogError && error.code === 'failed' && retries < RETRIES
      if (isPassing && !stop.signal.aborted) retry = setTimeout(wake, 1_000 * 2 ** retries++)
    }
    loop = undefined
    if (isWanted && !stop.signal.aborted) wake()
    else settleDown()
  }

  async function takePlace(root: string): Promise<void> {
    place = await places.take(stop.signal, () => {
      phase = 'queued'
      tell('starting', 'waits until another agent is done')
    })
    if (!place) return
    phase = 'working'
    try {
      await work(root)
    } finally {
      place.leave()
      place = undefined
      // What is read from here on has been done: nobody is told of it as if it went on.
      if (phase === 'working') phase = 'resting'
    }
  }

  async function work(root: string): Promise<void> {
    let agent: Agent
    try {
      // An agent is not put together for a session that runs elsewhere.
      await (await own.log.lease(id)).release()
      agent = await openAgent(root)
    } catch (error) {
      if (isOver(error)) phase = 'elsewhere'
      else if (error instanceof LogError) throw error
      else await failToOpen(error)
      return
    }
    tell('busy')
    tellWork()
    try {
      await runSession(agent.deps, id, stop.signal)
      tell('ready')
    } catch (error) {
      if (!isOver(error)) throw error
      // Another runner has it, or the server is stopping: whatever is left to do is done there, or later.
      phase = 'elsewhere'
      told = ''
    }
  }

  async function openAgent(root: string): Promise<Agent> {
    if (isStale) await closeAgent()
    isStale = false
    if (opened) return opened.agent
    await closing
    tell('starting')
    const { provider, model, mode } = glance.work.settings
    const agent = await workshop.openAgent({
      id,
      root,
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
      log: gate.log,
      blobs: own.blobs,
      live,
      onNotice: (line) => tell('busy', line),
    })
    const following = new AbortController()
    opened = { agent, following, followed: follow(following.signal) }
    return agent
  }

  async function follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const record of own.log.follow(id, glance.seq, signal)) takeIn(record)
    } catch (error) {
      // Whoever runs the session is told by the log itself; this only listens.
      if (!signal.aborted) onLog({ level: 'warn', event: 'agent-deaf', session: id, message: messageOf(error) })
    }
  }

  function takeIn(record: Recorded): void {
    if (!takeFact(glance, record)) return
    opened?.agent.fact(record)
    // Chosen in the middle of a run it is the agent's to follow; for the next run all is set up anew.
    if (record.type === 'settings-change') isStale = true
    if (phase === 'working') tellWork()
  }

  // Also before the first fact: a run that is taken up may have waited for a person all along.
  function tellWork(): void {
    const { approvals, questions } = pendingOf(glance)
    const isWaiting = approvals.length + questions.length > 0
    place?.setWaiting(isWaiting)
    if (isWaiting) tell('needs-input')
    else if (glance.work.run) tell('busy')
  }

  // What was said is answered, so that every door sees why nothing came of it, also later. A run that is open stays so:
  // it can go on when what is missing is there.
  async function failToOpen(error: unknown): Promise<void> {
    const detail = messageOf(error)
    onLog({ level: 'warn', event: 'agent-unavailable', session: id, message: detail })
    tell('ended', detail)
    const { run, inputs } = glance.work
    if (run || inputs.length === 0) return
    try {
      const lease = await own.log.lease(id)
      const runId = uniqueHex(32)
      try {
        await own.log.append(id, { epoch: lease.epoch, expect: lease.last }, [
          { type: 'run-start', runId, inputs: inputs.map(({ seq }) => seq) },
          { type: 'run-end', runId, reason: 'failed', detail },
        ])
      } finally {
        await lease.release()
      }
    } catch (failure) {
      if (!isOver(failure)) throw failure
    }
  }

  function settleDown(): void {
    if (stop.signal.aborted) return
    if (phase === 'elsewhere' || !opened) {
      retire()
      return
    }
    phase = 'resting'
    rest = setTimeout(retire, restMs)
    rest.unref()
  }

  function retire(): void {
    clearTimeout(rest)
    void closeAgent().then(leave)
  }

  function leave(): void {
    if (!loop && !opened && !retry) onEmpty()
  }

  function closeAgent(): Promise<void> {
    const leaving = opened
    opened = undefined
    if (!leaving) return closing
    leaving.following.abort()
    closing = closing
      .then(() => leaving.followed)
      .then(() => leaving.agent.close())
      .catch((error: unknown) => {
        onLog({ level: 'warn', event: 'agent-close', session: id, message: messageOf(error) })
      })
    return closing
  }

  return {
    get phase() {
      return phase
    },
    glance,
    wake,
    retire() {
      if (phase === 'resting' && !loop) retire()
    },
    async close() {
      const { approvals, questions } = pendingOf(glance)
      if (approvals.length + questions.length > 0) gate.shut()
      stop.abort()
      clearTimeout(rest)
      clearTimeout(retry)
      await loop
      await closeAgent()
    },
  }
}

function isOver(error: unknown): boolean {
  return error instanceof LogError && ['held', 'conflict', 'moved', 'newer', 'closed', 'missing'].includes(error.code)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
