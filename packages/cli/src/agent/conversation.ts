import { compactSession, runSession } from '@maru/agent'
import type { Answer, DoorFact, RecordedOf } from '@maru/protocol'
import { uniqueHex } from '@maru/store'
import { CliError, usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import type { Choice } from '../config/load-config.ts'
import { explainError } from '../report-error.ts'
import { person } from '../session/door.ts'
import { createSessionMasking } from '../session/masking.ts'
import type { OpenSession } from '../session/open-session.ts'
import { admitAnswer, admitApproval, approvalKey, questionKey } from '../session/prompter.ts'
import { toInput, type WorkOptions } from '../session/work-on.ts'
import { printable } from '../terminal/printable.ts'
import { diffSession, undoLastRun } from './changed-files.ts'
import { checkChoice } from './check-choice.ts'
import type { Conversation, ConversationEvents, ConversationSettings, UndoReport } from './conversation-contract.ts'
import { createOtherDoors, type OtherDoors } from './other-doors.ts'
import { localSource, type OpenSource, type SessionSource, type SittingSession } from './session-source.ts'
import { openSitting, type Sitting, type SittingPlace } from './sitting.ts'

export type { Conversation, ConversationEvents, ConversationSettings, UndoReport } from './conversation-contract.ts'

/** Opens the session that the options mean; what happened in it before comes first, as past facts. */
export async function openConversation(
  given: Invocation,
  options: WorkOptions,
  events: ConversationEvents,
  openSource: OpenSource = localSource,
): Promise<Conversation> {
  // Nothing may be written to a terminal that somebody draws on.
  const notice = { value: async (line: string) => events.notice(line) }
  const invocation = Object.create(given, { notice }) as Invocation
  const masking = createSessionMasking(invocation)
  const place = { invocation, options, events, masking }
  const source = openSource(invocation, masking.maskStored)
  try {
    return new LocalConversation({ place, source }, await openSitting(place, () => source.open(options)))
  } catch (error) {
    await source.close()
    throw error
  }
}

/** The agent in this process, on one session after another. */
class LocalConversation implements Conversation {
  readonly #place: SittingPlace
  readonly #source: SessionSource
  readonly #end = new AbortController()
  readonly #signal: AbortSignal
  readonly #others: OtherDoors
  #sitting: Sitting
  #working: Promise<void> | undefined
  #condensing: AbortController | undefined
  #chosen: Choice = {}
  #closed: Promise<void> | undefined

  constructor({ place, source }: { place: SittingPlace; source: SessionSource }, sitting: Sitting) {
    this.#place = place
    this.#source = source
    this.#sitting = sitting
    this.#signal = AbortSignal.any([place.invocation.signal, this.#end.signal])
    this.#others = createOtherDoors({
      t: place.invocation.t,
      notice: place.events.notice,
      work: () => this.#startWorking(),
      goOn: () => this.#goOn(),
      choose: (choice) => void this.#heed(choice).catch(this.#tell),
    })
    this.#listen()
  }

  get sessionId(): string {
    return this.#sitting.session.id
  }

  get session(): OpenSession {
    return this.#sitting.session
  }

  get state(): 'idle' | 'working' {
    return this.#working ? 'working' : 'idle'
  }

  get isLeftOpen(): boolean {
    const { run, inputs } = this.#sitting.tally.work
    return !this.#working && (run !== undefined || inputs.length > 0)
  }

  get settings(): ConversationSettings {
    const { chosen, sandboxState: sandbox } = this.#sitting.deps
    const { provider, model, mode, effort } = chosen
    const root = this.#place.invocation.repo()
    return { provider, model, mode, ...(effort !== undefined && { effort }), root, sandbox }
  }

  async say(text: string, delivery: 'steer' | 'queue'): Promise<void> {
    const { session, tally, until } = this.#sitting
    const words = await this.#place.masking.admit(text)
    const { seq } = await this.#admit(await toInput(session, words, delivery))
    // From here on either the run under way knows of it, or whoever ends that run does.
    await until(() => tally.last >= seq)
    this.#startWorking()
  }

  async interrupt(): Promise<void> {
    const { tally, until } = this.#sitting
    const isIdle = () => !this.#working
    this.#condensing?.abort()
    // Before a run has begun there is nothing that a fact could stop.
    await until(() => tally.work.run !== undefined || isIdle())
    const { run } = tally.work
    if (!run || isIdle()) return
    await this.#admit({ type: 'interrupt', key: `interrupt ${run.runId}`, by: person })
    await until(() => tally.work.run?.runId !== run.runId || isIdle())
  }

  async approve(
    ask: RecordedOf<'approval-ask'>,
    answer: { option: 'allow' | 'always' | 'deny'; words?: string },
  ): Promise<void> {
    this.#others.own(approvalKey(ask))
    await admitApproval(ask, answer, { session: this.#sitting.session, masking: this.#place.masking })
    this.#goOn()
  }

  async answer(questionId: string, answer: Answer): Promise<void> {
    this.#others.own(questionKey(questionId))
    await admitAnswer(questionId, answer, { session: this.#sitting.session, masking: this.#place.masking })
    this.#goOn()
  }

  async change(choice: Choice): Promise<void> {
    const { invocation, events } = this.#place
    const { notice } = checkChoice(choice, { ...(await invocation.config()), t: invocation.t })
    await this.#choose(choice)
    this.#chosen = { ...this.#chosen, ...choice }
    if (notice !== undefined) events.notice(notice)
    events.changed()
  }

  async compact(words?: string): Promise<{ before: number; after: number } | undefined> {
    const { session, deps, catchUp } = this.#sitting
    return this.#occupy(async () => {
      this.#condensing = new AbortController()
      const signal = AbortSignal.any([this.#signal, this.#condensing.signal])
      try {
        const focus = words === undefined ? undefined : await this.#place.masking.admit(words)
        return await compactSession(deps, session.id, { signal, ...(focus !== undefined && { focus }) })
      } finally {
        this.#condensing = undefined
        await catchUp()
      }
    })
  }

  diff(): Promise<string> {
    return diffSession(this.#place.invocation, this.#sitting.session, this.#signal)
  }

  async undo(): Promise<UndoReport> {
    const { session, catchUp } = this.#sitting
    return this.#occupy(async () => {
      const undone = await undoLastRun(this.#place.invocation, session, this.#signal)
      await catchUp()
      return undone
    })
  }

  async fork(at?: number): Promise<void> {
    const { session, tally } = this.#sitting
    const seq = await this.#forkPoint(at ?? tally.last)
    await this.#moveTo(() => this.#source.fork(session, seq))
    await this.#bringChoice()
  }

  async open(id: string): Promise<void> {
    if (id === this.sessionId) return
    await this.#moveTo(() => this.#source.open({ resume: id, mustExist: true }))
    this.#chosen = {}
  }

  async begin(): Promise<void> {
    await this.#moveTo(() => this.#source.open({}))
    await this.#bringChoice()
  }

  usage(): ReturnType<Conversation['usage']> {
    const { tally, deps } = this.#sitting
    const { tokens, money, contextTokens } = tally
    return {
      tokens: { ...tokens },
      ...(money !== undefined && { money }),
      context: { tokens: contextTokens, limit: deps.settings.context?.limit ?? 0 },
    }
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#end.abort()
      await this.#working
      await this.#sitting.close()
      await this.#source.close()
    })()
    return this.#closed
  }

  async #choose(choice: Choice): Promise<void> {
    const apply = await this.#sitting.deps.choose(choice)
    await this.#admit({ type: 'settings-change', key: uniqueHex(32), by: person, ...choice })
    apply()
  }

  // What the person chose here goes with them, also where the other session does not know of it.
  async #bringChoice(): Promise<void> {
    const { chosen } = this.#sitting.deps
    const missing = Object.entries(this.#chosen).filter(([name, value]) => chosen[name as keyof Choice] !== value)
    if (missing.length > 0) await this.#choose(Object.fromEntries(missing))
  }

  #admit(fact: DoorFact) {
    const { log, id } = this.#sitting.session
    this.#others.own(fact.key)
    return log.admit(id, fact)
  }

  // Where nobody else can come in there is nobody to listen to.
  #listen(): void {
    if (this.#sitting.session.live) this.#sitting.onFresh = this.#others.fact
  }

  // Chosen at another door; it stands in the log already.
  async #heed(choice: Choice): Promise<void> {
    const apply = await this.#sitting.deps.choose(choice)
    apply()
    this.#place.events.changed()
  }

  readonly #tell = (error: unknown): void => {
    const { events, invocation } = this.#place
    events.notice(printable(explainError(error, { t: invocation.t, verbose: false }).message))
  }

  // An answer that an earlier process waited for: what it was doing goes on here.
  #goOn(): void {
    if (this.#sitting.tally.work.run) this.#startWorking()
  }

  #startWorking(): void {
    if (this.#working || this.#closed || this.#signal.aborted) return
    const { session, deps, tally, catchUp } = this.#sitting
    const run = async () => {
      do {
        try {
          await runSession(deps, session.id, this.#signal)
        } finally {
          // Also when it fails, everything that happened is shown before it is said to be over.
          await catchUp()
        }
      } while (tally.work.inputs.length > 0 && !this.#signal.aborted)
    }
    this.#occupy(run).then(() => {
      // Said in the very moment in which it ended.
      if (tally.work.inputs.length > 0) this.#startWorking()
    }, this.#tell)
  }

  // One thing at a time.
  async #occupy<T>(act: () => Promise<T>): Promise<T> {
    const { invocation, events } = this.#place
    if (this.#working) throw new CliError('busy', invocation.t('agent.busy'))
    const done = act()
    this.#working = done.then(
      () => undefined,
      () => undefined,
    )
    events.changed()
    try {
      return await done
    } finally {
      this.#working = undefined
      this.#sitting.wake()
      events.changed()
    }
  }

  // The session that is left is shown until the other can be.
  async #moveTo(open: () => Promise<SittingSession>): Promise<void> {
    const { events } = this.#place
    const old = this.#sitting
    await this.#occupy(async () => {
      this.#sitting = await openSitting(this.#place, open, async () => {
        await old.close()
        events.reset()
      })
      this.#listen()
    })
  }

  // In front of an input, so that it can be said otherwise; behind anything else.
  async #forkPoint(at: number): Promise<number> {
    const { log, id } = this.#sitting.session
    for await (const record of log.read(id, at - 1)) {
      if (record.seq === at) return record.type === 'input-admit' ? at - 1 : at
      break
    }
    throw usageError(this.#place.invocation.t('agent.no-fork-point', { seq: at }))
  }
}
