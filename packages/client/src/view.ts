import {
  type Actor,
  type api,
  type Entry,
  type Live,
  type OpenTurn,
  type Recorded,
  type RecordedOf,
  takeFinished,
  transcript,
} from '@maru/protocol'
import { createOpenTexts, type OpenText, type RunningOutput } from './open-text.ts'

/** Something that waits for a person, and who answered if somebody has: the first answer wins. */
export interface Approval {
  ask: RecordedOf<'approval-ask'>
  answer?: RecordedOf<'approval-answer'>
}

export interface PendingQuestion {
  ask: RecordedOf<'question-ask'>
  answer?: RecordedOf<'question-answer'>
}

/** What a door shows of a session. */
export interface Shown {
  title?: string
  /** Entries that can no longer change, oldest first. */
  finished: readonly Entry[]
  /** Entries whose calls are still under way, and what stands behind them. */
  waiting: readonly Entry[]
  /** What the model is saying. More than one only while the fact of the first is on its way. */
  turns: OpenText[]
  outputs: RunningOutput[]
  /** Asked and not yet acted upon. */
  approvals: Approval[]
  questions: PendingQuestion[]
  /** The run that is under way. */
  runId?: string
  state?: Extract<Live, { type: 'session-state' }>
  contextLevel?: Extract<Live, { type: 'context-level' }>
  present: Extract<Live, { type: 'presence' }>[]
}

export interface View {
  /** The last fact it has: what to follow from. */
  readonly last: number
  facts(facts: readonly Recorded[]): void
  open(open: OpenTurn): void
  live(live: Live): void
  /** Older rows, to stand before what is there. */
  prepend(rows: readonly api.Message[]): void
  read(): Shown
}

export interface ViewOptions {
  /** A page of messages to start from, oldest first. Facts are taken from behind the last of them. */
  rows?: readonly api.Message[]
  /** Where the facts begin, if not behind the last row. */
  after?: number
  onChange?(): void
}

/** A session as a door shows it, from its facts and what happens live. It is a `Follower`: hand it to `listen`. */
export function createView({ rows = [], after, onChange = () => undefined }: ViewOptions = {}): View {
  const state = transcript.create()
  const texts = createOpenTexts()
  const finished: Entry[] = rows.map(entryOf)
  const approvals = new Map<string, Approval>()
  const questions = new Map<string, PendingQuestion>()
  const present = new Map<string, Extract<Live, { type: 'presence' }>>()
  let last = after ?? rows.at(-1)?.seq ?? 0
  let runId: string | undefined
  let sessionState: Shown['state']
  let contextLevel: Shown['contextLevel']

  const apply = (record: Recorded) => {
    transcript.apply(state, record)
    switch (record.type) {
      case 'turn-end':
      case 'turn-fail':
        texts.endTurn(record.turnId)
        break
      case 'tool-end':
        texts.endCall(record.callId)
        endCall(record.callId)
        break
      case 'approval-ask':
        approvals.set(record.callId, { ask: record })
        break
      case 'approval-answer':
        answerApproval(record)
        break
      case 'question-ask':
        questions.set(record.questionId, { ask: record })
        break
      case 'question-answer':
        answerQuestion(record)
        break
      case 'run-start':
        runId = record.runId
        break
      case 'run-end':
        runId = undefined
        texts.endAll()
        approvals.clear()
        questions.clear()
        break
      default:
    }
  }
  const endCall = (callId: string) => {
    approvals.delete(callId)
    for (const [name, { ask }] of questions) if (ask.callId === callId) questions.delete(name)
  }
  const answerApproval = (answer: RecordedOf<'approval-answer'>) => {
    const one = approvals.get(answer.callId)
    // An answer to what was asked before the arguments were changed is none to this.
    if (one && one.ask.actionHash === answer.actionHash) one.answer ??= answer
  }
  const answerQuestion = (answer: RecordedOf<'question-answer'>) => {
    const one = questions.get(answer.questionId)
    if (one) one.answer ??= answer
  }

  return {
    get last() {
      return last
    },
    facts(facts) {
      for (const record of facts) {
        // What comes again after a cut was shown already.
        if (record.seq <= last) continue
        last = record.seq
        apply(record)
      }
      finished.push(...takeFinished(state))
      onChange()
    },
    open(open) {
      texts.meet(open)
      sessionState = open.state
      onChange()
    },
    live(live) {
      if (live.type === 'text-delta' || live.type === 'tool-progress') texts.hear(live)
      else if (live.type === 'session-state') sessionState = live
      else if (live.type === 'context-level') contextLevel = live
      else if (live.state === 'gone') present.delete(nameOf(live.by))
      else present.set(nameOf(live.by), live)
      onChange()
    },
    prepend(older) {
      const first = finished[0]?.seq ?? state.waiting[0]?.seq ?? Number.POSITIVE_INFINITY
      finished.unshift(...older.filter(({ seq }) => seq < first).map(entryOf))
      onChange()
    },
    read: () => ({
      ...(state.title !== undefined && { title: state.title }),
      finished,
      waiting: state.waiting,
      turns: texts.turns(),
      outputs: texts.outputs(),
      approvals: [...approvals.values()],
      questions: [...questions.values()],
      ...(runId !== undefined && { runId }),
      ...(sessionState && { state: sessionState }),
      ...(contextLevel && { contextLevel }),
      present: [...present.values()],
    }),
  }
}

// A row has the words of a message; its calls are told of by facts alone.
function entryOf({ seq, at, role, content, model }: api.Message): Entry {
  return {
    kind: 'message',
    seq,
    at,
    role: role === 'note' ? 'system' : role,
    parts: [{ type: 'text', text: content }],
    steps: [],
    ...(model !== undefined && { model }),
  }
}

function nameOf({ kind, id, door }: Actor): string {
  return `${kind} ${id} ${door ?? ''}`
}
