import type { Json } from '@maru/protocol'
import { isObject, type JsonObject, listOf, objectOf, present, textOf, timeOf } from './read-value.ts'
import type { ImportPart, ImportStep, TimedFact } from './steps.ts'
import { type TreeNode, treeSteps } from './tree-steps.ts'

/** Whether a value is a conversation as ChatGPT exports them. */
export function isChatgpt(value: JsonObject): boolean {
  return isObject(value['mapping'])
}

const KNOWN = new Set(['id', 'conversation_id', 'title', 'create_time', 'update_time', 'mapping', 'current_node'])

/** One conversation of a ChatGPT export. */
export function* readChatgpt(value: JsonObject, place: string): Generator<ImportStep, void> {
  const key = textOf(value['conversation_id']) ?? textOf(value['id'])
  if (key === undefined) {
    yield { kind: 'problem', place, reason: 'a conversation without an id' }
    return
  }
  const at = timeOf(value['create_time'])
  const mapping = objectOf(value['mapping'])
  const nodes = inOrder(mapping).map((id) => nodeOf(id, mapping))
  const rest = Object.entries(value).filter(([name, held]) => !KNOWN.has(name) && !isEmpty(held))
  const about: TimedFact = {
    ...(at !== undefined && { at }),
    fact: { type: 'foreign', place: 'conversation', value: Object.fromEntries(rest) },
  }
  if (rest.length > 0) nodes.unshift({ id: '', parent: undefined, facts: [about] })
  for (const node of nodes) if (node.id !== '' && rest.length > 0) node.parent ??= ''
  const title = textOf(value['title'])
  const session = { kind: 'session', source: 'chatgpt', key, ...present({ at, title }) } as const
  yield* treeSteps(session, nodes)
}

function isEmpty(value: Json): boolean {
  return (
    value === null || value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
  )
}

// Parents first, children as the export orders them: the object's own order is nobody's promise.
function inOrder(mapping: JsonObject): string[] {
  const ordered: string[] = []
  const seen = new Set<string>()
  const roots = Object.keys(mapping).filter(
    (id) => !isObject(mapping[textOf(objectOf(mapping[id])['parent']) ?? ''] ?? null),
  )
  const waiting = roots.reverse()
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id) || !isObject(mapping[id] ?? null)) continue
    seen.add(id)
    ordered.push(id)
    const children = listOf(objectOf(mapping[id])['children']).filter((child) => typeof child === 'string')
    waiting.push(...children.reverse())
  }
  return [...ordered, ...Object.keys(mapping).filter((id) => !seen.has(id))]
}

function nodeOf(id: string, mapping: JsonObject): TreeNode {
  const node = objectOf(mapping[id])
  const parent = textOf(node['parent'])
  const message = node['message']
  return { id, parent, facts: isObject(message) ? factsOf(id, message, objectOf(mapping[parent ?? ''])) : [] }
}

function factsOf(id: string, message: JsonObject, parent: JsonObject): TimedFact[] {
  const author = objectOf(message['author'])
  const role = textOf(author['role']) ?? 'system'
  const metadata = objectOf(message['metadata'])
  const parts = partsOf(objectOf(message['content']))
  const at = timeOf(message['create_time'])
  const timed = at === undefined ? {} : { at }
  if (parts.length === 0) return []
  if (role === 'tool') {
    const asker = objectOf(parent['message'])
    if (callee(asker) !== undefined) {
      return [
        {
          ...timed,
          fact: { type: 'call-end', callId: textOf(parent['id']) ?? textOf(asker['id']) ?? '', outcome: 'ok', parts },
        },
      ]
    }
    const source = textOf(author['name']) ?? 'tool'
    const outside = parts.map((part): ImportPart => (part.type === 'text' ? outsideText(source, part.text) : part))
    return [{ ...timed, fact: { type: 'message', key: id, role: 'system', parts: outside } }]
  }
  const tool = callee(message)
  const said: ImportPart[] =
    tool === undefined ? parts : [{ type: 'call', callId: id, tool, args: objectOf(message['content']) }]
  const extra = extraOf(metadata, message)
  return [
    {
      ...timed,
      fact: {
        type: 'message',
        key: id,
        role: role === 'user' ? 'user' : role === 'assistant' ? 'assistant' : 'system',
        parts: said,
        ...present({
          model: textOf(metadata['model_slug']),
          finish: textOf(objectOf(metadata['finish_details'])['type']),
          metadata: extra,
        }),
      },
    },
  ]
}

/** The tool that an assistant's message is for, if it is no answer. */
function callee(message: JsonObject): string | undefined {
  const recipient = textOf(message['recipient'])
  const isAssistant = objectOf(message['author'])['role'] === 'assistant'
  return isAssistant && recipient !== undefined && recipient !== 'all' ? recipient : undefined
}

function outsideText(source: string, text: string): ImportPart {
  return { type: 'context', source, text, trusted: false }
}

function extraOf(metadata: JsonObject, message: JsonObject): Json | undefined {
  const kept = present({
    attachments: listOf(metadata['attachments']).length > 0 ? (metadata['attachments'] as Json) : undefined,
    hidden: metadata['is_visually_hidden_from_conversation'] === true ? true : undefined,
    status: message['status'] === 'finished_successfully' ? undefined : textOf(message['status']),
  })
  return Object.keys(kept).length > 0 ? (kept as Json) : undefined
}

function partsOf(content: JsonObject): ImportPart[] {
  const kind = textOf(content['content_type']) ?? 'text'
  const text = textOf(content['text'])
  switch (kind) {
    case 'text':
    case 'multimodal_text':
      return listOf(content['parts']).flatMap(partOf)
    case 'code':
    case 'execution_output':
    case 'system_error':
      return text === undefined ? [] : [{ type: 'text', text }]
    case 'thoughts':
      return listOf(content['thoughts']).flatMap((thought): ImportPart[] => {
        const said = textOf(objectOf(thought)['content']) ?? textOf(objectOf(thought)['summary'])
        return said === undefined ? [] : [{ type: 'reasoning', text: said }]
      })
    case 'reasoning_recap': {
      const recap = textOf(content['content'])
      return recap === undefined ? [] : [{ type: 'reasoning', text: recap }]
    }
    case 'tether_quote':
      return text === undefined ? [] : [outsideText(textOf(content['url']) ?? kind, text)]
    default:
      return [{ type: 'data', schema: `chatgpt/${kind}`, value: content }]
  }
}

function partOf(part: Json): ImportPart[] {
  if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', text: part }]
  if (!isObject(part)) return []
  const text = textOf(part['text'])
  if (part['content_type'] === 'audio_transcription' && text !== undefined) return [{ type: 'text', text }]
  return [{ type: 'data', schema: `chatgpt/${textOf(part['content_type']) ?? 'part'}`, value: part }]
}
