import { type Fields, fieldsOf, isFields, listOf, textOf } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { VendorError, WireRequest } from './script.ts'
import { isSealed } from './seal.ts'
import { invalid } from './vendor-error.ts'

/** What the Responses API would refuse in a request. */
export function* checkResponses({ body }: WireRequest, ledger: Ledger): Generator<VendorError> {
  for (const key of Object.keys(body)) {
    if (!known.has(key)) yield invalid(`Unknown parameter: '${key}'.`, { param: key, code: 'unknown_parameter' })
  }
  if (textOf(body['model']) === '') yield missing('model')
  const input = body['input']
  if (input === undefined && body['previous_response_id'] === undefined) yield missing('input')
  if (input !== undefined && typeof input !== 'string' && !Array.isArray(input)) {
    yield invalid("Invalid type for 'input': expected a string or an array.", { param: 'input', code: 'invalid_type' })
  }
  const max = body['max_output_tokens']
  if (typeof max === 'number' && max < 16) {
    yield invalid("Invalid 'max_output_tokens': below the minimum of 16.", {
      param: 'max_output_tokens',
      code: 'integer_below_min_value',
    })
  }
  for (const value of listOf(body['include'])) {
    if (!included.has(value))
      yield invalid(`Invalid value: '${String(value)}'.`, { param: 'include', code: 'invalid_value' })
  }
  yield* checkTools(body)
  const previous = body['previous_response_id']
  if (typeof previous === 'string' && !ledger.storedResponses.has(previous)) {
    yield invalid(`Previous response with id '${previous}' not found.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
  }
  yield* checkItems(body, ledger)
  yield* checkCalls(conversationOf(body, ledger))
}

const known = new Set(
  `background client_metadata context_management conversation include input instructions max_output_tokens max_tool_calls metadata model
   moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
   prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text
   tool_choice tools top_logprobs top_p truncation user`.split(/\s+/),
)

const included = new Set<unknown>([
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
])

function missing(param: string): VendorError {
  return invalid(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' })
}

/** The items a model would see: those of the stored response before, then the input. */
export function conversationOf(body: Fields, ledger: Ledger): readonly unknown[] {
  const before = ledger.storedResponses.get(textOf(body['previous_response_id'])) ?? []
  const input = typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : listOf(body['input'])
  return [...before, ...input.map((item) => resolve(fieldsOf(item), ledger))]
}

function resolve(item: Fields, ledger: Ledger): Fields {
  return item['type'] === 'item_reference' ? (ledger.storedItems.get(textOf(item['id'])) ?? item) : item
}

function* checkTools(body: Fields): Generator<VendorError> {
  for (const [at, tool] of listOf(body['tools']).entries()) {
    const { type, name, parameters } = fieldsOf(tool)
    if (type === undefined) yield missing(`tools[${at}].type`)
    if (type !== 'function') continue
    if (typeof name !== 'string') yield missing(`tools[${at}].name`)
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(name))) {
      yield invalid(`Invalid 'tools[${at}].name': must match ^[a-zA-Z0-9_-]+$ and be at most 64 long.`, {
        param: `tools[${at}].name`,
        code: 'invalid_value',
      })
    }
    if (parameters !== undefined && parameters !== null && fieldsOf(parameters)['type'] !== 'object') {
      yield invalid(`Invalid schema for function '${textOf(name)}': must be of type "object".`, {
        param: `tools[${at}].parameters`,
        code: 'invalid_function_parameters',
      })
    }
  }
}

function* checkItems(body: Fields, ledger: Ledger): Generator<VendorError> {
  const items = listOf(body['input'])
  for (const [at, item] of items.entries()) {
    if (!isFields(item))
      return yield invalid(`Invalid type for 'input[${at}]': expected an object.`, {
        param: `input[${at}]`,
        code: 'invalid_type',
      })
    const type = item['type'] ?? (item['role'] === undefined ? undefined : 'message')
    if (type === undefined) yield missing(`input[${at}].type`)
    if (type === 'message') yield* checkMessage(item, at)
    if (type === 'item_reference' && !ledger.storedItems.has(textOf(item['id']))) yield lost(textOf(item['id']))
    if (type === 'reasoning') yield* checkReasoning(body, item, ledger)
  }
  yield* checkNeighbours(items.map(fieldsOf), ledger)
}

const partTypes: Readonly<Record<string, readonly string[]>> = {
  user: ['input_text', 'input_image', 'input_file'],
  system: ['input_text', 'input_image', 'input_file'],
  developer: ['input_text', 'input_image', 'input_file'],
  assistant: ['output_text', 'refusal'],
}

function* checkMessage({ role, content }: Fields, at: number): Generator<VendorError> {
  const allowed = partTypes[String(role)]
  if (allowed === undefined)
    return yield invalid(`Invalid value: '${String(role)}'.`, { param: `input[${at}].role`, code: 'invalid_value' })
  for (const [place, part] of listOf(content).entries()) {
    const { type } = fieldsOf(part)
    if (allowed.includes(String(type))) continue
    const param = `input[${at}].content[${place}]`
    yield invalid(`Invalid value: '${String(type)}'. Supported values are: ${allowed.join(', ')}.`, {
      param,
      code: 'invalid_value',
    })
  }
}

function lost(id: string): VendorError {
  const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`
  return { status: 404, message, param: 'input' }
}

/** Reasoning comes back sealed as it went out; without the seal only a stored item is known. */
function* checkReasoning(body: Fields, item: Fields, ledger: Ledger): Generator<VendorError> {
  const { id, encrypted_content: token, summary } = item
  if (!Array.isArray(summary)) yield missing('input.summary')
  if (typeof token !== 'string') {
    if (body['store'] === false || !ledger.storedItems.has(textOf(id))) yield lost(textOf(id))
    return
  }
  const serial = typeof id === 'string' ? { serial: id } : {}
  if (!isSealed(token, 'reasoning', serial)) {
    const message = `The encrypted content for item ${textOf(id)} could not be verified.`
    yield invalid(message, { code: 'invalid_encrypted_content' })
  }
}

/** Reasoning and the item after it travel together. */
function* checkNeighbours(items: readonly Fields[], ledger: Ledger): Generator<VendorError> {
  for (const [at, item] of items.entries()) {
    const id = textOf(item['id'])
    if (item['type'] === 'reasoning' && id !== '' && !isFollowed(items[at + 1], ledger.itemAfter.get(id))) {
      yield invalid(`Item '${id}' of type 'reasoning' was provided without its required following item.`, {
        param: 'input',
      })
    }
    const reasoning = ledger.reasoningBefore.get(id)
    if (reasoning !== undefined && items[at - 1]?.['id'] !== reasoning) {
      const type = textOf(item['type'])
      yield invalid(
        `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${reasoning}'.`,
        { param: 'input' },
      )
    }
  }
}

/** The next item is the one sent next; from another instance's reasoning, at least some output item. */
function isFollowed(next: Fields | undefined, sent: Fields | undefined): boolean {
  if (next === undefined) return false
  const type = next['type'] ?? 'message'
  if (sent === undefined) return type !== 'function_call_output' && next['role'] !== 'user'
  if (next['id'] !== undefined) return next['id'] === sent['id']
  return type === sent['type'] && (type !== 'function_call' || next['call_id'] === sent['call_id'])
}

/** Every call has one output, every output a call before it. */
function* checkCalls(items: readonly unknown[]): Generator<VendorError> {
  const open = new Set<string>()
  for (const { type, call_id } of items.map(fieldsOf)) {
    const id = textOf(call_id)
    if (type === 'function_call') open.add(id)
    if (type === 'function_call_output' && !open.delete(id)) {
      yield invalid(`No tool call found for function call output with call_id ${id}.`, { param: 'input' })
    }
  }
  for (const id of open) yield invalid(`No tool output found for function call ${id}.`, { param: 'input' })
}
