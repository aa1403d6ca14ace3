import type { Json, ModelMessage, ModelPart, ModelRequest } from '@maru/protocol'
import { isFields } from '../json.ts'

export type CallPart = Extract<ModelPart, { type: 'call' }>
export type ResultPart = Extract<ModelPart, { type: 'result' }>
export type OpaquePart = Extract<ModelPart, { type: 'opaque' }>

// Most vendors take no conversation that ends with the model's own words, which is how one stands after a cut.
const goOn: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'Continue where you stopped.' }] }

/**
 * The messages as every vendor takes them: neighbours of one role are one message, results come first in theirs, blank
 * text is left out, and the last word is not the model's.
 */
export function arrangeMessages({ messages }: ModelRequest): ModelMessage[] {
  const arranged: ModelMessage[] = []
  for (const { role, parts } of messages) {
    const said = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')
    if (said.length === 0) continue
    const last = arranged.at(-1)
    if (last?.role === role) last.parts.push(...said)
    else arranged.push({ role, parts: [...said] })
  }
  for (const message of arranged) if (message.role === 'user') message.parts = resultsFirst(message.parts)
  return arranged.at(-1)?.role === 'assistant' ? [...arranged, goOn] : arranged
}

function resultsFirst(parts: ModelPart[]): ModelPart[] {
  const results = parts.filter((part) => part.type === 'result')
  return results.length === 0 ? parts : [...results, ...parts.filter((part) => part.type !== 'result')]
}

/**
 * The id of each call on the wire, by our own. The vendor's id where it can be used: its own records may know the call
 * by it. Ours where the vendor's came twice, as with servers that count calls anew in each answer.
 */
export function wireIds(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const used = new Set<string>()
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== 'call' || ids.has(part.callId)) continue
      const wanted = toWireId(part.vendorId ?? part.callId)
      const id = used.has(wanted) ? toWireId(part.callId) : wanted
      used.add(id)
      ids.set(part.callId, id)
    }
  }
  return ids
}

/** The id a result names; one whose call is not there keeps its own. */
export function wireIdOf(ids: ReadonlyMap<string, string>, callId: string): string {
  return ids.get(callId) ?? toWireId(callId)
}

/** Anthropic takes only these signs, OpenAI only so many of them. */
function toWireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
}

/** Arguments as an object: what the model wrote in place of one stands in a field, so that it sees its mistake. */
export function argsObject(args: Json): { readonly [key: string]: unknown } {
  return isFields(args) ? args : { arguments: args }
}

/** What we keep in an opaque part: vendors tie such content to the model that made it. */
export function opaqueData(model: string, item: unknown): Json {
  return { model, item: item as Json }
}

/** The vendor's own content, if this vendor and model made it. */
export function itemOf(
  part: OpaquePart,
  vendor: string,
  model: string,
): { readonly [key: string]: unknown } | undefined {
  if (part.vendor !== vendor || !isFields(part.data) || part.data['model'] !== model) return undefined
  const item = part.data['item']
  return isFields(item) ? item : undefined
}
