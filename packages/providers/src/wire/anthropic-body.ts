import type { ModelImage, ModelMessage, ModelPart, ModelRequest } from '@maru/protocol'
import type { Fields } from '../json.ts'
import type { ModelInfo } from '../models.ts'
import { argsObject, arrangeMessages, itemOf, wireIdOf, wireIds } from './conversation.ts'
import { isAboveHigh, nearestEffort } from './effort.ts'

/** What opaque parts of this wire are marked with. */
export const VENDOR = 'anthropic'

// A model may write far more, but what it has not asked for is not reserved: this bounds a run-away answer.
const DEFAULT_OUTPUT = 64_000

/** A Messages request. */
export function body(request: ModelRequest, model: ModelInfo): Fields {
  const { system, tools, params } = request
  const maxTokens = params.maxOutput ?? Math.min(model.outputLimit, DEFAULT_OUTPUT)
  const mustCall = params.forceTool === true && tools.length > 0 && model.canForceTool
  return {
    model: request.model,
    max_tokens: maxTokens,
    stream: true,
    ...thinkingOf(request, model, { maxTokens, mustCall }),
    ...(tools.length === 0 ? {} : { tools: toolsOf(request) }),
    ...(mustCall ? { tool_choice: { type: 'any' } } : {}),
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, cache_control: mark }] }),
    messages: messagesOf(request),
  }
}

/**
 * Four marks are allowed; three are used. The one on the system text covers the tools too, since they come before it.
 * The last two user messages carry the others: the older one is where the request before this one ended, so its prefix
 * is found there however many blocks a turn has added (the vendor looks back only 20), and the newer one is where the
 * next request will look.
 */
const mark = { type: 'ephemeral' } as const

function toolsOf({ tools, system }: ModelRequest): Fields[] {
  return tools.map(({ name, description, schema }, at) => {
    const isMarked = system === '' && at === tools.length - 1
    return { name, description, input_schema: schema, ...(isMarked ? { cache_control: mark } : {}) }
  })
}

// Effort as tokens to think with, for models that know only a budget.
const budgets: { readonly [effort: string]: number } = {
  low: 4_096,
  medium: 10_240,
  high: 20_480,
  xhigh: 32_768,
  max: 49_152,
}
const MIN_BUDGET = 1_024

function thinkingOf(
  { params }: ModelRequest,
  model: ModelInfo,
  { maxTokens, mustCall }: { maxTokens: number; mustCall: boolean },
): Fields {
  const format =
    params.outputSchema === undefined ? {} : { format: { type: 'json_schema', schema: params.outputSchema } }
  const asked = params.effort
  if (model.thinking === 'budget') {
    const budget = Math.min(budgets[asked ?? ''] ?? 0, maxTokens - 1)
    // A forced call and thinking exclude each other.
    const thinks = !mustCall && budget >= MIN_BUDGET
    return {
      ...(thinks ? { thinking: { type: 'enabled', budget_tokens: budget } } : {}),
      ...outputConfig(format),
    }
  }
  const level = asked === undefined ? undefined : nearestEffort(asked, model.efforts)
  if (model.thinking === 'unknown') return outputConfig({ ...effortOf(level), ...format })
  if (mustCall) {
    // Thinking can be switched off only up to high effort.
    const capped = level !== undefined && isAboveHigh(level) ? 'high' : level
    return { thinking: { type: 'disabled' }, ...outputConfig({ ...effortOf(capped), ...format }) }
  }
  // Without `summarized` the text of the thinking stays with the vendor, and a reader sees nothing happen.
  const thinking = { type: 'adaptive', display: 'summarized' }
  return { thinking, ...outputConfig({ ...effortOf(level), ...format }) }
}

function effortOf(effort: string | undefined): Fields {
  return effort === undefined ? {} : { effort }
}

function outputConfig(config: Fields): Fields {
  return Object.keys(config).length === 0 ? {} : { output_config: config }
}

function messagesOf(request: ModelRequest): Fields[] {
  const arranged = arrangeMessages(request)
  const ids = wireIds(arranged)
  const messages = arranged.flatMap((message) => {
    const content = message.parts.flatMap((part) => blockOf(part, message, { ids, model: request.model }))
    return content.length === 0 ? [] : [{ role: message.role, content }]
  })
  let marks = 2
  for (const message of messages.toReversed()) {
    if (message.role !== 'user' || marks === 0) continue
    const last = message.content.at(-1)
    message.content.splice(-1, 1, { ...last, cache_control: mark })
    marks -= 1
  }
  return messages
}

function blockOf(
  part: ModelPart,
  { role }: ModelMessage,
  { ids, model }: { ids: ReadonlyMap<string, string>; model: string },
): Fields[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }]
    case 'image':
      return role === 'user' ? [imageOf(part)] : []
    case 'call':
      return [{ type: 'tool_use', id: wireIdOf(ids, part.callId), name: part.tool, input: argsObject(part.args) }]
    case 'result':
      return [
        {
          type: 'tool_result',
          tool_use_id: wireIdOf(ids, part.callId),
          content: resultContent(part),
          ...(part.ok ? {} : { is_error: true }),
        },
      ]
    case 'opaque': {
      const block = role === 'assistant' ? itemOf(part, VENDOR, model) : undefined
      return block === undefined ? [] : [block]
    }
    // For readers: what the vendor needs of it is in the opaque part.
    case 'reasoning':
      return []
    default:
      return part satisfies never
  }
}

function resultContent({ text, images = [] }: { text: string; images?: ModelImage[] }): string | Fields[] {
  if (images.length === 0) return text
  const said = text.trim() === '' ? [] : [{ type: 'text', text }]
  return [...said, ...images.map(imageOf)]
}

function imageOf({ mediaType, data }: ModelImage): Fields {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
}
