import type { ModelImage, ModelMessage, ModelPart, ModelRequest } from '@maru/protocol'
import type { Fields } from '../json.ts'
import type { ModelInfo } from '../models.ts'
import { cacheKeyOf } from './cache-key.ts'
import { argsObject, arrangeMessages, itemOf, wireIdOf, wireIds } from './conversation.ts'
import { nearestEffort } from './effort.ts'
import { isStrictSchema } from './strict-schema.ts'

/** What opaque parts of this wire are marked with. */
export const VENDOR = 'openai-chat'

/** OpenAI's own server knows fields that others refuse, and has renamed one that others still know by its old name. */
export type ChatDialect = 'openai' | 'compatible'

/** A chat completions request. */
export function body(request: ModelRequest, model: ModelInfo, dialect: ChatDialect): Fields {
  const { tools, params } = request
  const isOpenai = dialect === 'openai'
  const limit = isOpenai ? 'max_completion_tokens' : 'max_tokens'
  return {
    model: request.model,
    stream: true,
    stream_options: { include_usage: true },
    ...(isOpenai ? { prompt_cache_key: cacheKeyOf(request) } : {}),
    ...(params.maxOutput === undefined ? {} : { [limit]: params.maxOutput }),
    ...(params.effort === undefined ? {} : { reasoning_effort: nearestEffort(params.effort, model.efforts) }),
    ...(params.outputSchema === undefined ? {} : { response_format: formatOf(params.outputSchema) }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(params.forceTool === true && tools.length > 0 ? { tool_choice: 'required' } : {}),
    messages: messagesOf(request),
  }
}

function formatOf(schema: Fields): Fields {
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: isStrictSchema(schema) } }
}

function toolOf({ name, description, schema }: ModelRequest['tools'][number]): Fields {
  return { type: 'function', function: { name, description, parameters: schema } }
}

function messagesOf(request: ModelRequest): Fields[] {
  const arranged = arrangeMessages(request)
  const ids = wireIds(arranged)
  const system = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  const asked = arranged.findLastIndex(isAsked)
  const messages = arranged.flatMap((message, at) =>
    message.role === 'user'
      ? userMessages(message, ids)
      : [assistantMessage(message, { ids, model: request.model, isOpen: at > asked })],
  )
  return [...system, ...messages]
}

/** Whether a person says something here, so that the turns before it are over. */
function isAsked({ role, parts }: ModelMessage): boolean {
  return role === 'user' && parts.some((part) => part.type !== 'result')
}

/** Tool messages hold only text here: the images of results follow in the user's message. */
function userMessages({ parts }: ModelMessage, ids: ReadonlyMap<string, string>): Fields[] {
  const messages: Fields[] = []
  const content: Fields[] = []
  for (const part of parts) {
    if (part.type === 'text') content.push({ type: 'text', text: part.text })
    if (part.type === 'image') content.push(imageOf(part))
    if (part.type !== 'result') continue
    const id = wireIdOf(ids, part.callId)
    messages.push({ role: 'tool', tool_call_id: id, content: part.text })
    if (part.images === undefined || part.images.length === 0) continue
    content.push({ type: 'text', text: `Images of the result of ${id}:` }, ...part.images.map(imageOf))
  }
  if (content.length === 0) return messages
  const only = content.length === 1 ? content[0] : undefined
  // Some servers know user content only as a string.
  messages.push({ role: 'user', content: only?.['type'] === 'text' ? only['text'] : content })
  return messages
}

function imageOf({ mediaType, data }: ModelImage): Fields {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } }
}

function assistantMessage(
  { parts }: ModelMessage,
  { ids, model, isOpen }: { ids: ReadonlyMap<string, string>; model: string; isOpen: boolean },
): Fields {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const calls = parts.flatMap((part) =>
    part.type === 'call'
      ? [
          {
            id: wireIdOf(ids, part.callId),
            type: 'function',
            function: { name: part.tool, arguments: JSON.stringify(argsObject(part.args)) },
          },
        ]
      : [],
  )
  return {
    role: 'assistant',
    // Empty rather than null: not every server takes null.
    content: texts.join('\n\n'),
    ...(isOpen && calls.length > 0 ? reasoningOf(parts, model) : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

/**
 * Models that think between calls want their thoughts back until the turn is over, in the field they came in. That field
 * is what our opaque part says; the text is the reasoning right before it.
 */
function reasoningOf(parts: readonly ModelPart[], model: string): Fields {
  const fields: { [name: string]: string } = {}
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1]
    if (part.type !== 'opaque' || before?.type !== 'reasoning') continue
    const field = itemOf(part, VENDOR, model)?.['field']
    if (field === 'reasoning_content' || field === 'reasoning') fields[field] = (fields[field] ?? '') + before.text
  }
  return fields
}
