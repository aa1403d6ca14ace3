import type { ModelEvent, Stop } from '@maru/protocol'
import { failureOfError } from '../failure.ts'
import { countOf, type Fields, fieldsOf, isFields, listOf, parseJson, textOf } from '../json.ts'
import type { SseEvent } from '../sse.ts'
import { body, type ChatDialect, VENDOR } from './chat-body.ts'
import { opaqueData } from './conversation.ts'
import {
  addCall,
  addText,
  type CallSlot,
  closeCall,
  createDraft,
  type Draft,
  endDraft,
  fail,
  finish,
  growCall,
  growText,
  type TextSlot,
  traceOf,
} from './draft.ts'
import { readUsage } from './openai-usage.ts'
import type { Wire } from './wire.ts'

/** OpenAI-compatible chat completions, as OpenAI, Ollama, vLLM, llama.cpp and LM Studio serve them. */
export function chatWire(dialect: ChatDialect): Wire {
  return {
    body: (request, model) => body(request, model, dialect),
    open(model) {
      const state = create(model)
      return {
        step: (event) => step(state, event),
        end: (cause) => end(state, cause),
        get beats() {
          return state.draft.beats
        },
      }
    },
  }
}

interface State {
  readonly model: string
  readonly draft: Draft
  readonly calls: Call[]
  /** The text being written; what comes between makes the next a part of its own. */
  open: TextSlot | undefined
  hasRefusal: boolean
}

/** A call on its way. It is started once its name is known, which need not be with its first piece. */
interface Call {
  index: number | undefined
  id: string
  slot: CallSlot | undefined
  /** Arguments that came before the name. */
  early: string
}

/** The state before the first event. */
export function create(model: string): State {
  return { model, draft: createDraft(), calls: [], open: undefined, hasRefusal: false }
}

/** What one event says. */
export function step(state: State, event: SseEvent): ModelEvent[] {
  const { draft } = state
  if (draft.isOver) return []
  if (event.data === '[DONE]') return draft.stop === undefined ? end(state) : finish(draft)
  const data = parseJson(event.data)
  if (!isFields(data)) return [traceOf('unparsable', event)]
  if (data['error'] !== undefined && data['error'] !== null) {
    return fail(draft, failureOfError(isFields(data['error']) ? data['error'] : { message: data['error'] }))
  }
  const choices = data['choices']
  if (!Array.isArray(choices) && !isFields(data['usage'])) return [traceOf(event.event ?? 'unknown', event)]
  const usage = readUsage(data['usage'], ['prompt', 'completion'])
  if (usage !== undefined) draft.usage = usage
  if (typeof data['id'] === 'string') draft.metadata['id'] = data['id']
  if (typeof data['model'] === 'string') draft.metadata['model'] = data['model']
  const choice = fieldsOf(listOf(choices)[0])
  // A few servers answer with a whole message where a delta belongs.
  const events = stepDelta(state, fieldsOf(choice['delta'] ?? choice['message']))
  if (typeof choice['finish_reason'] === 'string') events.push(...stepFinish(state, choice['finish_reason']))
  if (events.length > 0 || draft.stop !== undefined || usage !== undefined) draft.beats += 1
  return events
}

function stepDelta(state: State, delta: Fields): ModelEvent[] {
  const events: ModelEvent[] = []
  for (const field of ['reasoning_content', 'reasoning'] as const) {
    const text = textOf(delta[field])
    if (text === '') continue
    events.push(...say(state, 'reasoning', { text, field }))
    // Some send the same thought in both fields.
    break
  }
  const text = textOf(delta['content'])
  if (text !== '') events.push(...say(state, 'text', { text }))
  const refusal = textOf(delta['refusal'])
  if (refusal !== '') {
    state.hasRefusal = true
    events.push(...say(state, 'text', { text: refusal }))
  }
  for (const piece of listOf(delta['tool_calls'])) events.push(...stepCall(state, fieldsOf(piece)))
  return events
}

function say(
  state: State,
  type: 'text' | 'reasoning',
  { text, field }: { text: string; field?: string },
): ModelEvent[] {
  const { draft } = state
  if (state.open?.type !== type) {
    state.open = addText(draft, type, draft.slots.length)
    if (field !== undefined) {
      const order = draft.slots.length
      draft.slots.push({ type: 'opaque', order, vendor: VENDOR, data: opaqueData(state.model, { field }) })
    }
  }
  return growText(state.open, text)
}

function stepCall(state: State, piece: Fields): ModelEvent[] {
  const made = fieldsOf(piece['function'])
  const name = textOf(made['name'])
  const call = callOf(state, { index: countOf(piece['index']), id: textOf(piece['id']), name })
  const args = made['arguments']
  // A string everywhere but in a few servers, which give the object itself.
  const text = isFields(args) ? JSON.stringify(args) : textOf(args)
  if (call.slot !== undefined) return growCall(call.slot, text)
  call.early += text
  if (name === '') return []
  state.open = undefined
  const { draft } = state
  const { slot, events } = addCall(draft, { callId: call.id, tool: name, order: draft.slots.length })
  call.slot = slot
  return [...events, ...growCall(slot, call.early)]
}

/** The call a piece belongs to: by index where there is one, else by id, else the last unless a name begins a new one. */
function callOf(state: State, { index, id, name }: { index: number | undefined; id: string; name: string }): Call {
  const { calls } = state
  const known =
    index !== undefined
      ? calls.findLast((call) => call.index === index)
      : id !== ''
        ? calls.find((call) => call.id === id)
        : name === ''
          ? calls.at(-1)
          : undefined
  // Some servers give every call the index 0; a new id with a name is a new call all the same.
  const isOther = known !== undefined && id !== '' && known.id !== '' && known.id !== id && name !== ''
  if (known !== undefined && !isOther) {
    if (known.id === '') known.id = id
    return known
  }
  const call: Call = { index, id, slot: undefined, early: '' }
  calls.push(call)
  return call
}

const stops: { readonly [reason: string]: Stop } = {
  stop: 'end',
  tool_calls: 'calls',
  function_call: 'calls',
  length: 'length',
  content_filter: 'filter',
}

/** Only here a call is known to be whole: the wire has no earlier mark. Usage may still follow. */
function stepFinish(state: State, reason: string): ModelEvent[] {
  const { draft } = state
  draft.stop = stops[reason] ?? 'other'
  if (draft.stop === 'other') draft.metadata['stop'] = reason
  if (draft.stop === 'end' && state.hasRefusal) draft.stop = 'refusal'
  const events = state.calls.flatMap(({ slot }) => (slot === undefined ? [] : closeCall(slot)))
  if (draft.stop === 'calls' && state.calls.length === 0) draft.stop = 'end'
  return events
}

/** The last word. A server that says neither why it stopped nor goodbye has been cut, whatever came before. */
function end(state: State, cause?: Parameters<typeof endDraft>[1]): ModelEvent[] {
  return endDraft(state.draft, cause)
}
