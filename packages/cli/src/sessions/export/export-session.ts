import { type Entry, printRecord, type Recorded, takeFinished, transcript } from '@maru/protocol'
import type { ExportOptions, ExportSource } from './exported.ts'
import { type ExportHead, readHead } from './head.ts'
import { writeHtml } from './html.ts'
import { writeJson } from './json.ts'
import { writeMarkdown } from './markdown.ts'
import { writeText } from './text.ts'

const WRITERS = { md: writeMarkdown, json: writeJson, txt: writeText, html: writeHtml }

/** A session as a document, piece by piece: however long it is, little of it is held at a time. */
export async function* exportSession(source: ExportSource, options: ExportOptions): AsyncGenerator<string, void> {
  const { log, id } = source
  const { format } = options
  if (format === 'jsonl') {
    for await (const record of log.read(id)) yield `${printRecord(record)}\n`
    return
  }
  const head = await readHead(log.read(id))
  const entries = readEntries(log.read(id), head)
  yield* WRITERS[format]({ ...source, ...options, head, entries })
}

async function* readEntries(records: AsyncIterable<Recorded>, { hidden }: ExportHead): AsyncGenerator<Entry, void> {
  const state = transcript.create()
  const isShown = ({ seq }: Entry) => !hidden.has(seq)
  for await (const record of records) {
    transcript.apply(state, record)
    for (const entry of takeFinished(state)) if (isShown(entry)) yield entry
  }
  // What was still under way when the log ended.
  for (const entry of state.waiting) if (isShown(entry)) yield entry
}
