import { basename, dirname } from 'node:path'
import { type Recorded, readRecord } from '@maru/protocol'
import { hashesIn } from '../erase.ts'
import { createFileBlobs } from '../jsonl/file-blobs.ts'
import { sessionOf } from '../jsonl/paths.ts'
import { maskFact } from '../mask.ts'
import { sha256 } from '../sha256.ts'
import { importedId } from './import-names.ts'
import type { ImportOptions } from './import-options.ts'
import { lineItems } from './json-items.ts'
import type { Imported } from './write-import.ts'

const BATCH = 300

/**
 * Brings a session of Maru's own in, fact by fact, as it stands in its file: with its numbers, and with the content that
 * lies beside it. Its name is that of the file, where that is one of a session.
 */
export async function importLog(
  chunks: AsyncIterable<string>,
  options: ImportOptions & { path: string; tell(place: string, reason: string): void },
): Promise<Imported> {
  const { own, path, tell, isDry, signal } = options
  const result: Imported = { added: 0, grown: 0, same: 0, messages: 0, sensitive: 0 }
  let id: string | undefined
  let head = 0
  let last = 0
  let records: Recorded[] = []
  const flush = async () => {
    const fresh = records.filter(({ seq }) => seq > head)
    records = []
    if (!isDry && id !== undefined && fresh.length > 0) {
      await own.copy(id, { records: fresh, contents: await contentsOf(fresh, path) })
    }
  }
  for await (const item of lineItems(chunks)) {
    if (signal.aborted) break
    if ('text' in item && item.text.trim() === '') continue
    const read = 'text' in item ? parse(item.text) : { problem: item.problem }
    if ('problem' in read) tell(`line ${item.line}`, read.problem)
    if ('problem' in read) break
    if (read.record.seq !== last + 1) {
      tell(`line ${item.line}`, `seq ${read.record.seq} where ${last + 1} was due`)
      break
    }
    last = read.record.seq
    if (id === undefined) {
      id = idOf(path, read.record)
      const first = await firstOf(options, id)
      if (first && first.record.at !== read.record.at) {
        tell('line 1', `another session ${id} is in the history`)
        return result
      }
      head = first?.head ?? 0
    }
    if (last > head) countRecord(read.record, result, options)
    records.push(options.mask && read.record.type !== 'unknown' ? maskFact(read.record, options.mask) : read.record)
    if (records.length >= BATCH) await flush()
  }
  await flush()
  if (id !== undefined) result[head === 0 ? 'added' : last > head ? 'grown' : 'same']++
  return result
}

function parse(text: string): { record: Recorded } | { problem: string } {
  try {
    return readRecord(JSON.parse(text))
  } catch (error) {
    return { problem: `it is no JSON: ${(error as Error).message}` }
  }
}

function idOf(path: string, first: Recorded): string {
  const name = sessionOf(basename(path))
  const isOwn = name !== undefined && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(name)
  return isOwn ? name : importedId('maru', sha256(JSON.stringify(first)))
}

async function firstOf({ own }: ImportOptions, id: string): Promise<{ record: Recorded; head: number } | undefined> {
  let first: Recorded | undefined
  let head = 0
  try {
    for await (const record of own.log.read(id)) {
      first ??= record
      head = record.seq
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'missing')) throw error
  }
  return first && { record: first, head }
}

async function contentsOf(records: Recorded[], path: string): Promise<Uint8Array[]> {
  const holder = sessionOf(basename(path))
  if (holder === undefined) return []
  const blobs = createFileBlobs(dirname(path))
  const contents: Uint8Array[] = []
  for (const hash of new Set(records.flatMap((record) => [...hashesIn(record)]))) {
    const bytes = await blobs.get(holder, hash)
    if (bytes) contents.push(bytes)
  }
  return contents
}

function countRecord(record: Recorded, result: Imported, { isSensitive }: ImportOptions): void {
  const isSaid = record.type === 'input-admit' || record.type === 'message-add' || record.type === 'turn-end'
  if (!isSaid) return
  result.messages++
  if (record.parts.some((part) => 'text' in part && isSensitive(part.text))) result.sensitive++
}
