import { type Fields, fieldsOf, isFields, listOf } from './json.ts'
import type { VendorError } from './script.ts'
import { invalid } from './vendor-error.ts'

/** What the Messages API would refuse in the blocks of a conversation: their shape, and calls without results. */
export function* checkAnthropicBlocks(messages: readonly unknown[]): Generator<VendorError> {
  for (const [at, message] of messages.entries()) {
    const { role, content } = fieldsOf(message)
    if (typeof content === 'string') {
      if (content !== '' && content.trim() === '') yield invalid(`messages.${at}: text must not be only whitespace`)
      continue
    }
    for (const [place, block] of listOf(content).entries()) {
      yield* checkBlock(block, `messages.${at}.content.${place}`, role)
    }
  }
  yield* checkPairs(messages)
}

const keys: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'cache_control', 'citations'],
  image: ['source', 'cache_control'],
  document: ['source', 'cache_control', 'citations', 'context', 'title'],
  search_result: ['source', 'title', 'content', 'cache_control', 'citations'],
  tool_use: ['id', 'name', 'input', 'cache_control', 'caller'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
}

const roles: Readonly<Record<string, string>> = {
  image: 'user',
  document: 'user',
  tool_result: 'user',
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
}

function* checkBlock(block: unknown, path: string, role: unknown): Generator<VendorError> {
  if (!isFields(block)) return yield invalid(`${path}: must be an object`)
  const { type, ...fields } = block
  const allowed = keys[String(type)]
  if (allowed === undefined) return yield invalid(`${path}: unknown block type "${String(type)}"`)
  for (const key of Object.keys(fields)) {
    if (!allowed.includes(key)) yield invalid(`${path}.${String(type)}.${key}: Extra inputs are not permitted`)
  }
  const home = roles[String(type)]
  if (home !== undefined && home !== role) yield invalid(`${path}: ${String(type)} blocks belong in ${home} messages`)
  yield* checkFields(String(type), fields, path)
}

function* checkFields(type: string, fields: Fields, path: string): Generator<VendorError> {
  switch (type) {
    case 'text':
      if (typeof fields['text'] !== 'string') yield invalid(`${path}.text.text: Field required`)
      if (String(fields['text']).trim() === '') yield invalid(`${path}: text content blocks must be non-empty`)
      return
    case 'image':
      return yield* checkImage(fieldsOf(fields['source']), path)
    case 'tool_use':
      if (!/^[a-zA-Z0-9_-]+$/.test(String(fields['id'])))
        yield invalid(`${path}.tool_use.id: must match ^[a-zA-Z0-9_-]+$`)
      if (!/^[a-zA-Z0-9_-]{1,200}$/.test(String(fields['name'])))
        yield invalid(`${path}.tool_use.name: not a tool name`)
      if (!isFields(fields['input'])) yield invalid(`${path}.tool_use.input: Input should be an object`)
      return
    case 'tool_result':
      return yield* checkResult(fields, path)
    case 'thinking':
      if (typeof fields['thinking'] !== 'string') yield invalid(`${path}.thinking.thinking: Field required`)
      if (typeof fields['signature'] !== 'string') yield invalid(`${path}.thinking.signature: Field required`)
      return
    case 'redacted_thinking':
      if (typeof fields['data'] !== 'string') yield invalid(`${path}.redacted_thinking.data: Field required`)
      return
    default:
  }
}

function* checkImage(source: Fields, path: string): Generator<VendorError> {
  const { type, media_type: media, data } = source
  if (type === 'url' || type === 'file') return
  if (type !== 'base64') yield invalid(`${path}.image.source.type: must be base64, url or file`)
  if (!/^image\/(jpeg|png|gif|webp)$/.test(String(media)))
    yield invalid(`${path}.image.source.base64.media_type: not supported`)
  if (typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    yield invalid(`${path}.image.source.base64.data: invalid base64 data`)
  }
}

function* checkResult(fields: Fields, path: string): Generator<VendorError> {
  if (typeof fields['tool_use_id'] !== 'string') yield invalid(`${path}.tool_result.tool_use_id: Field required`)
  for (const [at, part] of listOf(fields['content']).entries()) {
    const type = fieldsOf(part)['type']
    const where = `${path}.tool_result.content.${at}`
    if (type === 'tool_use' || type === 'tool_result') yield invalid(`${where}: ${type} may not stand in a tool_result`)
    yield* checkBlock(part, where, 'user')
  }
}

/** Each tool_use has its one tool_result in the very next message, ahead of anything else there. */
function* checkPairs(messages: readonly unknown[]): Generator<VendorError> {
  const seen = new Set<string>()
  for (const [at, message] of messages.entries()) {
    const asked = idsOf(message, 'tool_use', 'id')
    for (const id of asked) {
      if (seen.has(id)) yield invalid(`messages.${at}: tool_use ids must be unique, twice: ${id}`)
      seen.add(id)
    }
    const answered = at + 1 < messages.length ? idsOf(messages[at + 1], 'tool_result', 'tool_use_id') : []
    const open = asked.filter((id) => !answered.includes(id))
    if (open.length > 0) {
      yield invalid(`messages.${at}: tool_use ids without a tool_result in the next message: ${open.join(', ')}`)
    }
    yield* checkResults(messages, at)
  }
}

function* checkResults(messages: readonly unknown[], at: number): Generator<VendorError> {
  const asked = at === 0 ? [] : idsOf(messages[at - 1], 'tool_use', 'id')
  const answered = new Set<string>()
  let hasOther = false
  for (const [place, block] of listOf(fieldsOf(messages[at])['content']).entries()) {
    const { type, tool_use_id: id } = fieldsOf(block)
    const path = `messages.${at}.content.${place}`
    if (type !== 'tool_result') {
      hasOther = true
      continue
    }
    if (!asked.includes(String(id))) yield invalid(`${path}: unexpected tool_use_id in a tool_result: ${String(id)}`)
    if (answered.has(String(id)))
      yield invalid(`${path}: each tool_use takes a single tool_result, twice: ${String(id)}`)
    if (hasOther) yield invalid(`${path}: tool_result blocks must come first in their message`)
    answered.add(String(id))
  }
}

function idsOf(message: unknown, type: string, key: string): string[] {
  return listOf(fieldsOf(message)['content']).flatMap((block) => {
    const fields = fieldsOf(block)
    return fields['type'] === type ? [String(fields[key])] : []
  })
}
