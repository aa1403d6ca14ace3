import type { Why } from './access.ts'
import type { Actor } from './actor.ts'
import type { FactOf } from './fact.ts'
import type { Json } from './json.ts'
import type { Failure, Stop, Usage } from './model.ts'
import type { Part } from './part.ts'
import type { Projection } from './projection.ts'
import type { Answer } from './question.ts'
import type { Envelope, Recorded, RecordedOf } from './record.ts'

/** One call inside an assistant's turn, from the asking to its outcome. */
export interface Step {
  callId: string
  tool: string
  args: Json
  state: 'ready' | 'asked' | 'running' | FactOf<'tool-end'>['outcome']
  approval?: { reason: string; why?: Why; rule?: string; answer?: { option: string; by: Actor; words?: string } }
  question?: { questionId: string; question: string; options?: string[]; answer?: { answer: Answer; by: Actor } }
  result?: FactOf<'tool-end'>['result']
  parts: Part[]
}

/** A row of the conversation: an input, an assistant's turn with its calls, or a message that was added. */
export interface MessageEntry {
  kind: 'message'
  seq: number
  at: number
  role: 'user' | 'assistant' | 'system'
  parts: Part[]
  steps: Step[]
  by?: Actor
  model?: string
  usage?: Usage
  stop?: Stop
  failure?: Failure
}

/** Something a reader should know that nobody said: a limit, a fork, an erased fact, an unknown kind. */
export interface NoteEntry {
  kind: 'note'
  seq: number
  at: number
  record: Recorded
}

export type Entry = MessageEntry | NoteEntry

export interface TranscriptState {
  title?: string
  /** In order of seq; everything behind an unfinished entry waits for it. */
  waiting: Entry[]
  models: { [turnId: string]: string }
}

/** What facts mean to a reader: one fold for terminal, web, message rows and export. */
export const transcript: Projection<TranscriptState> = {
  name: 'transcript',
  version: 1,
  create: () => ({ waiting: [], models: {} }),
  apply,
}

/** Takes out the entries that can no longer change, oldest first. What stays is still under way. */
export function takeFinished(state: TranscriptState): Entry[] {
  let finished = 0
  while (finished < state.waiting.length && isFinished(state.waiting[finished])) finished++
  return finished === state.waiting.length ? state.waiting.splice(0) : state.waiting.splice(0, finished)
}

function apply(state: TranscriptState, record: Recorded): void {
  switch (record.type) {
    case 'input-admit':
      say(state, record, { role: 'user', parts: record.parts, by: record.by })
      return
    case 'message-add':
      say(state, record, {
        role: record.role,
        parts: record.parts,
        by: record.by,
        ...(record.model !== undefined && { model: record.model }),
      })
      return
    case 'turn-start':
      closeCalls(state)
      if (record.model !== undefined) state.models[record.turnId] = record.model
      return
    case 'turn-end':
      say(state, record, {
        ...answered(state, record.turnId, record.parts),
        stop: record.stop,
        ...(record.usage && { usage: record.usage }),
      })
      return
    case 'turn-fail':
      say(state, record, { ...answered(state, record.turnId, record.parts), failure: record.failure })
      return
    case 'approval-ask':
      onStep(state, record.callId, (step) => {
        step.state = 'asked'
        step.approval = {
          reason: record.reason,
          ...(record.why && { why: record.why }),
          ...(record.rule !== undefined && { rule: record.rule }),
        }
      })
      return
    case 'approval-answer':
      onStep(state, record.callId, (step) => {
        const { option, by, words } = record
        if (step.approval) step.approval.answer = { option, by, ...(words !== undefined && { words }) }
      })
      return
    case 'question-ask':
      if (!onStep(state, record.callId, (step) => askOn(step, record))) note(state, record)
      return
    case 'question-answer':
      if (!answerQuestion(state, record)) note(state, record)
      return
    case 'tool-start':
      onStep(state, record.callId, (step) => {
        step.state = 'running'
        step.args = record.args
      })
      return
    case 'tool-end':
      onStep(state, record.callId, (step) => {
        step.state = record.outcome
        step.result = record.result
        step.parts = record.parts
      })
      return
    case 'run-end':
      closeCalls(state)
      if (record.reason !== 'done') note(state, record)
      return
    case 'title-set':
      state.title = record.title
      return
    case 'session-start':
    case 'session-move':
    case 'settings-change':
    case 'interrupt':
    case 'message-hide':
    case 'summary-add':
    case 'files-restore':
    case 'context-compact':
    case 'context-reset':
    case 'foreign':
    case 'erased':
    case 'unknown':
      note(state, record)
      return
    case 'prompt-set':
    case 'run-start':
    case 'checkpoint':
    case 'context-prune':
    case 'context-pin':
      return
    default:
      record satisfies never
  }
}

function say(
  state: TranscriptState,
  { seq, at }: Envelope,
  message: Omit<MessageEntry, 'kind' | 'seq' | 'at' | 'steps'>,
): void {
  const steps = message.parts.flatMap((part): Step[] =>
    part.type === 'call' ? [{ callId: part.callId, tool: part.tool, args: part.args, state: 'ready', parts: [] }] : [],
  )
  state.waiting.push({ kind: 'message', seq, at, ...message, steps })
}

function answered(state: TranscriptState, turnId: string, parts: Part[]) {
  const model = state.models[turnId]
  delete state.models[turnId]
  return { role: 'assistant' as const, parts, ...(model !== undefined && { model }) }
}

function note(state: TranscriptState, record: Recorded): void {
  state.waiting.push({ kind: 'note', seq: record.seq, at: record.at, record })
}

function askOn(step: Step, { questionId, question, options }: RecordedOf<'question-ask'>): void {
  step.state = 'asked'
  step.question = { questionId, question, ...(options && { options }) }
}

function answerQuestion(state: TranscriptState, { questionId, answer, by }: RecordedOf<'question-answer'>): boolean {
  const step = findStep(state, (candidate) => candidate.question?.questionId === questionId)
  if (!step?.question) return false
  step.question.answer = { answer, by }
  return true
}

function onStep(state: TranscriptState, callId: string | undefined, change: (step: Step) => void): boolean {
  const step = findStep(state, (candidate) => candidate.callId === callId)
  if (step) change(step)
  return step !== undefined
}

function findStep(state: TranscriptState, wanted: (step: Step) => boolean): Step | undefined {
  for (const entry of state.waiting) {
    const step = entry.kind === 'message' ? entry.steps.find(wanted) : undefined
    if (step) return step
  }
  return undefined
}

const ENDED: ReadonlySet<Step['state']> = new Set(['ok', 'error', 'denied', 'interrupted'])

// The next request or the end of the run proves that nothing more will come from calls that never reported.
function closeCalls(state: TranscriptState): void {
  for (const entry of state.waiting) {
    if (entry.kind !== 'message') continue
    for (const step of entry.steps) if (!ENDED.has(step.state)) step.state = 'interrupted'
  }
}

function isFinished(entry: Entry | undefined): boolean {
  return entry?.kind !== 'message' || entry.steps.every((step) => ENDED.has(step.state))
}
