import { randomUUID } from 'node:crypto'
import { runSession } from '@maru/agent'
import { type EndReason, type Recorded, spillParts } from '@maru/protocol'
import { createLiveBus } from '@maru/store'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { createDeps } from './create-deps.ts'
import { type Door, person, survey, type Watched, watchSession } from './door.ts'
import { inOrder } from './in-order.ts'
import { createJsonDoor } from './json-door.ts'
import { type OpenSession, openSession } from './open-session.ts'
import { createPrompter } from './prompter.ts'
import { createTextDoor } from './text-door.ts'

export interface WorkOptions {
  hasTools: boolean
  isDryRun?: boolean
  session?: string | undefined
  resume?: string | undefined
  continue?: boolean
  outputSchema?: string | undefined
}

/** A session that is being worked on from this terminal. */
export interface Work {
  session: OpenSession
  /** Says something and works until nothing is left to do. Without words: finishes what was left open. */
  say(text: string | undefined): Promise<{ reason: EndReason; watched: Watched }>
  close(): Promise<void>
}

/** Opens a session and everything that it takes to work on it. */
export async function startWork(invocation: Invocation, options: WorkOptions): Promise<Work> {
  const { t, json, signal, isInteractive } = invocation
  const session = await openSession(invocation, options)
  const isVerbose = invocation.options.verbose || options.isDryRun === true
  const door: Door = inOrder(json ? createJsonDoor(invocation) : createTextDoor(invocation, isVerbose))
  const prompter = createPrompter(invocation, session)
  const live = createLiveBus()
  live.subscribe(session.id, door.live)
  const deps = await createDeps(invocation, {
    session,
    live,
    hasTools: options.hasTools,
    isDryRun: options.isDryRun === true,
    isAttended: isInteractive && !json,
    outputSchema: options.outputSchema,
    onRetry: (waitMs, reason) =>
      door.notice(t('session.retry', { reason: printable(reason), seconds: Math.ceil(waitMs / 1000) })),
  })
  let flushing = Promise.resolve()
  const ask = (record: Recorded) => {
    if (!deps.settings.isUnattended) prompter.fact(record)
  }
  const onFact = (record: Recorded) => {
    if (record.type === 'turn-end' || record.type === 'turn-fail') {
      flushing = flushing.then(() => deps.flushRaw(record.turnId))
    }
    door.fact(record)
    ask(record)
  }
  return {
    session,
    async say(text) {
      const { last, pending } = await survey(session)
      const { done: reason, watched } = await watchSession(session, { after: last, onFact }, async () => {
        if (text !== undefined) await admit(session, text)
        // What an earlier process asked is still open: it is put to the person who is here now.
        for (const record of pending) ask(record)
        return runSession(deps, session.id, signal)
      })
      const { usage } = watched
      await door.end(json ? { reason, text: watched.text, usage, session: session.id } : undefined)
      return { reason, watched }
    },
    async close() {
      prompter.close()
      await flushing
      await session.log.close()
    },
  }
}

async function admit({ log, blobs, id }: OpenSession, text: string): Promise<void> {
  const parts = await spillParts([{ type: 'text', text }], id, blobs)
  await log.admit(id, { type: 'input-admit', key: randomUUID(), by: person, delivery: 'queue', parts })
}

/** What a script learns from how a run ended; a failure is told as an error. */
export async function exitOf(
  { t, notice }: Invocation,
  { reason, watched }: { reason: EndReason; watched: Watched },
): Promise<ExitCode> {
  if (reason === 'failed') throw new CliError('failed', watched.detail ?? t('ending.failed'))
  if (reason !== 'done') await notice(t('session.ended', { reason: t(`ending.${reason}`) }))
  if (reason === 'interrupted') return EXIT.interrupted
  if (reason !== 'done') return EXIT.limit
  return watched.denied > 0 ? EXIT.denied : EXIT.done
}
