import type { Json } from '@maru/protocol'
import {
  countOf,
  imagePart,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  present,
  textOf,
  timeOf,
} from './read-value.ts'
import type { ImportFact, ImportPart, ImportStep } from './steps.ts'

const KINDS = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'])

/** Whether a line is one of a rollout of Codex. */
export function isCodex(value: JsonObject): boolean {
  return KINDS.has(textOf(value['type']) ?? '') && 'payload' in value
}

// What is said again for the screen only.
const ECHOES = new Set(['user_message', 'agent_message', 'agent_reasoning', 'agent_reasoning_section_break'])

type Message = Extract<ImportFact, { type: 'message' }>

/** Follows a rollout of Codex, line by line: what the model saw are the messages, the rest is kept as it is. */
export class CodexReader {
  readonly #name: string
  #key: string | undefined
  #at: number | undefined
  #model: string | undefined
  #context = ''
  #thoughts: ImportPart[] = []
  /** The last thing the model said: how many tokens it took comes behind it. */
  #said: { at?: number; node: string; fact: Message } | undefined

  constructor(name: string) {
    this.#name = name
  }

  *take(line: JsonObject, n: number): Generator<ImportStep, void> {
    this.#at = timeOf(line['timestamp']) ?? this.#at
    const payload = objectOf(line['payload'])
    yield* this.#begin(payload, line['type'] === 'session_meta')
    const node = `line ${n}`
    switch (line['type']) {
      case 'response_item':
        yield* this.#item(payload, node)
        return
      case 'event_msg':
        if (payload['type'] === 'token_count') yield* this.#count(payload, node)
        else if (!ECHOES.has(textOf(payload['type']) ?? '')) yield* this.#give(node, foreign(node, line))
        return
      case 'turn_context':
        yield* this.#frame(payload, { node, line })
        return
      default:
        yield* this.#give(node, foreign(node, line))
    }
  }

  *end(): Generator<ImportStep, void> {
    // Thoughts that led to nothing yet.
    if (this.#thoughts.length > 0) yield* this.#answer('last thoughts', [])
    yield* this.#flush()
  }

  *#begin(payload: JsonObject, isMeta: boolean): Generator<ImportStep, void> {
    if (this.#key !== undefined) return
    this.#key = (isMeta ? textOf(payload['id']) : undefined) ?? this.#name
    const about = { at: timeOf(payload['timestamp']) ?? this.#at, cwd: textOf(payload['cwd']) }
    yield { kind: 'session', source: 'codex', key: this.#key, ...present(about) }
  }

  *#frame(payload: JsonObject, { node, line }: { node: string; line: JsonObject }): Generator<ImportStep, void> {
    const [model, effort] = [textOf(payload['model']), textOf(payload['effort'])]
    if (model !== undefined && model !== this.#model) {
      this.#model = model
      yield* this.#give(node, { type: 'settings', key: node, provider: 'openai', ...present({ model, effort }) })
    }
    const context = JSON.stringify(payload)
    if (context === this.#context) return
    this.#context = context
    yield* this.#give(node, foreign(node, line))
  }

  *#count(payload: JsonObject, node: string): Generator<ImportStep, void> {
    const last = objectOf(objectOf(payload['info'])['last_token_usage'])
    const tokens = countOf(last['output_tokens'])
    if (tokens !== undefined && this.#said && this.#said.fact.tokens === undefined) {
      this.#said.fact.tokens = tokens
      this.#said.fact.metadata = { usage: last }
    } else if (isObject(payload['info'] ?? null)) yield* this.#give(node, foreign(node, payload))
  }

  *#item(item: JsonObject, node: string): Generator<ImportStep, void> {
    const callId = textOf(item['call_id']) ?? textOf(item['id']) ?? node
    switch (item['type']) {
      case 'message':
        yield* this.#message(item, node)
        return
      case 'reasoning':
        this.#thoughts.push(...thoughtsOf(item))
        return
      case 'function_call':
        yield* this.#answer(node, [
          { type: 'call', callId, tool: textOf(item['name']) ?? 'tool', args: parsed(item['arguments']) },
        ])
        return
      case 'custom_tool_call':
        yield* this.#answer(node, [
          { type: 'call', callId, tool: textOf(item['name']) ?? 'tool', args: parsed(item['input']) },
        ])
        return
      case 'local_shell_call':
      case 'web_search_call':
        yield* this.#answer(node, [
          { type: 'call', callId, tool: textOf(item['type']) ?? '', args: item['action'] ?? {} },
        ])
        return
      case 'function_call_output':
      case 'custom_tool_call_output':
        yield* this.#give(node, outputOf(callId, item['output']))
        return
      default:
        yield* this.#give(node, foreign(node, item))
    }
  }

  *#message(item: JsonObject, node: string): Generator<ImportStep, void> {
    const parts = listOf(item['content'])
      .filter(isObject)
      .flatMap((part) => contentPart(part as JsonObject))
    if (parts.length === 0) return
    if (item['role'] === 'assistant') {
      yield* this.#answer(node, parts)
      return
    }
    const isPersons = item['role'] === 'user' && !parts.some((part) => part.type === 'text' && isPreamble(part.text))
    yield* this.#give(node, { type: 'message', key: node, role: isPersons ? 'user' : 'system', parts })
  }

  *#answer(node: string, parts: ImportPart[]): Generator<ImportStep, void> {
    yield* this.#flush()
    const fact: Message = {
      type: 'message',
      key: node,
      role: 'assistant',
      parts: [...this.#thoughts, ...parts],
      ...present({ model: this.#model }),
    }
    this.#thoughts = []
    this.#said = { node, fact, ...(this.#at !== undefined && { at: this.#at }) }
  }

  *#give(node: string, fact: ImportFact): Generator<ImportStep, void> {
    yield* this.#flush()
    yield { kind: 'fact', session: this.#key as string, node, ...(this.#at !== undefined && { at: this.#at }), fact }
  }

  *#flush(): Generator<ImportStep, void> {
    const said = this.#said
    this.#said = undefined
    if (said) yield { kind: 'fact', session: this.#key as string, ...said }
  }
}

function foreign(place: string, value: JsonObject): ImportFact {
  return { type: 'foreign', place, value }
}

// What the program itself puts before the first words of a person.
function isPreamble(text: string): boolean {
  return /^\s*(<environment_context>|<user_instructions>|<permissions|# AGENTS\.md instructions)/.test(text)
}

function contentPart(part: JsonObject): ImportPart[] {
  const text = textOf(part['text'])
  const url = textOf(part['image_url'])
  if (part['type'] === 'input_image' && url !== undefined) return [imagePart({ url }, 'codex/image')]
  if (/^(input|output)_text$|^text$/.test(textOf(part['type']) ?? ''))
    return text === undefined ? [] : [{ type: 'text', text }]
  return [{ type: 'data', schema: `codex/${textOf(part['type']) ?? 'part'}`, value: part }]
}

function thoughtsOf(item: JsonObject): ImportPart[] {
  const texts = [...listOf(item['summary']), ...listOf(item['content'])].map((part) => textOf(objectOf(part)['text']))
  const said = texts.flatMap((text): ImportPart[] => (text === undefined ? [] : [{ type: 'reasoning', text }]))
  if (textOf(item['encrypted_content']) === undefined) return said
  return [...said, { type: 'opaque', vendor: 'openai', data: item }]
}

/** Arguments come as the text of a JSON value; some tools take any text. */
function parsed(value: Json | undefined): Json {
  if (typeof value !== 'string') return value ?? {}
  try {
    return JSON.parse(value) as Json
  } catch {
    return { input: value }
  }
}

function outputOf(callId: string, output: Json | undefined): ImportFact {
  const inner = typeof output === 'string' ? parsed(output) : (output ?? null)
  const fields = objectOf(inner)
  const about = objectOf(fields['metadata'])
  const exit = about['exit_code']
  const seconds = about['duration_seconds']
  const text =
    textOf(fields['output']) ?? textOf(fields['content']) ?? (typeof output === 'string' ? output : undefined)
  const isError = fields['success'] === false || (typeof exit === 'number' && exit !== 0)
  const parts: ImportPart[] =
    text === undefined ? [{ type: 'data', schema: 'codex/output', value: inner }] : [{ type: 'text', text }]
  return {
    type: 'call-end',
    callId,
    outcome: isError ? 'error' : 'ok',
    parts: text === '' ? [] : parts,
    ...(typeof exit === 'number' && Number.isSafeInteger(exit) && { exit }),
    ...(typeof seconds === 'number' && { ms: Math.round(seconds * 1000) }),
  }
}
