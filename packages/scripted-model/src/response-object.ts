import { type Fields, fieldsOf } from './json.ts'
import type { Stop } from './script.ts'
import type { Exchange } from './wire.ts'

/** How a response stands: what is out, and how it ended, if it did. */
export type ResponseState =
  | { readonly status: 'in_progress' }
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } }
  | { readonly status: 'completed'; readonly output: readonly Fields[] }
  | { readonly status: 'incomplete'; readonly output: readonly Fields[]; readonly reason: string }

/** The full response object, the request's settings echoed as the vendor does. */
export function responseObject(id: string, exchange: Exchange, state: ResponseState): Fields {
  const { body, createdAt } = exchange
  const isOver = 'output' in state
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: state.status,
    background: false,
    completed_at: state.status === 'completed' ? createdAt : null,
    error: state.status === 'failed' ? state.error : null,
    incomplete_details: state.status === 'incomplete' ? { reason: state.reason } : null,
    ...echo(body),
    output: isOver ? state.output : [],
    service_tier: isOver ? 'default' : 'auto',
    usage: isOver ? usageOf(exchange) : null,
  }
}

function echo(body: Fields): Fields {
  const reasoning = fieldsOf(body['reasoning'])
  const text = fieldsOf(body['text'])
  return {
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: body['max_tool_calls'] ?? null,
    model: body['model'],
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: body['previous_response_id'] ?? null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    prompt_cache_retention: body['prompt_cache_retention'] ?? null,
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    safety_identifier: body['safety_identifier'] ?? null,
    store: body['store'] ?? true,
    temperature: body['temperature'] ?? 1,
    text: { format: text['format'] ?? { type: 'text' }, verbosity: text['verbosity'] ?? 'medium' },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    top_logprobs: body['top_logprobs'] ?? 0,
    top_p: body['top_p'] ?? 1,
    truncation: body['truncation'] ?? 'disabled',
    user: body['user'] ?? null,
    metadata: body['metadata'] ?? {},
  }
}

function usageOf({ reply: { usage } }: Exchange): Fields {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  }
}

/** How a finished reply stands; Responses knows only two ways to stop short. */
export function finalState(stop: Stop, output: readonly Fields[]): ResponseState {
  if (typeof stop === 'object') return { status: 'incomplete', output, reason: stop.other }
  if (stop === 'length' || stop === 'context-full') return { status: 'incomplete', output, reason: 'max_output_tokens' }
  if (stop === 'filter') return { status: 'incomplete', output, reason: 'content_filter' }
  return { status: 'completed', output }
}
