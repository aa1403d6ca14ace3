import { work } from '@maru/agent'
import type { Recorded } from '@maru/protocol'
import { costOf, findModel } from '@maru/providers'
import { createLiveBus } from '@maru/store'
import type { Invocation } from '../command.ts'
import { inOrder } from '../session/in-order.ts'
import type { SessionMasking } from '../session/masking.ts'
import { modelOverrides } from '../session/model-side.ts'
import { type PreparedDeps, prepareDeps } from '../session/prepare-deps.ts'
import type { WorkOptions } from '../session/work-on.ts'
import { printable } from '../terminal/printable.ts'
import { tellFailure } from '../terminal/tell-failure.ts'
import type { ConversationEvents } from './conversation-contract.ts'
import type { SittingSession } from './session-source.ts'
import { createTally, type Tally } from './tally.ts'

/** One session while it is open here: shown from its first fact on, and everything it takes to work on it. */
export interface Sitting {
  readonly session: SittingSession
  readonly deps: PreparedDeps
  readonly tally: Tally
  /** Waits until what was shown says so. */
  until(isSo: () => boolean): Promise<void>
  /** Shows everything that is in the log by now. */
  catchUp(): Promise<void>
  /** What it was waited for may have changed by other means than a fact. */
  wake(): void
  /** Told of each fact that was not there at first, once it was shown. */
  onFresh: ((record: Recorded) => void) | undefined
  close(): Promise<void>
}

/** What all sessions that are opened one after another share. */
export interface SittingPlace {
  invocation: Invocation
  options: WorkOptions
  events: ConversationEvents
  masking: SessionMasking
}

/**
 * Opens a session and shows what was there, then what comes. `onReady` is called when nothing is known that could go wrong
 * any more, before anything is shown.
 */
export async function openSitting(
  place: SittingPlace,
  open: () => Promise<SittingSession>,
  onReady: () => Promise<void> = async () => undefined,
): Promise<Sitting> {
  const { invocation, events } = place
  const { session, deps } = await prepare(place, open)
  const { log, id, begun } = session
  await onReady()
  const { settings } = await invocation.config()
  const overrides = modelOverrides(settings.models ?? {})
  const tally = createTally((model, usage) => costOf(findModel(model, overrides), usage))
  for await (const record of log.read(id)) {
    tally.take(record)
    events.fact(record, record.seq !== begun?.seq)
  }
  const door = inOrder({
    past: () => undefined,
    live: events.live,
    fact: (record) => events.fact(record, false),
    notice: events.notice,
    end: async () => undefined,
  })
  const hearing = deps.live.subscribe(id, door.live)
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const one of [...waiting]) one()
    waiting.clear()
  }
  const take = (record: Recorded) => {
    if (record.seq <= tally.last) return
    tally.take(record)
    deps.fact(record)
    door.fact(record)
    wake()
    sitting.onFresh?.(record)
  }
  const stop = new AbortController()
  let failure: { error: unknown } | undefined
  const following = (async () => {
    for await (const record of log.follow(id, tally.last, stop.signal)) take(record)
  })().catch((error: unknown) => {
    failure = { error }
    wake()
  })
  const sitting: Sitting = {
    session,
    deps,
    tally,
    wake,
    onFresh: undefined,
    async until(isSo) {
      while (!isSo()) {
        if (failure) throw failure.error
        if (stop.signal.aborted) return
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
    async catchUp() {
      for await (const record of log.read(id, tally.last)) take(record)
    },
    async close() {
      stop.abort()
      wake()
      await following
      hearing.close()
      await deps.close()
      // Nobody would look for a session in which nothing was ever said.
      if (begun && !tally.isUsed) await log.erase(id)
      await log.close()
    },
  }
  return sitting
}

// What can be wrong with the settings is said before a session is begun for nothing.
async function prepare({ invocation, options, events, masking }: SittingPlace, open: () => Promise<SittingSession>) {
  const makeDeps = await prepareDeps(invocation, options, masking)
  const session = await open()
  const { t } = invocation
  try {
    const { state: past } = await session.reach(session.id, work)
    const deps = await makeDeps({
      session,
      live: session.live ?? createLiveBus(),
      isDryRun: options.isDryRun === true,
      isAttended: true,
      past,
      onRetry: (waitMs, reason) =>
        events.notice(
          t('session.retry', { reason: printable(tellFailure(reason, t)), seconds: Math.ceil(waitMs / 1000) }),
        ),
      onNotice: (line) => events.notice(t('session.no-snapshot', { reason: printable(line) })),
    })
    return { session, deps }
  } catch (error) {
    await session.log.close()
    throw error
  }
}
