import type { DoorFact, Recorded } from '@maru/protocol'
import { uniqueHex } from '@maru/store'
import type { Conversation, ConversationEvents } from '../../agent/conversation-contract.ts'
import { tellAnswer, tellWho } from '../../agent/other-doors.ts'
import { textOf } from '../../agent/words-lines.ts'
import { CliError, usageError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import { person } from '../../session/door.ts'
import { createSessionMasking } from '../../session/masking.ts'
import { toInput } from '../../session/work-on.ts'
import { localTime } from '../../sessions/draw-list.ts'
import { printable } from '../../terminal/printable.ts'
import type { ServerLink } from '../link.ts'
import { nameSessions } from '../remote-sessions.ts'
import { openSight, type Sight } from './sight.ts'

export interface AttachOptions {
  readonly invocation: Invocation
  readonly link: ServerLink
  readonly events: ConversationEvents
  /** What is said at other doors is told, because this one does not show it by itself. */
  readonly isEchoed: boolean
  /** The session is gone. */
  onGone(): void
}

/** A conversation that somebody else runs. */
export interface Attached extends Conversation {
  /** How the last run ended, if one did. */
  readonly reason: string | undefined
  /** Waits until nothing is under way, and nothing waits to be. */
  rested(): Promise<void>
}

/** Looks at a session of a server and takes part in it. What it does there goes on without us. */
export async function attachTo(options: AttachOptions, id: string): Promise<Attached> {
  const { invocation, link, events, isEchoed, onGone } = options
  const { t } = invocation
  const masking = createSessionMasking(invocation)
  /** What was said here, by its key: whatever has another was said elsewhere. */
  const own = new Set<string>()
  let isResting = false
  const onFresh = (record: Recorded) => {
    isResting = false
    if (record.type === 'run-start' || record.type === 'run-end') events.changed()
    if (!('key' in record) || own.has(record.key)) return
    const told = tellAnswer(record, t)
    if (told !== undefined) events.notice(told)
    if (record.type === 'input-admit' && isEchoed) {
      events.notice(t('remote.said-by', { who: tellWho(record.by, t), words: printable(textOf(record.parts)) }))
    }
    if (record.type === 'settings-change') events.changed()
  }
  const look = async (wanted: string, onReady?: () => void): Promise<Sight> => {
    const found = (await link.sessions()).find((one) => one.id === wanted)
    isResting = found?.state === 'idle'
    return openSight({ invocation, link, events, onFresh, onGone }, wanted, onReady)
  }
  let sight = await look(id)
  let isClosed = false
  let saying = 0
  const isWorking = () => sight.tally.work.run !== undefined && !isResting
  // The session that is left is shown until the other can be.
  const moveTo = async (wanted: string) => {
    const old = sight
    sight = await look(wanted, () => {
      old.close()
      events.reset()
    })
    events.changed()
  }
  const admit = async (fact: DoorFact): Promise<Recorded> => {
    own.add(fact.key)
    return link.log.admit(sight.session.id, fact)
  }
  const cannot = (what: string) => new CliError('not-here', t('remote.not-here', { what }))
  return {
    get sessionId() {
      return sight.session.id
    },
    get session() {
      return sight.session
    },
    get state() {
      return isWorking() ? 'working' : 'idle'
    },
    get isLeftOpen() {
      return isResting && sight.tally.work.run !== undefined
    },
    get reason() {
      return sight.seen.reason
    },
    get settings() {
      const { settings } = sight.tally.work
      const { provider = '', model = '', cwd = '' } = sight.seen
      const { mode = 'ask', effort } = settings
      return { provider, model, mode, ...(effort !== undefined && { effort }), root: cwd, sandbox: 'unknown' as const }
    },
    async say(text, delivery) {
      saying++
      try {
        const { seq } = await admit(await toInput(sight.session, await masking.admit(text), delivery))
        isResting = false
        await sight.until(() => sight.tally.last >= seq)
      } finally {
        saying--
        sight.wake()
      }
    },
    async interrupt() {
      const { run } = sight.tally.work
      if (!run) return
      await admit({ type: 'interrupt', key: `interrupt ${run.runId}`, by: person })
      await sight.until(() => sight.tally.work.run?.runId !== run.runId || isClosed)
    },
    async approve({ callId, actionHash }, { option, words }) {
      const said = words === undefined ? {} : { words: await masking.admit(words) }
      // A key of its own, so that it is known whose answer came first.
      const key = `approval ${callId} ${uniqueHex(16)}`.slice(-200)
      await admit({ type: 'approval-answer', key, by: person, callId, actionHash, option, ...said })
    },
    async answer(questionId, said) {
      const answer = said.kind === 'words' ? { ...said, words: await masking.admit(said.words) } : said
      await admit({ type: 'question-answer', key: `question ${uniqueHex(32)}`, by: person, questionId, answer })
    },
    async change(choice) {
      await admit({ type: 'settings-change', key: uniqueHex(32), by: person, ...choice })
      events.changed()
    },
    compact: () => Promise.reject(cannot('/compact')),
    diff: () => link.diff(sight.session.id),
    async undo() {
      const { log, id: current } = sight.session
      const { readRunEffects } = await import('@maru/tools')
      const runs = await readRunEffects(log.read(current))
      const run = runs.findLast(({ effects, isUndone }) => effects.length > 0 && !isUndone)
      if (!run) throw usageError(t('undo.nothing'))
      return { runId: run.runId, task: run.task, ...(await link.undo(current, run.runId)) }
    },
    async fork(at) {
      const seq = await forkPoint(sight, at)
      if (seq === undefined) throw usageError(t('agent.no-fork-point', { seq: at ?? 0 }))
      const { forkSession } = await import('../../sessions/fork-session.ts')
      const made = await forkSession(sight.session, { seq, cwd: sight.seen.cwd ?? invocation.repo() })
      await moveTo(made.id)
    },
    async open(wanted) {
      if (wanted !== sight.session.id) await moveTo(wanted)
    },
    async others() {
      const rows = (await nameSessions(link)).filter((one) => one.id !== sight.session.id)
      return rows.map(({ id: other, name, changedAt, state }) => ({
        ...{ id: other, name, changedAt },
        detail: t('remote.row', { state: t(`remote.state-${state}`), time: localTime(changedAt) }),
      }))
    },
    async begin() {
      await moveTo(await link.begin(sight.seen.cwd ?? invocation.repo()))
    },
    usage() {
      const { tokens, money, contextTokens } = sight.tally
      return {
        tokens: { ...tokens },
        ...(money !== undefined && { money }),
        context: { tokens: contextTokens, limit: sight.seen.limit },
      }
    },
    async rested() {
      await sight.until(() => saying === 0 && !isWorking() && (isResting || sight.tally.work.inputs.length === 0))
    },
    async close() {
      isClosed = true
      sight.close()
      await link.close()
    },
  }
}

// In front of an input, so that it can be said otherwise; behind anything else.
async function forkPoint({ session, tally }: Sight, at = tally.last): Promise<number | undefined> {
  for await (const record of session.log.read(session.id, at - 1)) {
    if (record.seq === at) return record.type === 'input-admit' ? at - 1 : at
    break
  }
  return undefined
}
