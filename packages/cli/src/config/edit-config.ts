import type { Json } from '@maru/protocol'
import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser'
import { parseConfig } from './parse-config.ts'
import type { ConfigProblem } from './problem.ts'
import { userShape } from './schema.ts'

/** A key as written by a person: `limits.tokens`, or `models."gpt-4.1".window` where a name has dots. */
export function parseKeyPath(key: string): string[] | undefined {
  const parts = key.match(/"[^"]+"|[^."]+|\./g) ?? []
  const names = parts.filter((part) => part !== '.').map((part) => part.replaceAll('"', ''))
  const isWellFormed =
    parts.length === names.length * 2 - 1 && parts.every((part, i) => (part === '.') === (i % 2 === 1))
  return isWellFormed && parts.join('') === key ? names : undefined
}

/**
 * The file's text with one value changed; comments and layout stay. The value is taken as JSON where that fits the
 * key, else as text, so that `ko` needs no quotes and `20` is a number.
 */
export function editConfig(
  text: string,
  { file, path, value }: { file: string; path: readonly string[]; value: string },
): { text: string } | { problems: readonly ConfigProblem[] } {
  const candidates = [...asJson(value), value].map((candidate) => withValue(text, path, candidate))
  const results = candidates.map((edited) => ({ edited, parsed: parseConfig(Buffer.from(edited), file, userShape) }))
  for (const { edited, parsed } of results) if ('config' in parsed) return { text: edited }
  const last = results.at(-1)?.parsed
  return { problems: last && 'problems' in last ? last.problems : [] }
}

/** The file's text with items put behind those of a list, which is begun where there is none. */
export function appendItems(text: string, key: string, items: readonly Json[]): string {
  return items.reduce<string>((edited, item) => {
    const list: unknown = findNodeAtLocation(parseTree(edited, [], { allowTrailingComma: true }) as Node, [key])
    return list ? withValue(edited, [key, -1], item) : withValue(edited, [key], [item])
  }, text)
}

function asJson(value: string): unknown[] {
  try {
    return [JSON.parse(value)]
  } catch {
    // Not JSON, so it is meant as text.
    return []
  }
}

function withValue(text: string, path: readonly (string | number)[], value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' }
  try {
    return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
  } catch {
    // The path leads through something that is no object: putting one there shows the schema's own complaint.
    return withValue(text, path.slice(0, -1), { [path.at(-1) ?? '']: value })
  }
}
