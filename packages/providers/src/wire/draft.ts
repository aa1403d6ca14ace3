import type { Failure, Json, ModelEvent, Part, Stop, Usage } from '@maru/protocol'
import { isFields, parseJson } from '../json.ts'
import type { SseEvent } from '../sse.ts'

/** An answer as far as it came. Text is kept in pieces and joined once. */
export interface Draft {
  readonly slots: Slot[]
  readonly callIds: Set<string>
  /** Why the model stopped, once the vendor said so. */
  stop: Stop | undefined
  usage: Usage | undefined
  metadata: { [key: string]: Json }
  isOver: boolean
  beats: number
}

/** A part on its way; `order` is its place in the answer, which need not be the order of arrival. */
export type Slot = TextSlot | CallSlot | OpaqueSlot
export interface TextSlot {
  type: 'text' | 'reasoning'
  readonly part: number
  readonly order: number
  readonly chunks: string[]
}
export interface CallSlot {
  type: 'call'
  readonly part: number
  readonly order: number
  readonly chunks: string[]
  readonly callId: string
  readonly tool: string
  /** `held` is closed by the vendor, but whether it is whole only the stop reason will tell. */
  status: 'open' | 'held' | 'ready' | 'dropped'
  args: Json
}
export interface OpaqueSlot {
  type: 'opaque'
  readonly order: number
  readonly vendor: string
  readonly data: Json
}

export function createDraft(): Draft {
  return {
    slots: [],
    callIds: new Set(),
    stop: undefined,
    usage: undefined,
    metadata: {},
    isOver: false,
    beats: 0,
  }
}

export function addText(draft: Draft, type: 'text' | 'reasoning', order: number): TextSlot {
  const slot: TextSlot = { type, part: draft.slots.length, order, chunks: [] }
  draft.slots.push(slot)
  return slot
}

/** Adds text to a slot; an empty piece says nothing. */
export function growText(slot: TextSlot, text: string): ModelEvent[] {
  if (text === '') return []
  slot.chunks.push(text)
  return [{ type: slot.type === 'text' ? 'text-delta' : 'reasoning-delta', part: slot.part, text }]
}

/** Begins a call. Two calls of one answer never share an id, whatever the vendor sent. */
export function addCall(
  draft: Draft,
  call: { callId: string; tool: string; order: number },
): { slot: CallSlot; events: ModelEvent[] } {
  let callId = call.callId === '' ? `call-${draft.callIds.size + 1}` : call.callId
  while (draft.callIds.has(callId)) callId += '-2'
  draft.callIds.add(callId)
  const slot: CallSlot = {
    type: 'call',
    part: draft.slots.length,
    order: call.order,
    chunks: [],
    callId,
    tool: call.tool,
    status: 'open',
    args: null,
  }
  draft.slots.push(slot)
  return { slot, events: [{ type: 'call-start', part: slot.part, callId, tool: slot.tool }] }
}

export function growCall(slot: CallSlot, text: string): ModelEvent[] {
  if (text === '') return []
  slot.chunks.push(text)
  return [{ type: 'call-delta', callId: slot.callId, text }]
}

/**
 * The vendor says that a call is whole. It is ready if its arguments are a JSON object. Broken or missing arguments
 * look the same whether the model wrote them so or ran out of tokens: such a call is held until the stop reason is known.
 */
export function closeCall(slot: CallSlot): ModelEvent[] {
  if (slot.status !== 'open') return []
  const args = parseJson(slot.chunks.join(''))
  if (!isFields(args)) {
    slot.status = 'held'
    return []
  }
  return makeReady(slot, args as Json)
}

function makeReady(slot: CallSlot, args: Json): ModelEvent[] {
  slot.status = 'ready'
  slot.args = args
  return [{ type: 'call-ready', callId: slot.callId, tool: slot.tool, args }]
}

/**
 * Decides about the calls that were held. Where the model stopped by itself they are ready: no arguments are an empty
 * object, and arguments that are not JSON stay what they are, a string, which no tool's schema takes. Else they are
 * unfinished and dropped.
 */
function releaseCalls(draft: Draft, stop: Stop): ModelEvent[] {
  const isWhole = stop === 'calls' || stop === 'end' || stop === 'stop-sequence'
  return draft.slots.flatMap((slot) => {
    if (slot.type !== 'call' || slot.status === 'ready' || slot.status === 'dropped') return []
    if (slot.status === 'open' || !isWhole) {
      slot.status = 'dropped'
      return []
    }
    const text = slot.chunks.join('')
    return makeReady(slot, text.trim() === '' ? {} : (parseJson(text) ?? text))
  })
}

/** Ends an answer the vendor has ended; `draft.stop` says why. */
export function finish(draft: Draft): ModelEvent[] {
  const stop = draft.stop ?? 'other'
  const events = releaseCalls(draft, stop)
  draft.isOver = true
  const parts = partsOf(draft)
  const hasCall = parts.some((part) => part.type === 'call')
  events.push({
    type: 'finish',
    stop: stop === 'end' && hasCall ? 'calls' : stop,
    parts,
    ...(draft.usage === undefined ? {} : { usage: draft.usage }),
    ...(Object.keys(draft.metadata).length === 0 ? {} : { metadata: draft.metadata }),
  })
  return events
}

/** Ends an answer that failed; what came whole is kept. */
export function fail(draft: Draft, failure: Failure): ModelEvent[] {
  draft.isOver = true
  return [{ type: 'failure', failure, parts: partsOf(draft) }]
}

/** The last word about a stream that is over. */
export function endDraft(draft: Draft, cause?: Failure): ModelEvent[] {
  if (draft.isOver) return []
  // The vendor had said all that matters: what is missing is only its goodbye. An abort is a person's word.
  if (draft.stop !== undefined && cause?.code !== 'aborted') return finish(draft)
  return fail(draft, cause ?? { code: 'cut', message: 'the stream ended before the model was done' })
}

function partsOf(draft: Draft): Part[] {
  const inOrder = [...draft.slots].sort((a, b) => a.order - b.order)
  return inOrder.flatMap((slot): Part[] => {
    switch (slot.type) {
      case 'text':
      case 'reasoning': {
        const text = slot.chunks.join('')
        return text === '' ? [] : [{ type: slot.type, text }]
      }
      case 'call':
        return slot.status === 'ready' ? [{ type: 'call', callId: slot.callId, tool: slot.tool, args: slot.args }] : []
      case 'opaque':
        return [{ type: 'opaque', vendor: slot.vendor, data: slot.data }]
      default:
        return slot satisfies never
    }
  })
}

/** An event we do not know or need, for whoever looks into a problem. */
export function traceOf(name: string, { data }: SseEvent): ModelEvent {
  return { type: 'trace', name, data: data.length > MAX_TRACE ? `${data.slice(0, MAX_TRACE)}…` : data }
}

const MAX_TRACE = 2_000
