import type { Json, Part } from '@maru/protocol'
import type { ContextMessage } from './context.ts'

/** A name that the kept turns use, and where it last stood in those that go. */
export interface NamedLine {
  name: string
  line: string
  /** The call whose output held it. */
  callId?: string
}

// Paths, names that only code has, and numbers that are not small.
const NAME =
  /[\w@~.-]*\w(?:\/[\w@.-]+)+|\b[\w-]+\.(?:[cm]?[jt]sx?|json|md|py|go|rs|java|kt|rb|c|h|cpp|cs|sh|ya?ml|toml|sql|css|html|lock|env|txt)\b|\b(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z][A-Za-z0-9]*_\w+|[A-Z][A-Z0-9]{2,}|[a-z]+-[a-z]+(?:-\w+)+|\d+(?:\.\d+)+|\d{3,}|[0-9a-f]{7,40})\b/g

const LIMIT = 400

/** The names in what was said and asked for; outputs are not asked, as they would name everything. */
export function namesIn(messages: readonly ContextMessage[]): Set<string> {
  const names = new Set<string>()
  for (const { parts } of messages.toReversed()) {
    for (const part of parts) {
      const text = part.type === 'text' ? part.text : part.type === 'call' ? leaves(part.args).join('\n') : ''
      for (const [name] of text.slice(0, 20_000).matchAll(NAME))
        if (name.length <= 120 && names.size < LIMIT) names.add(name)
    }
  }
  return names
}

/** The newest line of the dropped turns for each name that `known` does not hold. */
export function findLines(names: Iterable<string>, dropped: readonly ContextMessage[], known: string): NamedLine[] {
  const texts = dropped.flatMap(({ parts }) => parts.flatMap(textOf)).toReversed()
  const found: NamedLine[] = []
  for (const name of names) {
    if (known.includes(name)) continue
    const held = texts.find(({ text }) => text.includes(name))
    if (!held) continue
    const at = held.text.lastIndexOf(name)
    const start = Math.max(held.text.lastIndexOf('\n', at) + 1, at - 120)
    const feed = held.text.indexOf('\n', at)
    const end = Math.min(feed < 0 ? held.text.length : feed, at + name.length + 120)
    const line = held.text.slice(start, end).trim()
    found.push({ name, line, ...(held.callId !== undefined && { callId: held.callId }) })
  }
  return found
}

function textOf(part: Part): { text: string; callId?: string }[] {
  switch (part.type) {
    case 'text':
    case 'context':
      return [{ text: part.text }]
    case 'result':
      return [{ text: part.text, callId: part.callId }]
    case 'call':
      return [{ text: leaves(part.args).join('\n') }]
    default:
      return []
  }
}

function leaves(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(leaves)
}
