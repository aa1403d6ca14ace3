import { type Fields, fieldsOf, isFields, listOf, textOf } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { VendorError, WireRequest } from './script.ts'
import { invalid } from './vendor-error.ts'

/** What a chat completions server would refuse. Unknown top-level fields pass: compatible servers add their own. */
export function* checkChat({ body }: WireRequest, _ledger: Ledger): Generator<VendorError> {
  if (textOf(body['model']) === '') yield invalid('you must provide a model parameter')
  const messages = body['messages']
  if (messages === undefined) {
    yield invalid("Missing required parameter: 'messages'.", { param: 'messages', code: 'missing_required_parameter' })
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    yield invalid("Invalid 'messages': at least one message is needed.", { param: 'messages', code: 'empty_array' })
  }
  if (body['stream_options'] !== undefined && body['stream_options'] !== null && body['stream'] !== true) {
    yield invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: 'stream_options',
    })
  }
  yield* checkTools(body)
  for (const [at, message] of listOf(messages).entries()) yield* checkMessage(message, at)
  yield* checkPairs(listOf(messages).map(fieldsOf))
}

function* checkTools(body: Fields): Generator<VendorError> {
  const tools = body['tools']
  if (Array.isArray(tools) && tools.length === 0) {
    yield invalid("Invalid 'tools': empty array.", { param: 'tools', code: 'empty_array' })
  }
  for (const [at, tool] of listOf(tools).entries()) {
    const { type, function: made } = fieldsOf(tool)
    if (type !== 'function') continue
    const param = `tools[${at}].function.name`
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(fieldsOf(made)['name']))) {
      yield invalid(`Invalid '${param}': must match ^[a-zA-Z0-9_-]+$ and be at most 64 long.`, {
        param,
        code: 'invalid_value',
      })
    }
  }
  if (body['tool_choice'] !== undefined && body['tool_choice'] !== 'none' && tools === undefined) {
    yield invalid("'tool_choice' is only allowed when 'tools' are specified.", { param: 'tool_choice' })
  }
}

const partTypes: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
}

function* checkMessage(message: unknown, at: number): Generator<VendorError> {
  const { role, content, tool_calls: calls } = fieldsOf(message)
  const param = `messages.[${at}]`
  const allowed = partTypes[String(role)]
  if (!isFields(message) || allowed === undefined) {
    return yield invalid(`Invalid value: '${String(role)}'.`, { param: `${param}.role`, code: 'invalid_value' })
  }
  const isEmpty = content === undefined || content === null
  if (isEmpty && !(role === 'assistant' && (Array.isArray(calls) || typeof message['refusal'] === 'string'))) {
    yield invalid(`Invalid value for 'content': expected a string, got null.`, { param: `${param}.content` })
  }
  for (const part of listOf(content)) {
    const { type } = fieldsOf(part)
    if (allowed.includes(String(type))) continue
    yield invalid(`Invalid content type '${String(type)}' for the role '${String(role)}'.`, {
      param: `${param}.content`,
    })
  }
  if (Array.isArray(calls) && calls.length === 0) {
    yield invalid(`Invalid '${param}.tool_calls': empty array.`, { param: `${param}.tool_calls`, code: 'empty_array' })
  }
  for (const [place, call] of listOf(calls).entries()) {
    const { id, type, function: made } = fieldsOf(call)
    const { name, arguments: args } = fieldsOf(made)
    if ([id, type, name, args].every((field) => typeof field === 'string')) continue
    yield invalid('A tool call needs id, type, function.name and function.arguments.', {
      param: `${param}.tool_calls[${place}]`,
    })
  }
}

/** Tool messages answer the calls right before them, each once, before anything else is said. */
function* checkPairs(messages: readonly Fields[]): Generator<VendorError> {
  let open = new Set<string>()
  for (const [at, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const id = textOf(message['tool_call_id'])
      if (!open.delete(id)) {
        yield invalid(`A message with role 'tool' must answer a tool call before it; none is open with id '${id}'.`, {
          param: `messages.[${at}].role`,
        })
      }
      continue
    }
    yield* checkClosed(open, at)
    open = new Set(listOf(message['tool_calls']).map((call) => textOf(fieldsOf(call)['id'])))
  }
  yield* checkClosed(open, messages.length)
}

function* checkClosed(open: ReadonlySet<string>, at: number): Generator<VendorError> {
  if (open.size === 0) return
  const ids = [...open].join(', ')
  yield invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages for each id; missing: ${ids}`,
    { param: `messages.[${at}].role` },
  )
}
