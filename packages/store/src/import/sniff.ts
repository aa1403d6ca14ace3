import { isChatgpt } from './chatgpt.ts'
import { isClaude } from './claude.ts'
import { isClaudeCode } from './claude-code.ts'
import { isCodex } from './codex.ts'
import { csvRows } from './csv-rows.ts'
import { JsonSplitter } from './json-items.ts'
import { isMaruJson } from './maru-json.ts'
import { isObject, type JsonObject } from './read-value.ts'
import { columnsOf } from './usage-log.ts'

/** What a file is, by what stands in it. */
export type Format =
  | 'chatgpt'
  | 'claude'
  | 'claude-code'
  | 'codex'
  | 'maru-json'
  | 'maru-log'
  | 'usage-csv'
  | 'usage-sql'
  | 'unknown'

// As much of a file as is looked at: a first conversation may be long.
const LOOKED = 16 * 1024 * 1024
const LINES = 50

/** Finds out what a text is, and gives it back from its beginning. */
export async function sniff(chunks: AsyncIterable<string>): Promise<{ format: Format; chunks: AsyncIterable<string> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const seen: string[] = []
  let length = 0
  let format: Format | undefined
  while (format === undefined && length < LOOKED) {
    const { value, done } = await iterator.next()
    if (done === true) {
      format = await judge(seen.join(''), true)
      break
    }
    seen.push(value)
    length += value.length
    // Not at every piece: a long first value would be looked at again and again.
    if (isWorthALook(seen.length)) format = await judge(seen.join(''), false)
  }
  async function* whole(): AsyncGenerator<string, void> {
    yield* seen.splice(0)
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  }
  return { format: format ?? 'unknown', chunks: whole() }
}

function isWorthALook(count: number): boolean {
  return (count & (count - 1)) === 0
}

async function judge(text: string, isAll: boolean): Promise<Format | undefined> {
  const begin = text.replace(/^\ufeff?\s*/, '')
  if (begin === '') return isAll ? 'unknown' : undefined
  if (begin.startsWith('[')) return ofValue(firstItem(begin, isAll))
  if (begin.startsWith('{')) return ofLines(begin, isAll) ?? ofValue(firstItem(begin, isAll))
  if (/^(--|\/\*|#|insert\s|create\s|begin|set\s|start\s|drop\s|lock\s)/i.test(begin)) {
    if (/\binsert\s+into\b/i.test(begin)) return 'usage-sql'
    return isAll ? 'unknown' : undefined
  }
  if (!begin.includes('\n') && !isAll) return undefined
  async function* one() {
    yield begin
  }
  for await (const { cells } of csvRows(one())) return columnsOf(cells) ? 'usage-csv' : 'unknown'
  return 'unknown'
}

/** The first value of a JSON text: nothing yet, or something that is no object. */
function firstItem(text: string, isAll: boolean): JsonObject | 'none' | undefined {
  const splitter = new JsonSplitter()
  const items = [...splitter.push(text), ...(isAll ? splitter.end() : [])]
  for (const item of items) {
    const value = 'text' in item ? parse(item.text) : undefined
    if (value) return value
  }
  return items.length > 0 || isAll ? 'none' : undefined
}

function ofValue(value: JsonObject | 'none' | undefined): Format | undefined {
  if (value === undefined) return undefined
  if (value === 'none') return 'unknown'
  if (isChatgpt(value)) return 'chatgpt'
  if (isClaude(value)) return 'claude'
  return isMaruJson(value) ? 'maru-json' : 'unknown'
}

// Of the first lines the first that says what it is: some begin with lines that any of them could have.
function ofLines(text: string, isAll: boolean): Format | undefined {
  const lines = text.split('\n', LINES)
  if (!isAll && lines.length < LINES) lines.pop()
  for (const line of lines) {
    const value = parse(line)
    if (!value) continue
    if (isCodex(value)) return 'codex'
    if ('seq' in value && 'at' in value && 'type' in value) return 'maru-log'
    if (isClaudeCode(value)) return 'claude-code'
  }
  return undefined
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    // Half of a value, or none: somebody else says so.
    return undefined
  }
}
