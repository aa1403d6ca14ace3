import type { ModelEvent } from '@maru/protocol'
import { failureOfError } from '../failure.ts'
import { countOf, type Fields, fieldsOf, isFields, listOf, parseJson, textOf } from '../json.ts'
import type { SseEvent } from '../sse.ts'
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
import { body, VENDOR } from './responses-body.ts'
import type { Wire } from './wire.ts'

/** OpenAI Responses. */
export const responsesWire: Wire = {
  body,
  open(model) {
    const state = create(model)
    return {
      step: (event) => step(state, event),
      end: (cause) => endDraft(state.draft, cause),
      get beats() {
        return state.draft.beats
      },
    }
  },
}

interface State {
  readonly model: string
  readonly draft: Draft
  /** Text by output item and its part, reasoning and calls by output item. */
  readonly texts: Map<string, TextSlot>
  readonly reasonings: Map<number, TextSlot>
  readonly calls: Map<number, CallSlot>
  hasRefusal: boolean
}

/** The state before the first event. */
export function create(model: string): State {
  return { model, draft: createDraft(), texts: new Map(), reasonings: new Map(), calls: new Map(), hasRefusal: false }
}

/** What one event says. */
export function step(state: State, event: SseEvent): ModelEvent[] {
  const { draft } = state
  // A gateway may end the stream the way chat does.
  if (draft.isOver || event.data === '[DONE]') return []
  const data = parseJson(event.data)
  if (!isFields(data)) return [traceOf('unparsable', event)]
  const type = textOf(data['type'] ?? event.event)
  const said = stepKnown(state, type, data)
  if (said === undefined) return type === 'keepalive' ? [] : [traceOf(type, event)]
  draft.beats += 1
  return said
}

function stepKnown(state: State, type: string, data: Fields): ModelEvent[] | undefined {
  const index = countOf(data['output_index']) ?? 0
  switch (type) {
    case 'response.output_text.delta':
      return growText(textAt(state, data), textOf(data['delta']))
    case 'response.refusal.delta':
      state.hasRefusal = true
      return growText(textAt(state, data), textOf(data['delta']))
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return growText(reasoningAt(state, index), textOf(data['delta']))
    case 'response.reasoning_summary_part.added': {
      const slot = state.reasonings.get(index)
      return slot === undefined ? [] : growText(slot, '\n\n')
    }
    case 'response.function_call_arguments.delta': {
      const call = state.calls.get(index)
      return call === undefined ? undefined : growCall(call, textOf(data['delta']))
    }
    case 'response.output_item.added':
      return startItem(state, index, fieldsOf(data['item']))
    case 'response.output_item.done':
      return endItem(state, index, fieldsOf(data['item']))
    case 'response.completed':
    case 'response.incomplete':
      return endResponse(state, fieldsOf(data['response']))
    case 'response.failed':
      return fail(state.draft, failureOfError(fieldsOf(fieldsOf(data['response'])['error'])))
    case 'error':
      return fail(state.draft, failureOfError(isFields(data['error']) ? data['error'] : data))
    case 'response.created': {
      const { id, model } = fieldsOf(data['response'])
      if (typeof id === 'string') state.draft.metadata['id'] = id
      if (typeof model === 'string') state.draft.metadata['model'] = model
      return []
    }
    default:
      return silent.has(type) ? [] : undefined
  }
}

// Known events that say nothing another one does not.
const silent = new Set([
  'response.queued',
  'response.in_progress',
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.done',
  'response.output_text.annotation.added',
  'response.refusal.done',
  'response.function_call_arguments.done',
  'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.done',
  'response.reasoning_text.done',
])

function textAt({ draft, texts }: State, data: Fields): TextSlot {
  const index = countOf(data['output_index']) ?? 0
  const key = `${index}/${countOf(data['content_index']) ?? 0}`
  const slot = texts.get(key) ?? addText(draft, 'text', index)
  texts.set(key, slot)
  return slot
}

function reasoningAt({ draft, reasonings }: State, index: number): TextSlot {
  const slot = reasonings.get(index) ?? addText(draft, 'reasoning', index)
  reasonings.set(index, slot)
  return slot
}

function startItem(state: State, index: number, item: Fields): ModelEvent[] | undefined {
  const type = item['type']
  if (type === 'function_call') {
    const call = { callId: textOf(item['call_id']), tool: textOf(item['name']), order: index }
    const { slot, events } = addCall(state.draft, call)
    state.calls.set(index, slot)
    return events
  }
  return type === 'message' || type === 'reasoning' ? [] : undefined
}

/** The item as a whole: what its deltas have not said, or not been sent for, is said now. */
function endItem(state: State, index: number, item: Fields): ModelEvent[] | undefined {
  switch (item['type']) {
    case 'message':
      return listOf(item['content']).flatMap((part, at) => endText(state, { index, at, part: fieldsOf(part) }))
    case 'reasoning': {
      const events = state.reasonings.has(index) ? [] : wholeReasoning(state, index, item)
      const data = opaqueData(state.model, returnable(item))
      // `added` may carry only a part of it: this is the whole.
      if (typeof item['encrypted_content'] === 'string') {
        state.draft.slots.push({ type: 'opaque', order: index, vendor: VENDOR, data })
      }
      return events
    }
    case 'function_call':
      return endCall(state, index, item)
    default:
      return undefined
  }
}

function endText(state: State, { index, at, part }: { index: number; at: number; part: Fields }): ModelEvent[] {
  const isRefusal = part['type'] === 'refusal'
  if (isRefusal) state.hasRefusal = true
  if (state.texts.has(`${index}/${at}`)) return []
  const text = textOf(isRefusal ? part['refusal'] : part['text'])
  return text === '' ? [] : growText(textAt(state, { output_index: index, content_index: at }), text)
}

function wholeReasoning(state: State, index: number, item: Fields): ModelEvent[] {
  const texts = [...listOf(item['summary']), ...listOf(item['content'])].map((part) => textOf(fieldsOf(part)['text']))
  const text = texts.filter((piece) => piece !== '').join('\n\n')
  return text === '' ? [] : growText(reasoningAt(state, index), text)
}

/** A reasoning item as it may be sent back: its state is the vendor's to say. */
function returnable({ status: _status, ...item }: Fields): Fields {
  return item
}

function endCall(state: State, index: number, item: Fields): ModelEvent[] {
  const started = state.calls.has(index) ? [] : (startItem(state, index, item) ?? [])
  const slot = state.calls.get(index)
  if (slot === undefined) return started
  const whole = slot.chunks.length === 0 ? growCall(slot, textOf(item['arguments'])) : []
  if (item['status'] === 'incomplete') {
    slot.status = 'dropped'
    return [...started, ...whole]
  }
  return [...started, ...whole, ...closeCall(slot)]
}

function endResponse(state: State, response: Fields): ModelEvent[] {
  const { draft } = state
  draft.usage = readUsage(response['usage'], ['input', 'output'])
  const reason = fieldsOf(response['incomplete_details'])['reason']
  if (response['status'] === 'incomplete' || typeof reason === 'string') {
    if (reason === 'max_output_tokens') draft.stop = 'length'
    else if (reason === 'content_filter') draft.stop = 'filter'
    else {
      draft.stop = 'other'
      if (typeof reason === 'string') draft.metadata['stop'] = reason
    }
  } else draft.stop = state.hasRefusal ? 'refusal' : 'end'
  return finish(draft)
}
