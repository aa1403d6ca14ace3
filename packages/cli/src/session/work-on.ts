import { runSession, type WorkState, work } from '@maru/agent'
import { type EndReason, type FactOf, type Recorded, spillParts } from '@maru/protocol'
import { createLiveBus, uniqueHex } from '@maru/store'
import { localSource, type SessionSource } from '../agent/session-source.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { findServer, PATIENT_MS } from '../remote/find-server.ts'
import { printable } from '../terminal/printable.ts'
import { tellFailure } from '../terminal/tell-failure.ts'
import { checkAnswer } from './check-answer.ts'
import { type Door, person, type Result, survey, type Watched, watchSession } from './door.ts'
import { inOrder } from './in-order.ts'
import { createJsonDoor } from './json-door.ts'
import { createSessionMasking, type SessionMasking } from './masking.ts'
import type { OpenSession } from './open-session.ts'
import { prepareDeps } from './prepare-deps.ts'
import type { Prompter } from './prompter.ts'
import { createTextDoor } from './text-door.ts'

export interface WorkOptions {
  hasTools: boolean
  isDryRun?: boolean
  session?: string | undefined
  resume?: string | true | undefined
  continue?: boolean
  outputSchema?: string | undefined
  /** Nothing new is said: there must be something to go on with. */
  mustExist?: boolean
}

/** How it ended; `misfit` says why the answer is not what the schema asks for. */
export interface Ended {
  reason: EndReason
  watched: Watched
  misfit?: string
}

/** A session that is being worked on from this terminal. */
export interface Work {
  session: OpenSession
  /** Says something and works until nothing is left to do. Without words: finishes what was left open. */
  say(text: string | undefined): Promise<Ended>
  close(): Promise<void>
}

/** Opens a session and everything that it takes to work on it. */
export async function startWork(invocation: Invocation, options: WorkOptions): Promise<Work> {
  // What can be wrong with the settings is said before a session is begun for nothing.
  const masking = createSessionMasking(invocation)
  const makeDeps = await prepareDeps(invocation, options, masking)
  const source = (await chooseSource(invocation, options))(invocation, masking.maskStored)
  try {
    return await workFrom(source, { invocation, options, masking, makeDeps })
  } catch (error) {
    await source.close()
    throw error
  }
}

// One that is begun here lies in a file. One that is gone on with may be kept by a server by now.
async function chooseSource(invocation: Invocation, { session, resume, continue: latest }: WorkOptions) {
  const isGoingOn = session !== undefined || resume !== undefined || latest === true
  const server = isGoingOn ? await findServer(invocation, PATIENT_MS) : undefined
  if (!server) return localSource
  const { serverSource } = await import('../remote/source.ts')
  return serverSource(server, { keepsNew: false })
}

interface Prepared {
  invocation: Invocation
  options: WorkOptions
  masking: SessionMasking
  makeDeps: Awaited<ReturnType<typeof prepareDeps>>
}

async function workFrom(source: SessionSource, { invocation, options, masking, makeDeps }: Prepared): Promise<Work> {
  const { t, json, signal, isInteractive } = invocation
  const session = await source.open(options)
  if (!options.hasTools) await expectNothingOpen(session, invocation)
  const isVerbose = invocation.options.verbose || options.isDryRun === true
  const isAnswerAlone = options.outputSchema !== undefined
  const door: Door = inOrder(
    json ? createJsonDoor(invocation) : createTextDoor(invocation, { isVerbose, isAnswerAlone }),
  )
  const live = session.live ?? createLiveBus()
  live.subscribe(session.id, door.live)
  let past = session.begun ? undefined : await session.reach(session.id, work)
  const deps = await makeDeps({
    session,
    live,
    past: past?.state,
    isDryRun: options.isDryRun === true,
    isAttended: isInteractive && !json,
    onRetry: (waitMs, reason) =>
      door.notice(t('session.retry', { reason: printable(tellFailure(reason, t)), seconds: Math.ceil(waitMs / 1000) })),
    onNotice: (line) => door.notice(t('session.no-snapshot', { reason: printable(line) })),
  })
  let { begun } = session
  let prompting: Promise<Prompter> | undefined
  const ask = (record: Recorded) => {
    if (deps.settings.isUnattended || (record.type !== 'approval-ask' && record.type !== 'question-ask')) return
    prompting ??= import('./prompter.ts').then(({ createPrompter }) => createPrompter(invocation, session, masking))
    void prompting.then((prompter) => prompter.fact(record))
  }
  const onFact = (record: Recorded) => {
    deps.fact(record)
    door.fact(record)
    ask(record)
  }
  return {
    session,
    async say(text) {
      const { last, pending } = begun
        ? await survey([begun], door)
        : await lookBack(session, door, past ?? (await session.reach(session.id, work)))
      begun = undefined
      past = undefined
      const said = text === undefined ? undefined : await toInput(session, await masking.admit(text))
      const { done: reason, watched } = await watchSession(session, { after: last, onFact }, () => {
        // What an earlier process asked is still open: it is put to the person who is here now.
        for (const record of pending) ask(record)
        return runSession(deps, session.id, signal, said)
      })
      if (watched.detail !== undefined) watched.detail = tellFailure(watched.detail, t)
      const result = json || isAnswerAlone ? await resultOf(session, reason, watched) : undefined
      const fit = await checkAnswer(result, deps.settings.params.outputSchema, invocation)
      await door.end(result && { ...result, ...fit })
      return { reason, watched, ...fit }
    },
    async close() {
      ;(await prompting)?.close()
      await deps.close()
      await session.log.close()
      await source.close()
    },
  }
}

// Where no run is open, nothing is under way and nobody is asked: then a long log need not be read for it.
async function lookBack(session: OpenSession, door: Door, { state, seq }: { state: WorkState; seq: number }) {
  return state.run ? survey(session.log.read(session.id), door) : { last: seq, pending: [] }
}

async function resultOf({ id, blobs }: OpenSession, reason: EndReason, watched: Watched): Promise<Result> {
  const { said, usage, detail } = watched
  const whole = said.map(async (part) => {
    if (part.type !== 'text') return ''
    const bytes = part.blob && (await blobs.get(id, part.blob.hash))
    return bytes ? new TextDecoder().decode(bytes) : part.text
  })
  const text = (await Promise.all(whole)).join('\n')
  return { reason, text, usage, session: id, ...(detail !== undefined && { detail }) }
}

// Without tools its calls could only be reported as unknown, and an approval would be lost.
async function expectNothingOpen({ id, project, log }: OpenSession, { t }: Invocation): Promise<void> {
  const { calls } = await project(id, work)
  if (calls.every(({ state }) => state === 'ended')) return
  await log.close()
  throw usageError(t('session.open-calls', { id }))
}

/** What a person says, as it goes into the log. */
export async function toInput(
  { blobs, id }: OpenSession,
  text: string,
  delivery: 'steer' | 'queue' = 'queue',
): Promise<FactOf<'input-admit'>> {
  const parts = await spillParts([{ type: 'text', text }], id, blobs)
  return { type: 'input-admit', key: uniqueHex(32), by: person, delivery, parts }
}

/** What a script learns from how a run ended; a failure is told as an error. */
export async function exitOf(
  { t, notice, json, stderr }: Invocation,
  { reason, watched, misfit }: Ended,
): Promise<ExitCode> {
  const detail = watched.detail ?? t('ending.failed')
  // With --json the error was a line of its own, ahead of the result, which is always the last.
  if (reason === 'failed' && json) {
    await stderr.line(`maru: ${printable(detail)}`)
    return EXIT.failed
  }
  if (reason === 'failed') throw new CliError('failed', detail)
  if (misfit !== undefined && json) {
    await stderr.line(`maru: ${misfit}`)
    return EXIT.failed
  }
  if (misfit !== undefined) throw new CliError('output-schema-mismatch', misfit)
  if (reason !== 'done') await notice(t('session.ended', { reason: t(`ending.${reason}`) }))
  if (reason === 'interrupted') return EXIT.interrupted
  if (reason !== 'done') return EXIT.limit
  return watched.denied > 0 ? EXIT.denied : EXIT.done
}
