import { checkAnthropicBlocks } from './check-anthropic-blocks.ts'
import { checkThinkingReturned } from './check-anthropic-thinking.ts'
import { type Fields, fieldsOf, isFields, listOf } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { VendorError, WireRequest } from './script.ts'
import { invalid } from './vendor-error.ts'

/** What the Messages API would refuse in a request. Turns of one role in a row are merged by the vendor, not refused. */
export function* checkAnthropic({ headers, body }: WireRequest, ledger: Ledger): Generator<VendorError> {
  const version = headers['anthropic-version']
  if (version === undefined) yield invalid('anthropic-version: header is required')
  if (version !== '2023-06-01' && version !== '2023-01-01') yield invalid(`anthropic-version: no version "${version}"`)
  for (const key of Object.keys(body)) if (!known.has(key)) yield invalid(`${key}: Extra inputs are not permitted`)
  for (const key of ['model', 'messages', 'max_tokens']) if (!(key in body)) yield invalid(`${key}: Field required`)
  if (typeof body['model'] !== 'string' || body['model'] === '') yield invalid('model: must be a non-empty string')
  const max = body['max_tokens']
  if (typeof max !== 'number' || !Number.isInteger(max) || max < 0)
    yield invalid('max_tokens: must be an integer of at least 0')
  yield* checkThinkingSetting(body, Number(max))
  yield* checkTools(body)
  yield* checkSystem(body['system'])
  yield* checkMessages(body)
  yield* checkMarks(body)
  yield* checkThinkingReturned(body, ledger)
}

const known = new Set(
  `model messages max_tokens system metadata stop_sequences stream temperature top_k top_p tools tool_choice thinking
   service_tier container context_management mcp_servers output_config output_format cache_control inference_geo speed`.split(
    /\s+/,
  ),
)

function* checkThinkingSetting(body: Fields, max: number): Generator<VendorError> {
  if (body['thinking'] === undefined) return
  const { type, budget_tokens: budget } = fieldsOf(body['thinking'])
  if (type !== 'enabled' && type !== 'adaptive' && type !== 'disabled') {
    yield invalid('thinking.type: must be enabled, adaptive or disabled')
  }
  if (type === 'disabled') return
  if (type === 'enabled') {
    if (typeof budget !== 'number' || budget < 1024)
      yield invalid('thinking.enabled.budget_tokens: must be at least 1024')
    if (Number(budget) >= max) yield invalid('max_tokens: must be greater than thinking.budget_tokens')
  }
  const choice = fieldsOf(body['tool_choice'])['type']
  if (choice === 'any' || choice === 'tool')
    yield invalid('thinking: cannot go with a tool_choice that forces tool use')
  const temperature = body['temperature'] ?? 1
  if (temperature !== 1) yield invalid('temperature: may only be 1 when thinking is on')
  if (body['top_k'] !== undefined) yield invalid('top_k: must be unset when thinking is on')
}

function* checkTools(body: Fields): Generator<VendorError> {
  const names = new Set<unknown>()
  for (const [at, tool] of listOf(body['tools']).entries()) {
    const { type = 'custom', name, input_schema: schema } = fieldsOf(tool)
    if (type !== 'custom') continue
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      yield invalid(`tools.${at}.custom.name: must match ^[a-zA-Z0-9_-]{1,128}$`)
    }
    if (fieldsOf(schema)['type'] !== 'object') yield invalid(`tools.${at}.custom.input_schema.type: must be "object"`)
    if (names.has(name)) yield invalid(`tools: names must be unique, twice: ${name}`)
    names.add(name)
  }
  const choice = fieldsOf(body['tool_choice'])
  if (choice['type'] !== undefined && choice['type'] !== 'none' && !Array.isArray(body['tools'])) {
    yield invalid('tool_choice: may only be given with tools')
  }
  if (choice['type'] === 'tool' && !names.has(choice['name'])) {
    yield invalid(`tool_choice: no tool named ${String(choice['name'])}`)
  }
}

function* checkSystem(system: unknown): Generator<VendorError> {
  if (system === undefined || typeof system === 'string') return
  if (!Array.isArray(system)) yield invalid('system: must be a string or a list of text blocks')
  for (const [at, block] of listOf(system).entries()) {
    const { type, text } = fieldsOf(block)
    if (type !== 'text' || typeof text !== 'string') yield invalid(`system.${at}: must be a text block`)
    if (text === '') yield invalid(`system.${at}.text: text content blocks must be non-empty`)
  }
}

function* checkMessages(body: Fields): Generator<VendorError> {
  const messages = listOf(body['messages'])
  if (messages.length === 0) yield invalid('messages: at least one message is required')
  for (const [at, message] of messages.entries()) {
    if (!isFields(message)) yield invalid(`messages.${at}: must be an object`)
    const { role, content, ...extra } = fieldsOf(message)
    if (role !== 'user' && role !== 'assistant') yield invalid(`messages.${at}.role: unexpected role "${String(role)}"`)
    for (const key of Object.keys(extra)) yield invalid(`messages.${at}.${key}: Extra inputs are not permitted`)
    const isLastWord = role === 'assistant' && at === messages.length - 1
    if (isEmpty(content) && !isLastWord) yield invalid(`messages.${at}: content must not be empty`)
    if (isLastWord && typeof content === 'string' && content !== content.trimEnd()) {
      yield invalid('messages: final assistant content cannot end with trailing whitespace')
    }
    if (typeof content !== 'string' && !Array.isArray(content)) {
      yield invalid(`messages.${at}.content: must be a string or a list of blocks`)
    }
  }
  if (fieldsOf(messages[0])['role'] !== 'user') yield invalid('messages: first message must use the "user" role')
  yield* checkAnthropicBlocks(messages)
}

function isEmpty(content: unknown): boolean {
  return content === '' || (Array.isArray(content) && content.length === 0)
}

/** At most four cache marks, wherever they stand; one for the whole request takes a place too. */
function* checkMarks(body: Fields): Generator<VendorError> {
  const marks = findMarks([body['tools'], body['system'], body['messages']])
  if (body['cache_control'] !== undefined) marks.push(body['cache_control'])
  for (const mark of marks) {
    const { type, ttl = '5m' } = fieldsOf(mark)
    if (type !== 'ephemeral') yield invalid('cache_control.type: must be "ephemeral"')
    if (ttl !== '5m' && ttl !== '1h') yield invalid('cache_control.ttl: must be "5m" or "1h"')
  }
  if (marks.length > 4)
    yield invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`)
}

function findMarks(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(findMarks)
  if (!isFields(value)) return []
  const own = value['cache_control'] === undefined || value['cache_control'] === null ? [] : [value['cache_control']]
  return [...own, ...findMarks(value['content'])]
}
