import type { ModelEvent, Stop, Usage } from '@maru/protocol'
import { failureOfError } from '../failure.ts'
import { countOf, type Fields, fieldsOf, isFields, parseJson, textOf } from '../json.ts'
import type { SseEvent } from '../sse.ts'
import { body, VENDOR } from './anthropic-body.ts'
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
import type { Wire } from './wire.ts'

/** Anthropic Messages. */
export const anthropicWire: Wire = {
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
  readonly blocks: Map<number, Block>
  /** Usage so far: later counts replace earlier ones. */
  usage: Fields
}

type Block =
  | { type: 'text'; slot: TextSlot | undefined }
  | { type: 'thinking'; slot: TextSlot | undefined; signature: string[] }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; slot: CallSlot; input: unknown }
  | { type: 'other' }

/** The state before the first event. */
export function create(model: string): State {
  return { model, draft: createDraft(), blocks: new Map(), usage: {} }
}

/** What one event says. */
export function step(state: State, event: SseEvent): ModelEvent[] {
  const { draft } = state
  if (draft.isOver) return []
  const data = parseJson(event.data)
  if (!isFields(data)) return [traceOf('unparsable', event)]
  const type = textOf(data['type'] ?? event.event)
  if (type === 'ping') return []
  const said = stepKnown(state, type, data)
  if (said === undefined) return [traceOf(type, event)]
  draft.beats += 1
  return said
}

function stepKnown(state: State, type: string, data: Fields): ModelEvent[] | undefined {
  const { draft } = state
  switch (type) {
    case 'message_start': {
      const message = fieldsOf(data['message'])
      takeUsage(state, message['usage'])
      if (typeof message['id'] === 'string') draft.metadata['id'] = message['id']
      if (typeof message['model'] === 'string') draft.metadata['model'] = message['model']
      return []
    }
    case 'content_block_start':
      return startBlock(state, indexOf(data), fieldsOf(data['content_block']))
    case 'content_block_delta':
      return growBlock(state, indexOf(data), fieldsOf(data['delta']))
    case 'content_block_stop':
      return stopBlock(state, indexOf(data))
    case 'message_delta': {
      takeUsage(state, data['usage'])
      takeStop(draft, fieldsOf(data['delta']))
      return []
    }
    case 'message_stop':
      return draft.stop === undefined ? endDraft(draft) : finish(draft)
    case 'error':
      return fail(draft, failureOfError(fieldsOf(data['error'])))
    default:
      return undefined
  }
}

function indexOf(data: Fields): number {
  return countOf(data['index']) ?? 0
}

function startBlock({ draft, blocks }: State, index: number, block: Fields): ModelEvent[] | undefined {
  const type = textOf(block['type'])
  switch (type) {
    case 'text':
    case 'thinking': {
      const text = textOf(block[type])
      const signature = textOf(block['signature'])
      const slot = text === '' ? undefined : addText(draft, type === 'text' ? 'text' : 'reasoning', index)
      blocks.set(
        index,
        type === 'text' ? { type, slot } : { type, slot, signature: signature === '' ? [] : [signature] },
      )
      return slot === undefined ? [] : growText(slot, text)
    }
    case 'redacted_thinking':
      blocks.set(index, { type, data: textOf(block['data']) })
      return []
    case 'tool_use': {
      const { slot, events } = addCall(draft, {
        callId: textOf(block['id']),
        tool: textOf(block['name']),
        order: index,
      })
      blocks.set(index, { type, slot, input: block['input'] })
      return events
    }
    default:
      blocks.set(index, { type: 'other' })
      return undefined
  }
}

function growBlock({ draft, blocks }: State, index: number, delta: Fields): ModelEvent[] | undefined {
  const block = blocks.get(index)
  switch (delta['type']) {
    case 'text_delta': {
      const text = textOf(delta['text'])
      if (block?.type !== 'text' || text === '') return block?.type === 'text' ? [] : undefined
      block.slot ??= addText(draft, 'text', index)
      return growText(block.slot, text)
    }
    case 'thinking_delta': {
      const text = textOf(delta['thinking'])
      if (block?.type !== 'thinking' || text === '') return block?.type === 'thinking' ? [] : undefined
      block.slot ??= addText(draft, 'reasoning', index)
      return growText(block.slot, text)
    }
    case 'signature_delta':
      if (block?.type !== 'thinking') return undefined
      block.signature.push(textOf(delta['signature']))
      return []
    case 'input_json_delta':
      return block?.type === 'tool_use' ? growCall(block.slot, textOf(delta['partial_json'])) : undefined
    default:
      return undefined
  }
}

function stopBlock({ model, draft, blocks }: State, index: number): ModelEvent[] | undefined {
  const block = blocks.get(index)
  switch (block?.type) {
    case 'thinking': {
      const signature = block.signature.join('')
      const item = { type: 'thinking', thinking: block.slot?.chunks.join('') ?? '', signature }
      // Without its signature the vendor does not take it back.
      if (signature !== '') {
        draft.slots.push({ type: 'opaque', order: index, vendor: VENDOR, data: opaqueData(model, item) })
      }
      return []
    }
    case 'redacted_thinking': {
      const item = { type: 'redacted_thinking', data: block.data }
      draft.slots.push({ type: 'opaque', order: index, vendor: VENDOR, data: opaqueData(model, item) })
      return []
    }
    case 'tool_use': {
      // Some servers of this wire give the whole input at once, in the start.
      const isWhole = block.slot.chunks.length === 0 && Object.keys(fieldsOf(block.input)).length > 0
      const events = isWhole ? growCall(block.slot, JSON.stringify(block.input)) : []
      return [...events, ...closeCall(block.slot)]
    }
    case 'text':
      return []
    case 'other':
    case undefined:
      return undefined
    default:
      return block satisfies never
  }
}

const stops: { readonly [reason: string]: Stop } = {
  end_turn: 'end',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'calls',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context-full',
}

function takeStop(draft: Draft, delta: Fields): void {
  const reason = delta['stop_reason']
  if (typeof reason !== 'string') return
  draft.stop = stops[reason] ?? 'other'
  if (draft.stop === 'other') draft.metadata['stop'] = reason
  const explanation = fieldsOf(delta['stop_details'])['explanation']
  if (typeof explanation === 'string') draft.metadata['explanation'] = explanation
}

function takeUsage(state: State, usage: unknown): void {
  if (!isFields(usage)) return
  state.usage = { ...state.usage, ...usage }
  const input = countOf(state.usage['input_tokens'])
  const output = countOf(state.usage['output_tokens'])
  const cacheRead = countOf(state.usage['cache_read_input_tokens'])
  const cacheWrite = countOf(state.usage['cache_creation_input_tokens'])
  const reasoning = countOf(fieldsOf(state.usage['output_tokens_details'])['thinking_tokens'])
  if (input === undefined && output === undefined) return
  const counted: Usage = { input: (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0), output: output ?? 0 }
  if (cacheRead !== undefined) counted.cacheRead = cacheRead
  if (cacheWrite !== undefined) counted.cacheWrite = cacheWrite
  if (reasoning !== undefined) counted.reasoning = reasoning
  state.draft.usage = counted
}
