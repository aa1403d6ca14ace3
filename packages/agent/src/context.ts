import type { Part, Projection, RecordedOf } from '@maru/protocol'

/** A message of the model's context. `seq` is the fact it began with. */
export interface ContextMessage {
  seq: number
  role: 'user' | 'assistant'
  parts: Part[]
}

/** What the model has seen and will see again. */
export interface ContextState {
  messages: ContextMessage[]
  /** Inputs that no run or turn has taken yet, by seq. */
  waiting: { [seq: string]: Part[] }
  /** Messages that were added without a run: seen from the first turn on whose runner knew of them. */
  added: ContextMessage[]
}

const CUT = '[Your answer was cut off here by a broken connection. Go on from exactly where it stopped.]'
const INTERRUPTED = '[The user interrupted here.]'
const UNKNOWN_OUTCOME = 'The call did not report back. It may have run in part or in full: look before you repeat it.'

/** What the model sees of a session; the transcript is for people and keeps everything. */
export const context: Projection<ContextState> = {
  name: 'context',
  version: 1,
  create: () => ({ messages: [], waiting: {}, added: [] }),
  apply(state, record) {
    switch (record.type) {
      case 'input-admit':
        state.waiting[record.seq] = record.parts
        return
      case 'run-start':
        takeAdded(state, record.inputs[0] ?? record.seq)
        takeInputs(state, record.inputs)
        return
      case 'turn-start':
        takeAdded(state, record.seen ?? record.seq - 1)
        takeInputs(state, record.inputs ?? [])
        return
      case 'message-add': {
        const role = record.role === 'assistant' ? 'assistant' : 'user'
        state.added.push({ seq: record.seq, role, parts: record.parts })
        return
      }
      case 'turn-end':
        add(state, record.seq, 'assistant', record.parts)
        addPlaces(state, record.seq, record.parts)
        return
      case 'turn-fail': {
        const said = record.parts.filter((part) => part.type !== 'call')
        if (said.length === 0) return
        add(state, record.seq, 'assistant', said)
        if (record.failure.code !== 'aborted') add(state, record.seq, 'user', [{ type: 'text', text: CUT }])
        return
      }
      case 'tool-end':
        fillPlace(state, record.callId, { ok: record.outcome === 'ok', parts: record.parts })
        return
      case 'run-end':
        if (record.reason === 'interrupted') add(state, record.seq, 'user', [{ type: 'text', text: INTERRUPTED }])
        return
      case 'context-prune':
        for (const callId of record.callIds) prune(state, callId)
        return
      case 'context-compact':
        state.messages = [
          { seq: record.seq, role: 'user', parts: record.summary },
          ...state.messages.filter(({ seq }) => seq >= record.keepFromSeq),
        ]
        return
      case 'context-reset':
        state.messages = []
        state.added = []
        return
      default:
      // Everything else is for people, or changes what is done and not what was said.
    }
  },
}

function takeInputs(state: ContextState, seqs: number[]): void {
  for (const seq of seqs) {
    add(state, seq, 'user', state.waiting[seq] ?? [])
    delete state.waiting[seq]
  }
}

function takeAdded(state: ContextState, upTo: number): void {
  for (const { seq, role, parts } of state.added) if (seq <= upTo) add(state, seq, role, parts)
  state.added = state.added.filter(({ seq }) => seq > upTo)
}

/** The context as it will be once this turn has begun, without changing the one that is there. */
export function contextOf(state: ContextState, turn: RecordedOf<'turn-start'>): ContextState {
  const draft = {
    messages: state.messages.map((message) => ({ ...message })),
    waiting: { ...state.waiting },
    added: state.added,
  }
  context.apply(draft, turn)
  return draft
}

// Neighbours of one role are one message: vendors want turns to alternate, results first.
function add(state: ContextState, seq: number, role: ContextMessage['role'], parts: Part[]): void {
  if (parts.length === 0) return
  const last = state.messages.at(-1)
  if (last?.role === role) last.parts = [...last.parts, ...parts]
  else state.messages.push({ seq, role, parts: [...parts] })
}

// Each call has its place for a result from the start, in the order of the calls, whichever reports first.
function addPlaces(state: ContextState, seq: number, parts: Part[]): void {
  const places = parts.flatMap((part): Part[] =>
    part.type === 'call' ? [{ type: 'result', callId: part.callId, ok: false, text: UNKNOWN_OUTCOME }] : [],
  )
  add(state, seq, 'user', places)
}

function fillPlace(state: ContextState, callId: string, { ok, parts }: { ok: boolean; parts: Part[] }): void {
  const message = state.messages.findLast(({ parts: held }) => held.some((part) => isResultOf(part, callId)))
  if (!message) return
  const [first, ...rest] = parts
  const isText = first?.type === 'text'
  const result: Part = {
    type: 'result',
    callId,
    ok,
    text: isText ? first.text : '',
    ...(isText && first.blob && { blob: first.blob }),
  }
  const images = (isText ? rest : parts).filter((part) => part.type === 'image')
  message.parts = message.parts.flatMap((part) => (isResultOf(part, callId) ? [result, ...images] : [part]))
}

function prune(state: ContextState, callId: string): void {
  for (const message of state.messages) {
    message.parts = message.parts.map((part) =>
      part.type === 'result' && part.callId === callId
        ? { type: 'result', callId, ok: part.ok, text: '[An old output, removed to save space.]' }
        : part,
    )
  }
}

function isResultOf(part: Part, callId: string): boolean {
  return part.type === 'result' && part.callId === callId
}
