import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { importLog } from './import-log.ts'
import type { ImportOptions } from './import-options.ts'
import { type Format, sniff } from './sniff.ts'
import { stepsOf } from './steps-of.ts'
import { type Imported, ImportWriter } from './write-import.ts'
import { listZip, readMember, ZipError } from './zip.ts'

/** What came of one file. */
export interface ImportReport extends Imported {
  format: Format
  problems: number
}

/**
 * Brings a file into the history, whatever it is of what is known: an export of ChatGPT or Claude (also as the archive in
 * which it came), a session of Claude Code, Codex or Maru, or a table of what was asked and answered. Little of it is
 * held in memory at a time. Nothing in it is lost in silence.
 */
export async function importFile(path: string, options: ImportOptions): Promise<ImportReport> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(4)
    await file.read(head, 0, 4, 0)
    if (head.readUInt32LE(0) === 0x04034b50) return await importArchive(file, options)
    const { size } = await file.stat()
    return await importChunks(readChunks(file, size), { path, size, options })
  } finally {
    await file.close()
  }
}

const CONVERSATIONS = /(^|\/)conversations(-\d+)?\.json$/

async function importArchive(file: FileHandle, options: ImportOptions): Promise<ImportReport> {
  const members = await listZip(file)
  const wanted = members.filter(({ name }) => CONVERSATIONS.test(name))
  const report = nothing('unknown')
  if (wanted.length === 0) {
    options.onProblem({ place: 'archive', reason: 'there is no conversations.json in it' })
    return { ...report, problems: 1 }
  }
  for (const member of wanted) {
    const inside: ImportOptions = {
      ...options,
      onProblem: ({ place, reason }) => options.onProblem({ place: `${member.name}, ${place}`, reason }),
    }
    const one = await importChunks(readMember(file, member), { path: member.name, size: member.size, options: inside })
    report.format = one.format
    for (const name of ['added', 'grown', 'same', 'messages', 'sensitive', 'problems'] as const)
      report[name] += one[name]
  }
  return report
}

interface Source {
  path: string
  size: number
  options: ImportOptions
}

async function importChunks(bytes: AsyncIterable<Uint8Array>, { path, size, options }: Source): Promise<ImportReport> {
  let problems = 0
  const tell = (place: string, reason: string) => {
    problems++
    options.onProblem({ place, reason })
  }
  const { format, chunks } = await sniff(decode(bytes, (done) => options.onProgress?.({ done, total: size })))
  if (format === 'unknown') {
    tell('line 1', 'this is nothing that can be imported')
    return { ...nothing(format), problems }
  }
  if (format === 'maru-log') {
    const report = await importLog(chunks, { path, ...options, tell })
    return { ...report, format, problems }
  }
  const writer = new ImportWriter(options)
  try {
    for await (const step of stepsOf(format, chunks, basename(path).replace(/\.[^.]*$/, ''))) {
      if (options.signal.aborted) break
      if (step.kind === 'problem') tell(step.place, step.reason)
      else await writer.take(step)
    }
  } catch (error) {
    // Whatever came before the place where an archive is damaged is kept.
    if (!(error instanceof ZipError)) throw error
    tell('archive', error.message)
  }
  await writer.settle()
  return { ...writer.result, format, problems }
}

function nothing(format: Format): ImportReport {
  return { format, added: 0, grown: 0, same: 0, messages: 0, sensitive: 0, problems: 0 }
}

const CHUNK = 256 * 1024

async function* readChunks(file: FileHandle, size: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size - position))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* decode(bytes: AsyncIterable<Uint8Array>, onRead: (done: number) => void): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let done = 0
  for await (const chunk of bytes) {
    done += chunk.length
    onRead(done)
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}
