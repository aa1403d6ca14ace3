import { LogError, type Recorded } from '@maru/protocol'
import { costOf, findModel } from '@maru/providers'
import type { ConversationEvents } from '../../agent/conversation-contract.ts'
import { createSignal } from '../../agent/signal.ts'
import { createTally, type Tally } from '../../agent/tally.ts'
import type { Invocation } from '../../command.ts'
import { modelOverrides } from '../../session/model-side.ts'
import type { OpenSession } from '../../session/open-session.ts'
import { servedDirectory } from '../../undo/served-trees.ts'
import type { ServerLink } from '../link.ts'
import { sessionOver } from '../session-over.ts'
import { createInTurn } from './in-turn.ts'

/** One session of a server while it is looked at from here. */
export interface Sight {
  readonly session: OpenSession
  readonly tally: Tally
  /** What its facts say of where it works and with what. */
  readonly seen: Readonly<Seen>
  /** Waits until what was shown says so, or nobody looks any more. */
  until(isSo: () => boolean): Promise<void>
  /** What it was waited for may have changed by other means than a fact. */
  wake(): void
  close(): void
}

interface Seen {
  provider?: string
  model?: string
  cwd?: string
  readonly limit: number
  /** How the last run ended. */
  reason?: string
}

export interface SightPlace {
  readonly invocation: Invocation
  readonly link: ServerLink
  readonly events: ConversationEvents
  /** A fact that was not there when looking began. */
  onFresh(record: Recorded): void
  /** The session was erased. */
  onGone(): void
}

/** Shows a session from its first fact on, then what is under way in it, then what comes. `onReady` is called before anything is shown. */
export async function openSight(
  { invocation, link, events, onFresh, onGone }: SightPlace,
  id: string,
  onReady: () => void = () => undefined,
): Promise<Sight> {
  const { settings } = await invocation.config()
  const overrides = modelOverrides(settings.models ?? {})
  const tally = createTally((model, usage) => costOf(findModel(model, overrides), usage))
  let level = 0
  const seen: Seen = {
    // What the model could take, until somebody says what it may.
    get limit() {
      return level || (this.model === undefined ? 0 : findModel(this.model, overrides).window)
    },
  }
  const waiting = new Set<() => void>()
  const inTurn = createInTurn((event) => {
    if (event.type === 'context-level') level = event.limit
    events.live(event)
  })
  let isReady = false
  let isPast = true
  let isOver = false
  const wake = () => {
    for (const one of [...waiting]) one()
    waiting.clear()
  }
  const ready = () => {
    if (!isReady) onReady()
    isReady = true
  }
  const take = (record: Recorded) => {
    ready()
    tally.take(record)
    note(seen, record)
    events.fact(record, isPast)
    inTurn.fact(record)
    if (!isPast) onFresh(record)
  }
  const caughtUp = createSignal<void>()
  const following = link.listen(id, 0, {
    facts(facts) {
      for (const record of facts) take(record)
      wake()
    },
    open(turn) {
      ready()
      isPast = false
      inTurn.open(turn)
      caughtUp.give()
    },
    live: (event) => inTurn.live(event),
    gone(problem) {
      isOver = true
      wake()
      if (isPast) caughtUp.fail(new LogError('missing', problem?.detail ?? id))
      else onGone()
    },
  })
  try {
    await caughtUp.given
  } catch (error) {
    following.stop()
    throw error
  }
  return {
    session: sessionOver(link, { id, directory: servedDirectory(invocation.home) }),
    tally,
    seen,
    wake,
    async until(isSo) {
      while (!isSo() && !isOver) await new Promise<void>((resolve) => waiting.add(resolve))
    },
    close() {
      isOver = true
      following.stop()
      wake()
    },
  }
}

function note(seen: Seen, record: Recorded): void {
  if (record.type === 'session-start' && record.cwd !== undefined) seen.cwd = record.cwd
  if (record.type === 'run-end') seen.reason = record.reason
  if (record.type !== 'turn-start' && record.type !== 'settings-change') return
  if (record.provider !== undefined) seen.provider = record.provider
  if (record.model !== undefined) seen.model = record.model
}
