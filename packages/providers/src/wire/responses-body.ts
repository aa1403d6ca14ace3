import type { ModelImage, ModelPart, ModelRequest } from '@maru/protocol'
import type { Fields } from '../json.ts'
import type { ModelInfo } from '../models.ts'
import { cacheKeyOf } from './cache-key.ts'
import { argsObject, arrangeMessages, itemOf, wireIdOf, wireIds } from './conversation.ts'
import { nearestEffort } from './effort.ts'
import { isStrictSchema } from './strict-schema.ts'

/** What opaque parts of this wire are marked with. */
export const VENDOR = 'openai'

// The vendor takes no less.
const MIN_OUTPUT = 16

/** A Responses request. Nothing is stored with the vendor: the whole conversation is sent each time. */
export function body(request: ModelRequest, model: ModelInfo): Fields {
  const { system, tools, params } = request
  return {
    model: request.model,
    stream: true,
    store: false,
    ...reasoningOf(request, model),
    prompt_cache_key: cacheKeyOf(request),
    ...(params.maxOutput === undefined ? {} : { max_output_tokens: Math.max(MIN_OUTPUT, params.maxOutput) }),
    ...(params.outputSchema === undefined ? {} : { text: { format: formatOf(params.outputSchema) } }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(params.forceTool === true && tools.length > 0 ? { tool_choice: 'required' } : {}),
    ...(system === '' ? {} : { instructions: system }),
    input: inputOf(request),
  }
}

// The models of before, which do not reason and refuse to be asked for it.
const plain = /^(ft:)?(gpt-[34]|chatgpt)/

function reasoningOf({ params }: ModelRequest, model: ModelInfo): Fields {
  if (model.thinking === 'unknown' && plain.test(model.id)) return {}
  const effort = params.effort === undefined ? {} : { effort: nearestEffort(params.effort, model.efforts) }
  return { reasoning: { ...effort, summary: 'auto' }, include: ['reasoning.encrypted_content'] }
}

function formatOf(schema: Fields): Fields {
  return { type: 'json_schema', name: 'answer', schema, strict: isStrictSchema(schema) }
}

function toolOf({ name, description, schema }: ModelRequest['tools'][number]): Fields {
  // Strict would need schemas without optional arguments; ours are checked when the call comes.
  return { type: 'function', name, description, parameters: schema, strict: false }
}

function inputOf(request: ModelRequest): Fields[] {
  const messages = arrangeMessages(request)
  const ids = wireIds(messages)
  return messages.flatMap(({ role, parts }) =>
    role === 'user' ? userItems(parts, ids) : assistantItems(parts, { ids, model: request.model }),
  )
}

function userItems(parts: ModelPart[], ids: ReadonlyMap<string, string>): Fields[] {
  const items: Fields[] = []
  const content: Fields[] = []
  for (const part of parts) {
    if (part.type === 'result') {
      items.push({ type: 'function_call_output', call_id: wireIdOf(ids, part.callId), output: outputOf(part) })
    }
    if (part.type === 'text') content.push({ type: 'input_text', text: part.text })
    if (part.type === 'image') content.push(imageOf(part))
  }
  if (content.length > 0) items.push({ type: 'message', role: 'user', content })
  return items
}

function outputOf({ text, images = [] }: { text: string; images?: ModelImage[] }): string | Fields[] {
  return images.length === 0 ? text : [{ type: 'input_text', text }, ...images.map(imageOf)]
}

function imageOf({ mediaType, data }: ModelImage): Fields {
  return { type: 'input_image', detail: 'auto', image_url: `data:${mediaType};base64,${data}` }
}

function assistantItems(
  parts: ModelPart[],
  { ids, model }: { ids: ReadonlyMap<string, string>; model: string },
): Fields[] {
  const items: Fields[] = []
  for (const part of parts) {
    if (part.type === 'text') {
      items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] })
    }
    if (part.type === 'call') {
      const call = { call_id: wireIdOf(ids, part.callId), name: part.tool }
      items.push({ type: 'function_call', ...call, arguments: JSON.stringify(argsObject(part.args)) })
    }
    const item = part.type === 'opaque' ? itemOf(part, VENDOR, model) : undefined
    if (item !== undefined) items.push(item)
  }
  // Reasoning is refused without the item it led to, which is missing where an unfinished call was dropped.
  while (items.at(-1)?.['type'] === 'reasoning') items.pop()
  return items
}
