import { type Fields, fieldsOf, listOf, textOf } from './json.ts'
import type { RequestView } from './script.ts'

type Draft = {
  readonly texts: string[]
  readonly toolResults: { callId: string; text: string; isError: boolean }[]
  images: number
}

/** What a model would read in a Messages request. */
export function viewAnthropic(body: Fields): RequestView {
  const draft = newDraft()
  readContent(body['system'], draft)
  for (const message of listOf(body['messages'])) readContent(fieldsOf(message)['content'], draft)
  return finish(body, draft)
}

/** What a model would read in a Responses request. */
export function viewResponses(body: Fields): RequestView {
  const draft = newDraft()
  readContent(body['instructions'], draft)
  readContent(body['input'], draft)
  return finish(body, draft)
}

/** What a model would read in a chat request. */
export function viewChat(body: Fields): RequestView {
  const draft = newDraft()
  for (const message of listOf(body['messages']).map(fieldsOf)) {
    if (message['role'] === 'tool') readResult({ callId: message['tool_call_id'], content: message['content'] }, draft)
    else readContent(message['content'], draft)
  }
  return finish(body, draft)
}

function newDraft(): Draft {
  return { texts: [], toolResults: [], images: 0 }
}

function finish(body: Fields, draft: Draft): RequestView {
  const tools = listOf(body['tools']).map((tool) => {
    const fields = fieldsOf(tool)
    return textOf(fields['name'] ?? fieldsOf(fields['function'])['name'] ?? fields['type'])
  })
  return { model: textOf(body['model']), ...draft, tools }
}

function readContent(content: unknown, draft: Draft): void {
  if (typeof content === 'string') draft.texts.push(content)
  for (const part of listOf(content)) readPart(fieldsOf(part), draft)
}

function readPart(part: Fields, draft: Draft): void {
  switch (part['type']) {
    case 'image':
    case 'image_url':
    case 'input_image':
      draft.images += 1
      return
    case 'tool_result':
      readResult({ callId: part['tool_use_id'], content: part['content'], isError: part['is_error'] === true }, draft)
      return
    case 'function_call_output':
      readResult({ callId: part['call_id'], content: part['output'] }, draft)
      return
    default:
      if (typeof part['text'] === 'string') draft.texts.push(part['text'])
      readContent(part['content'], draft)
  }
}

function readResult(result: { callId: unknown; content: unknown; isError?: boolean }, draft: Draft): void {
  const inner = newDraft()
  readContent(result.content, inner)
  draft.texts.push(...inner.texts)
  draft.images += inner.images
  const text = inner.texts.join('\n')
  draft.toolResults.push({ callId: textOf(result.callId), text, isError: result.isError ?? false })
}
