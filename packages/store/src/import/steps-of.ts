import { readChatgpt } from './chatgpt.ts'
import { readClaude } from './claude.ts'
import { ClaudeCodeReader } from './claude-code.ts'
import { CodexReader } from './codex.ts'
import { csvRows, type Row } from './csv-rows.ts'
import { type JsonItem, jsonItems, lineItems } from './json-items.ts'
import { readMaruJson } from './maru-json.ts'
import { isObject, type JsonObject } from './read-value.ts'
import type { Format } from './sniff.ts'
import { sqlRows } from './sql-rows.ts'
import type { ImportStep } from './steps.ts'
import { columnsOf, UsageLogReader } from './usage-log.ts'

const WHOLE = { chatgpt: readChatgpt, claude: readClaude, 'maru-json': readMaruJson } as const
const LINES = { 'claude-code': ClaudeCodeReader, codex: CodexReader } as const

/** What a file tells, step by step; `name` is what it is called, which some sessions are named by. */
export async function* stepsOf(
  format: Exclude<Format, 'maru-log' | 'unknown'>,
  chunks: AsyncIterable<string>,
  name: string,
): AsyncGenerator<ImportStep, void> {
  switch (format) {
    case 'chatgpt':
    case 'claude':
    case 'maru-json':
      for await (const item of jsonItems(chunks)) {
        const place = `element ${item.index} (line ${item.line})`
        const { value, reason } = parseItem(item)
        if (value) yield* WHOLE[format](value, place)
        else yield { kind: 'problem', place, reason }
        yield { kind: 'settled' }
      }
      return
    case 'claude-code':
    case 'codex': {
      const reader = new LINES[format](name)
      for await (const item of lineItems(chunks)) {
        if ('text' in item && item.text.trim() === '') continue
        const { value, reason } = parseItem(item)
        if (value) yield* reader.take(value, item.line)
        else yield { kind: 'problem', place: `line ${item.line}`, reason }
      }
      yield* reader.end()
      return
    }
    case 'usage-csv':
      yield* rowsOf(csvRows(chunks))
      return
    case 'usage-sql':
      yield* insertsOf(chunks)
      return
    default:
      format satisfies never
  }
}

function parseItem(item: JsonItem): { value?: JsonObject; reason: string } {
  if ('problem' in item) return { reason: item.problem }
  try {
    const value: unknown = JSON.parse(item.text)
    return isObject(value) ? { value, reason: '' } : { reason: 'it is no object' }
  } catch (error) {
    return { reason: `it is no JSON: ${(error as Error).message}` }
  }
}

async function* rowsOf(rows: AsyncIterable<Row>): AsyncGenerator<ImportStep, void> {
  let reader: UsageLogReader | undefined
  let width = 0
  for await (const row of rows) {
    const columns = reader ? undefined : columnsOf(row.cells)
    if (columns) {
      reader = new UsageLogReader(row.cells, columns)
      width = row.cells.length
    } else if (row.cells.length > width) {
      yield {
        kind: 'problem',
        place: `line ${row.line}`,
        reason: `${row.cells.length} cells, where ${width} are named`,
      }
    } else if (reader) yield* reader.take(row)
  }
}

// Each list of columns has its own reader: a dump may hold several tables.
async function* insertsOf(chunks: AsyncIterable<string>): AsyncGenerator<ImportStep, void> {
  const readers = new Map<string, UsageLogReader | undefined>()
  for await (const { table, columns, ...row } of sqlRows(chunks)) {
    const name = `${table}(${columns.join()})`
    if (!readers.has(name)) {
      const found = columnsOf(columns)
      readers.set(name, found && new UsageLogReader(columns, found))
      if (!found) {
        const reason =
          columns.length === 0
            ? `the INSERT into ${table} does not name its columns`
            : `the columns of ${table} are none of a log of questions and answers`
        yield { kind: 'problem', place: `line ${row.line}`, reason }
      }
    }
    const reader = readers.get(name)
    if (reader) yield* reader.take(row)
  }
}
