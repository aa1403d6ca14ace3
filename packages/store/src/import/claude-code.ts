import type { Json } from '@maru/protocol'
import { resultParts } from './claude.ts'
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

/** Whether a line is one of a session file of Claude Code. */
export function isClaudeCode(value: JsonObject): boolean {
  const hasChain = 'parentUuid' in value || 'leafUuid' in value
  return typeof value['type'] === 'string' && (hasChain || ('sessionId' in value && !('payload' in value)))
}

/**
 * Follows a session file of Claude Code, line by line. Lines are chained by `parentUuid`. What a person says behind
 * another line than the last one of its chain is a new way from there, and becomes a fork; results of calls that ran
 * side by side are not. Sidechains, the work of helpers, are sessions of their own.
 */
export class ClaudeCodeReader {
  readonly #name: string
  #key: string | undefined
  /** In which session each line went, the last line of each, and what a fork from there has to name. */
  readonly #chains = new Map<string, string>()
  readonly #tips = new Map<string, string>()
  readonly #places = new Map<string, string>()
  readonly #last = new Map<string, string>()
  #at: number | undefined
  #cwd: string | undefined
  /** Thoughts wait for what they led to. */
  #thoughts: ImportPart[] = []
  #counted: string | undefined
  #title: string | undefined

  constructor(name: string) {
    this.#name = name
  }

  *take(line: JsonObject, n: number): Generator<ImportStep, void> {
    const type = textOf(line['type']) ?? ''
    const uuid = textOf(line['uuid'])
    this.#at = timeOf(line['timestamp']) ?? this.#at
    yield* this.#begin(line)
    const title = titleOf(line)
    if (title !== undefined) {
      this.#title = title
      return
    }
    const facts =
      type === 'user'
        ? this.#said(line, uuid ?? `line ${n}`)
        : type === 'assistant'
          ? this.#answered(line, uuid ?? `line ${n}`)
          : undefined
    const chain = yield* this.#place(line, { uuid, isPrompt: facts?.some(isPrompt) ?? false })
    const kept: ImportFact[] = facts ?? [{ type: 'foreign', place: `line ${n}`, value: line }]
    const node = uuid ?? `line ${n}`
    for (const fact of kept) {
      yield { kind: 'fact', session: chain, node, ...(this.#at !== undefined && { at: this.#at }), fact }
    }
    if (kept.length > 0) this.#last.set(chain, node)
    const last = this.#last.get(chain)
    if (uuid !== undefined && last !== undefined) this.#places.set(uuid, last)
  }

  *end(): Generator<ImportStep, void> {
    const [session, title, parts] = [this.#key, this.#title, this.#thoughts]
    if (session === undefined) return
    // Thoughts that led to nothing yet.
    const fact = { type: 'message', key: 'last thoughts', role: 'assistant', parts } as const
    if (parts.length > 0) yield { kind: 'fact', session, ...present({ at: this.#at }), fact }
    if (title !== undefined) yield { kind: 'session', source: 'claude-code', key: session, title }
  }

  // The first lines of a file may say neither when nor where.
  *#begin(line: JsonObject): Generator<ImportStep, void> {
    const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(this.#name)
    const key = this.#key ?? (isId ? this.#name : (textOf(line['sessionId']) ?? this.#name))
    const cwd = textOf(line['cwd'])
    const isNew = this.#key === undefined
    if (!isNew && (this.#cwd !== undefined || cwd === undefined)) return
    this.#key = key
    this.#cwd = cwd
    yield { kind: 'session', source: 'claude-code', key, ...present({ at: this.#at, cwd }) }
  }

  /** The session that a line belongs to, which may begin with it. */
  *#place(
    line: JsonObject,
    { uuid, isPrompt }: { uuid: string | undefined; isPrompt: boolean },
  ): Generator<ImportStep, string> {
    const main = this.#key as string
    const parent = textOf(line['parentUuid']) ?? textOf(line['logicalParentUuid'])
    let chain = parent === undefined ? undefined : this.#chains.get(parent)
    const begin = (fork?: { of: string; behind?: string }): ImportStep => {
      chain = `${main}/${uuid ?? ''}`
      const about = present({ at: this.#at, cwd: this.#cwd })
      return { kind: 'session', source: 'claude-code', key: chain, ...about, ...(fork && { fork }) }
    }
    if (uuid === undefined) return main
    if (line['isSidechain'] === true && chain === undefined) yield begin()
    else if (isPrompt && chain !== undefined && parent !== undefined && this.#tips.get(chain) !== parent) {
      yield begin({ of: chain, ...present({ behind: this.#places.get(parent) }) })
    } else if (isPrompt && parent === undefined && this.#tips.has(main)) yield begin({ of: main })
    const found = chain ?? main
    this.#chains.set(uuid, found)
    this.#tips.set(found, uuid)
    return found
  }

  #said(line: JsonObject, key: string): ImportFact[] {
    const content = objectOf(line['message'])['content']
    if (typeof content === 'string') {
      if (content === '') return []
      return [{ type: 'message', key, role: roleOf(line), parts: [{ type: 'text', text: content }] }]
    }
    const blocks = listOf(content).filter(isObject) as JsonObject[]
    const facts = blocks.flatMap((block): ImportFact[] => {
      if (block['type'] !== 'tool_result') return []
      const callId = textOf(block['tool_use_id']) ?? key
      const outcome = block['is_error'] === true ? 'error' : 'ok'
      return [{ type: 'call-end', callId, outcome, parts: [...resultParts(block['content']), ...structured(line)] }]
    })
    const parts = blocks.filter(({ type }) => type !== 'tool_result').flatMap(blockPart)
    return parts.length === 0 ? facts : [...facts, { type: 'message', key, role: roleOf(line), parts }]
  }

  #answered(line: JsonObject, key: string): ImportFact[] {
    const message = objectOf(line['message'])
    const content = message['content']
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).filter(isObject)
    const parts = [...this.#thoughts, ...(blocks as JsonObject[]).flatMap(blockPart)]
    this.#thoughts = []
    if (parts.every(({ type }) => type === 'reasoning' || type === 'opaque')) {
      this.#thoughts = parts
      return []
    }
    // One answer is several lines, each of which repeats what all of them took.
    const id = textOf(message['id']) ?? key
    const tokens = this.#counted === id ? undefined : countOf(objectOf(message['usage'])['output_tokens'])
    this.#counted = id
    const about = { model: textOf(message['model']), finish: textOf(message['stop_reason']), tokens }
    return [{ type: 'message', key, role: 'assistant', parts, ...present(about) }]
  }
}

function isPrompt(fact: ImportFact): boolean {
  return fact.type === 'message' && fact.role === 'user'
}

// Reminders and the output of local commands are put there by the program.
function roleOf(line: JsonObject): 'user' | 'system' {
  return line['isMeta'] === true || line['isCompactSummary'] === true ? 'system' : 'user'
}

function titleOf(line: JsonObject): string | undefined {
  if (line['type'] === 'summary') return textOf(line['summary'])
  if (line['type'] === 'custom-title') return textOf(line['customTitle'])
  return line['type'] === 'ai-title' ? textOf(line['aiTitle']) : undefined
}

function structured(line: JsonObject): ImportPart[] {
  const value: Json | undefined = line['toolUseResult']
  return isObject(value) ? [{ type: 'data', schema: 'claude-code/result', value }] : []
}

function blockPart(block: JsonObject): ImportPart[] {
  const text = textOf(block['text'])
  switch (block['type']) {
    case 'text':
      return text === undefined ? [] : [{ type: 'text', text }]
    case 'thinking': {
      const thought = textOf(block['thinking'])
      return thought === undefined ? [] : [{ type: 'reasoning', text: thought }]
    }
    case 'redacted_thinking':
      return [{ type: 'opaque', vendor: 'anthropic', data: block }]
    case 'tool_use':
    case 'server_tool_use':
      return [
        {
          type: 'call',
          callId: textOf(block['id']) ?? '',
          tool: textOf(block['name']) ?? 'tool',
          args: block['input'] ?? {},
        },
      ]
    case 'image':
      return [imagePart(objectOf(block['source']), 'claude-code/image')]
    default:
      return [{ type: 'data', schema: `claude-code/${textOf(block['type']) ?? 'block'}`, value: block }]
  }
}
