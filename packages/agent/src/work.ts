import type { Actor, Answer, BlobRef, FactOf, Json, Part, Projection, Usage } from '@maru/protocol'

/** A call of the last turn, as far as it has come. */
export interface CallState {
  callId: string
  tool: string
  args: Json
  /** The arguments, where they were too long for the fact. */
  blob?: FactOf<'tool-start'>['blob']
  state: 'ready' | 'started' | 'ended'
  /** The action that was put to a person, and the rules that would grant it for good. */
  asked?: string
  grant?: Json[]
  /** The questions it has asked, in order. */
  questions: string[]
}

/** What the runner must know of a session to go on, wherever the last one stopped. */
export interface WorkState {
  inputs: { seq: number; delivery: 'steer' | 'queue' }[]
  run?: { runId: string; seq: number; turns: number; usage: Usage; isAborted: boolean }
  /** A turn that was started and has not ended. */
  turn?: string
  calls: CallState[]
  approvals: { [action: string]: { option: string; by: Actor; words?: string } }
  answers: { [questionId: string]: Answer }
  /** What calls kept for later, by call. */
  kept: { [callId: string]: BlobRef }
  /** Where each call ended, by call: what it returned can be read there. */
  ended: { [callId: string]: number }
  interruptSeq: number
  promptHash?: string
  /** Rules that the person has granted for the session. */
  grants: Json[]
  /** Text from outside is in the context. */
  isTainted: boolean
  /** What was chosen in the session itself, the last of each: for whoever sets up its next run. */
  settings: {
    -readonly [Name in 'provider' | 'model' | 'mode' | 'effort']?: NonNullable<FactOf<'settings-change'>[Name]>
  }
  /** Where old turns were last taken out of the context; 0, if they never were. */
  condensedSeq: number
}

/** How an approval is found again: the call and exactly what it would do. */
export function actionKey(callId: string, actionHash: string): string {
  return JSON.stringify([callId, actionHash])
}

export const work: Projection<WorkState> = {
  name: 'work',
  version: 5,
  create: () => ({
    inputs: [],
    calls: [],
    approvals: {},
    answers: {},
    kept: {},
    ended: {},
    interruptSeq: 0,
    grants: [],
    isTainted: false,
    settings: {},
    condensedSeq: 0,
  }),
  apply(state, record) {
    switch (record.type) {
      case 'input-admit':
        state.inputs.push({ seq: record.seq, delivery: record.delivery })
        return
      case 'interrupt':
        state.interruptSeq = record.seq
        return
      case 'settings-change': {
        const { provider, model, mode, effort } = record
        if (provider !== undefined) state.settings.provider = provider
        if (model !== undefined) state.settings.model = model
        if (mode !== undefined) state.settings.mode = mode
        if (effort !== undefined) state.settings.effort = effort
        return
      }
      case 'prompt-set':
        state.promptHash = record.hash
        return
      case 'run-start':
        take(state, record.inputs)
        state.calls = []
        state.run = { runId: record.runId, seq: record.seq, turns: 0, usage: { input: 0, output: 0 }, isAborted: false }
        return
      case 'run-end':
        delete state.run
        delete state.turn
        state.calls = []
        return
      case 'turn-start':
        take(state, record.inputs ?? [])
        state.turn = record.turnId
        state.calls = []
        if (state.run) state.run.turns++
        return
      case 'turn-fail':
        delete state.turn
        if (state.run) state.run.isAborted = record.failure.code === 'aborted'
        return
      case 'turn-end':
        delete state.turn
        if (state.run && record.usage) addUsage(state.run.usage, record.usage)
        state.calls = record.parts.flatMap((part): CallState[] => {
          if (part.type !== 'call') return []
          const { callId, tool, args, blob } = part
          return [{ callId, tool, args, state: 'ready', questions: [], ...(blob && { blob }) }]
        })
        return
      case 'approval-ask':
        onCall(state, record.callId, (call) => {
          call.asked = record.actionHash
          if (record.grant) call.grant = record.grant
        })
        return
      case 'approval-answer': {
        const { option, by, words } = record
        state.approvals[actionKey(record.callId, record.actionHash)] = {
          option,
          by,
          ...(words !== undefined && { words }),
        }
        if (option === 'always') grantFor(state, record.callId, record.actionHash)
        return
      }
      case 'question-ask':
        onCall(state, record.callId, (call) => {
          call.questions.push(record.questionId)
        })
        return
      case 'question-answer':
        state.answers[record.questionId] = record.answer
        return
      case 'tool-start':
        onCall(state, record.callId, (call) => {
          call.state = 'started'
        })
        return
      case 'tool-end':
        onCall(state, record.callId, (call) => {
          call.state = 'ended'
        })
        keepFile(state, record.callId, record.parts)
        state.ended[record.callId] = record.seq
        state.isTainted ||= record.result.tainted === true
        return
      case 'context-compact':
        state.condensedSeq = record.seq
        // A summary is asked of a model too.
        if (state.run && record.asked?.usage) addUsage(state.run.usage, record.asked.usage)
        return
      case 'context-reset':
        state.condensedSeq = record.seq
        state.isTainted = false
        return
      default:
      // Nothing else changes what is to be done.
    }
  },
}

// What was asked is what is granted: an answer to an older question grants nothing.
function grantFor(state: WorkState, callId: string, actionHash: string): void {
  const call = state.calls.find((candidate) => candidate.callId === callId)
  if (call?.asked === actionHash) state.grants.push(...(call.grant ?? []))
}

function take(state: WorkState, seqs: number[]): void {
  state.inputs = state.inputs.filter(({ seq }) => !seqs.includes(seq))
}

function keepFile(state: WorkState, callId: string, parts: Part[]): void {
  const file = parts.find((part) => part.type === 'file')
  if (file) state.kept[callId] = file.blob
}

function onCall(state: WorkState, callId: string | undefined, change: (call: CallState) => void): void {
  const call = state.calls.find((candidate) => candidate.callId === callId)
  if (call) change(call)
}

/** Adds up what requests used. */
export function addUsage(total: Usage, more: Usage): void {
  for (const name of ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const) {
    const amount = more[name]
    if (amount !== undefined) total[name] = (total[name] ?? 0) + amount
  }
}
