import { cutJson, cutText } from './fragments.ts'
import { type Fields, fieldsOf, listOf } from './json.ts'
import { type Block, type CallBlock, isCutShort } from './reply.ts'
import { seal } from './seal.ts'
import type { Exchange } from './wire.ts'

/** Something an item says, before it is numbered: a whole event, or one of its many deltas. */
export type Say =
  | { readonly type: string; readonly fields: Fields }
  | { readonly type: string; readonly at: Fields; readonly delta: string }

/** An output item: as announced, as finished, and what is said between. */
export type Item = {
  readonly index: number
  readonly isCall: boolean
  readonly added: Fields
  readonly done: Fields
  readonly deltas: Iterable<Say>
  readonly last: readonly Say[]
}

/** The output items of a reply; with a short stop the last is incomplete. */
export function itemsOf(exchange: Exchange): readonly Item[] {
  const { blocks, stop } = exchange.reply
  return blocks.flatMap((block, at) => {
    const status = isCutShort(stop) && at === blocks.length - 1 ? 'incomplete' : 'completed'
    const index = blocks.slice(0, at).filter((before) => isSent(before, exchange)).length
    return isSent(block, exchange) ? [toItem(block, exchange, { index, status })] : []
  })
}

/** A request for no reasoning gets none. */
function isSent(block: Block, { body }: Exchange): boolean {
  const isReasoning = block.kind === 'thinking' || block.kind === 'redacted'
  return !(isReasoning && fieldsOf(body['reasoning'])['effort'] === 'none')
}

type Place = { readonly index: number; readonly status: 'completed' | 'incomplete' }

function toItem(block: Block, exchange: Exchange, place: Place): Item {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return messageItem(block, exchange, place)
    case 'call':
      return callItem(block, exchange, place)
    case 'thinking':
      return reasoningItem(block.texts, exchange, place)
    case 'redacted':
      return reasoningItem([], exchange, place)
    default:
      return block satisfies never
  }
}

function messageItem(
  { kind, text }: Block & { kind: 'text' | 'refusal' },
  { ids, reply }: Exchange,
  { index, status }: Place,
): Item {
  const [name, partOf] = kind === 'text' ? (['output_text', textPart] as const) : (['refusal', refusalPart] as const)
  const head = { id: ids.next('msg_'), type: 'message', role: 'assistant' }
  const at = { item_id: head.id, output_index: index, content_index: 0 }
  const extra = kind === 'text' ? { logprobs: [] } : {}
  function* deltas(): Generator<Say> {
    yield { type: 'response.content_part.added', fields: { ...at, part: partOf('') } }
    const type = `response.${name}.delta`
    const where = { ...at, ...extra }
    for (const delta of cutText(text, reply.deltaSize)) yield { type, at: where, delta }
  }
  return {
    index,
    isCall: false,
    added: { ...head, status: 'in_progress', content: [] },
    done: { ...head, status, content: [partOf(text)] },
    deltas: deltas(),
    last: [
      { type: `response.${name}.done`, fields: { ...at, ...extra, [kind]: text } },
      { type: 'response.content_part.done', fields: { ...at, part: partOf(text) } },
    ],
  }
}

function textPart(text: string): Fields {
  return { type: 'output_text', annotations: [], logprobs: [], text }
}

function refusalPart(refusal: string): Fields {
  return { type: 'refusal', refusal }
}

function callItem({ id, name, json }: CallBlock, { ids, reply }: Exchange, { index, status }: Place): Item {
  const head = { id: ids.next('fc_'), type: 'function_call', call_id: id ?? ids.next('call_'), name }
  const at = { item_id: head.id, output_index: index }
  function* deltas(): Generator<Say> {
    for (const delta of cutJson(json, reply.deltaSize))
      yield { type: 'response.function_call_arguments.delta', at, delta }
  }
  return {
    index,
    isCall: true,
    added: { ...head, status: 'in_progress', arguments: '' },
    done: { ...head, status, arguments: json },
    deltas: deltas(),
    last: [{ type: 'response.function_call_arguments.done', fields: { ...at, arguments: json } }],
  }
}

function reasoningItem(texts: readonly string[], { ids, body, reply }: Exchange, { index }: Place): Item {
  const head = { id: ids.next('rs_'), type: 'reasoning' }
  const isSealed = listOf(body['include']).includes('reasoning.encrypted_content')
  // What `added` carries is not yet the whole: only the content of `done` may be sent back.
  const encrypted = (kind: string) => (isSealed ? { encrypted_content: seal(kind, head.id, texts.join('\n\n')) } : {})
  const summary = (fieldsOf(body['reasoning'])['summary'] ?? null) === null ? [] : texts
  function* deltas(): Generator<Say> {
    for (const [part, text] of summary.entries()) {
      const at = { item_id: head.id, output_index: index, summary_index: part }
      yield { type: 'response.reasoning_summary_part.added', fields: { ...at, part: summaryPart('') } }
      for (const delta of cutText(text, reply.deltaSize))
        yield { type: 'response.reasoning_summary_text.delta', at, delta }
      yield { type: 'response.reasoning_summary_text.done', fields: { ...at, text } }
      yield { type: 'response.reasoning_summary_part.done', fields: { ...at, part: summaryPart(text) } }
    }
  }
  return {
    index,
    isCall: false,
    added: { ...head, ...encrypted('partial'), summary: [] },
    done: { ...head, ...encrypted('reasoning'), summary: summary.map(summaryPart) },
    deltas: deltas(),
    last: [],
  }
}

function summaryPart(text: string): Fields {
  return { type: 'summary_text', text }
}
