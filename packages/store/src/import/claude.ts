import type { Json } from '@maru/protocol'
import { imagePart, isObject, type JsonObject, listOf, objectOf, present, textOf, timeOf } from './read-value.ts'
import type { ImportPart, ImportStep, TimedFact } from './steps.ts'
import { type TreeNode, treeSteps } from './tree-steps.ts'

/** Whether a value is a conversation as Claude exports them. */
export function isClaude(value: JsonObject): boolean {
  return Array.isArray(value['chat_messages'])
}

const KNOWN = new Set(['uuid', 'name', 'created_at', 'updated_at', 'chat_messages'])

/** One conversation of a Claude data export. */
export function* readClaude(value: JsonObject, place: string): Generator<ImportStep, void> {
  const key = textOf(value['uuid'])
  if (key === undefined) {
    yield { kind: 'problem', place, reason: 'a conversation without an id' }
    return
  }
  const messages = listOf(value['chat_messages'])
  const nodes: TreeNode[] = []
  let last: string | undefined
  for (const [n, message] of messages.entries()) {
    if (!isObject(message)) {
      yield { kind: 'problem', place: `${place}, message ${n + 1}`, reason: 'it is no object' }
      continue
    }
    const id = textOf(message['uuid']) ?? `message ${n + 1}`
    // Older exports have no tree: what was said follows what was said before.
    const parent = 'parent_message_uuid' in message ? textOf(message['parent_message_uuid']) : last
    nodes.push({ id, parent, facts: factsOf(id, message) })
    last = id
  }
  const at = timeOf(value['created_at'])
  const rest = Object.entries(value).filter(([name, held]) => !KNOWN.has(name) && held !== null && held !== '')
  if (rest.length > 0 && nodes[0]) {
    nodes[0].facts.unshift({
      ...(at !== undefined && { at }),
      fact: { type: 'foreign', place: 'conversation', value: Object.fromEntries(rest) },
    })
  }
  const title = textOf(value['name'])
  yield* treeSteps({ kind: 'session', source: 'claude', key, ...present({ at, title }) }, nodes)
}

function factsOf(id: string, message: JsonObject): TimedFact[] {
  const at = timeOf(message['created_at'])
  const role = message['sender'] === 'human' ? 'user' : message['sender'] === 'assistant' ? 'assistant' : 'system'
  const { parts, ends } = contentOf(id, message)
  const attachments = [...listOf(message['attachments']), ...listOf(message['files'])].filter(isObject)
  for (const { file_name, extracted_content } of attachments as JsonObject[]) {
    const text = textOf(extracted_content)
    if (text !== undefined) parts.push({ type: 'context', source: textOf(file_name) ?? 'file', text, trusted: false })
  }
  const files = (attachments as JsonObject[]).map(({ extracted_content: _text, ...about }) => about)
  const facts: TimedFact[] = []
  if (parts.length > 0 || files.length > 0) {
    const metadata = files.length > 0 ? { metadata: { files } as Json } : {}
    facts.push({ fact: { type: 'message', key: id, role, parts, ...metadata } })
  }
  facts.push(...ends.map((fact): TimedFact => ({ fact })))
  return facts.map(({ fact }) => ({ ...(at !== undefined && { at }), fact }))
}

type CallEnd = Extract<TimedFact['fact'], { type: 'call-end' }>

function contentOf(id: string, message: JsonObject): { parts: ImportPart[]; ends: CallEnd[] } {
  const parts: ImportPart[] = []
  const ends: CallEnd[] = []
  const calls: string[] = []
  for (const block of listOf(message['content']).filter(isObject)) {
    const part = block as JsonObject
    if (part['type'] === 'tool_use') {
      const callId = textOf(part['id']) ?? `${id}#${calls.length + 1}`
      calls.push(callId)
      parts.push({ type: 'call', callId, tool: textOf(part['name']) ?? 'tool', args: part['input'] ?? {} })
    } else if (part['type'] === 'tool_result') {
      // Exports leave the ids out: results come in the order of their calls.
      const callId = textOf(part['tool_use_id']) ?? calls[ends.length] ?? `${id}#?`
      const outcome = part['is_error'] === true ? 'error' : 'ok'
      ends.push({ type: 'call-end', callId, outcome, parts: resultParts(part['content']) })
    } else parts.push(...plainPart(part))
  }
  const text = textOf(message['text'])
  if (parts.length === 0 && text !== undefined) parts.push({ type: 'text', text })
  return { parts, ends }
}

function plainPart(part: JsonObject): ImportPart[] {
  const kind = textOf(part['type']) ?? 'part'
  const text = textOf(part['text'])
  if (kind === 'text') return text === undefined ? [] : [{ type: 'text', text }]
  const thought = textOf(part['thinking'])
  if (kind === 'thinking' && thought !== undefined) return [{ type: 'reasoning', text: thought }]
  if (kind === 'image') return [imagePart(objectOf(part['source']), 'claude/image')]
  return [{ type: 'data', schema: `claude/${kind}`, value: part }]
}

/** What a tool returned, in the form of Messages: a text, or blocks. */
export function resultParts(content: Json | undefined): ImportPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content)
    .filter(isObject)
    .flatMap((block) => plainPart(block as JsonObject))
}
