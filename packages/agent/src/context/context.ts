import type { Json, Part, Projection, RecordedOf } from '@maru/protocol'

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
  /** The files that calls have changed, by call, as long as the calls are here. */
  changed: { [callId: string]: string[] }
  /** What a person wants to stay: outputs of calls, and whole facts by seq. */
  pins: { callIds: string[]; seqs: number[] }
  /** Outputs that are no longer here, though their calls are. */
  pruned: string[]
}

const CUT = '[Your answer was cut off here by a broken connection. Go on from exactly where it stopped.]'
const INTERRUPTED = '[The user interrupted here.]'
const UNKNOWN_OUTCOME = 'The call did not report back. It may have run in part or in full: look before you repeat it.'

/** What the model sees of a session; the transcript is for people and keeps everything. */
export const context: Projection<ContextState> = {
  name: 'context',
  version: 2,
  create: () => ({
    messages: [],
    waiting: {},
    added: [],
    changed: {},
    pins: { callIds: [], seqs: [] },
    pruned: [],
  }),
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
        if (record.result.files?.length) state.changed[record.callId] = record.result.files.map(({ path }) => path)
        return
      case 'run-end':
        if (record.reason === 'interrupted') add(state, record.seq, 'user', [{ type: 'text', text: INTERRUPTED }])
        return
      case 'context-pin':
        pin(state, record)
        return
      case 'context-prune':
        prune(state, record)
        return
      case 'context-compact':
        compact(state, record)
        return
      case 'context-reset':
        state.messages = []
        state.added = []
        forgetCalls(state)
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
    ...state,
    messages: state.messages.map((message) => ({ ...message })),
    waiting: { ...state.waiting },
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

function pin({ pins }: ContextState, { callId, target, isPinned }: RecordedOf<'context-pin'>): void {
  if (callId !== undefined) pins.callIds = pins.callIds.filter((one) => one !== callId)
  if (target !== undefined) pins.seqs = pins.seqs.filter((one) => one !== target)
  if (!isPinned) return
  if (callId !== undefined) pins.callIds.push(callId)
  if (target !== undefined) pins.seqs.push(target)
}

const OLD_OUTPUT = '[An old output, removed to save space.]'

function prune(state: ContextState, { callIds, notes, cuts = [] }: RecordedOf<'context-prune'>): void {
  const pruned = new Set(callIds)
  const cut = new Set(cuts)
  state.pruned.push(...callIds)
  for (const message of state.messages) {
    let isDropping = false
    const parts: Part[] = []
    for (const part of message.parts) {
      // Images behind a result belong to it.
      if (isDropping && part.type === 'image') continue
      isDropping = false
      if (part.type === 'result' && pruned.has(part.callId)) {
        isDropping = notes !== undefined
        parts.push({ type: 'result', callId: part.callId, ok: part.ok, text: notes?.[part.callId] ?? OLD_OUTPUT })
      } else if (part.type === 'call' && cut.has(part.callId)) parts.push(cutArguments(part))
      else parts.push(part)
    }
    if (parts.length !== message.parts.length || parts.some((part, at) => part !== message.parts[at]))
      message.parts = parts
  }
}

const ARGUMENT_KEPT = 160

function cutArguments({ blob: _blob, ...part }: Extract<Part, { type: 'call' }>): Part {
  const shorten = (value: Json): Json =>
    typeof value === 'string' && value.length > ARGUMENT_KEPT
      ? `[${value.length} characters, removed to save space: the file as it is now was read later]`
      : value
  const { args } = part
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return { ...part, args: shorten(args) }
  return { ...part, args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, shorten(value)])) }
}

function compact(state: ContextState, { seq, keepFromSeq, summary }: RecordedOf<'context-compact'>): void {
  state.messages = [{ seq, role: 'user', parts: summary }, ...splitAt(state.messages, keepFromSeq).kept]
  forgetCalls(state)
}

/** The messages before a cut, and those from there on: what was said early may stand late. */
export function splitAt(
  messages: ContextMessage[],
  keepFromSeq: number,
): { dropped: ContextMessage[]; kept: ContextMessage[] } {
  const from = messages.findIndex((message) => message.seq >= keepFromSeq)
  if (from < 0) return { dropped: messages, kept: [] }
  return { dropped: messages.slice(0, from), kept: messages.slice(from) }
}

function forgetCalls(state: ContextState): void {
  const here = new Set(
    state.messages.flatMap(({ parts }) => parts.flatMap((part) => ('callId' in part ? [part.callId] : []))),
  )
  state.pruned = state.pruned.filter((callId) => here.has(callId))
  state.changed = Object.fromEntries(Object.entries(state.changed).filter(([callId]) => here.has(callId)))
}

function isResultOf(part: Part, callId: string): boolean {
  return part.type === 'result' && part.callId === callId
}
