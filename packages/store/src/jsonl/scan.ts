import { type Recorded, readRecord } from '@maru/protocol'
import { isContinued } from '../group.ts'
import { type Line, type LineCursor, MAX_LINE_BYTES, readLines } from './lines.ts'
import type { OpenFile } from './open-file.ts'

/**
 * Something in a log that is not a record in its place. `garbage` holds no fact and may be cut off the end of a file;
 * `misfit` is a fact that does not fit, or stands in the wrong place: nobody may touch it but a person. `torn` is an
 * unfinished end, the trace of a write that was never acknowledged.
 */
export interface Damage {
  kind: 'garbage' | 'misfit' | 'torn'
  line: number
  offset: number
  problem: string
}

/** A record and the line it stands on. */
export interface Found {
  record: Recorded
  text: string
  line: number
  start: number
  end: number
}

export type Scanned = Found | { damage: Damage }

/** What a scan knows of the order so far. */
export interface Sequence {
  last: number
  /** Numbers that were jumped over and may still turn up out of order. */
  missing: Set<number>
}

const MISSING_LIMIT = 10_000

/**
 * Reads records and damage from a cursor to the last terminated line, or to an append that is still being written: the
 * cursor is left before it. Nothing is skipped without a word.
 */
export async function* scan(file: OpenFile, cursor: LineCursor, sequence: Sequence): AsyncGenerator<Scanned[], void> {
  let group: Found[] = []
  for await (const lines of readLines(file, cursor)) {
    const found: Scanned[] = []
    for (const line of lines) {
      const item = readLine(line)
      if (item === undefined) continue
      if ('record' in item && isContinued(item.text)) {
        group.push(item)
        continue
      }
      for (const waiting of group) place(waiting, sequence, found)
      group = []
      if ('record' in item) place(item, sequence, found)
      else found.push(item)
      if ('inside' in item && item.inside) place(item.inside, sequence, found)
    }
    if (found.length > 0) yield found
  }
  const [first] = group
  if (first) {
    cursor.offset = first.start
    cursor.number = first.line
  }
}

/** Reads what stands behind the last line feed: nothing, a whole record that lacks only its line feed, or a torn one. */
export async function scanTail(file: OpenFile, cursor: LineCursor, sequence: Sequence): Promise<Scanned | undefined> {
  const { size } = file.stat()
  const bytes = size - cursor.offset
  if (bytes === 0) return undefined
  const torn = {
    damage: { kind: 'torn', line: cursor.number, offset: cursor.offset, problem: tornProblem(bytes) },
  } as const
  if (bytes > MAX_LINE_BYTES) return torn
  const buffer = Buffer.alloc(bytes)
  await file.read(buffer, cursor.offset)
  const text = buffer.toString('utf8')
  const parsed = parse(text)
  if (!parsed || !('record' in parsed) || parsed.record.seq !== sequence.last + 1 || isContinued(text)) return torn
  sequence.last = parsed.record.seq
  return { record: parsed.record, text, line: cursor.number, start: cursor.offset, end: size }
}

// A writer that does not check its tail glues the next record onto a torn one: `inside` is what was found behind.
function readLine(line: Line): Found | { damage: Damage; inside?: Found } | undefined {
  if (line.text === undefined) return damageAt(line, 'garbage', line.problem)
  const at = { line: line.number, start: line.start, end: line.end }
  const parsed = parse(line.text)
  if (parsed && 'record' in parsed) return { record: parsed.record, text: line.text, ...at }
  if (parsed) return damageAt(line, parsed.hasEnvelope ? 'misfit' : 'garbage', parsed.problem)
  if (line.text.trim() === '') return undefined
  const inside = findInside(line.text)
  if (!inside) return damageAt(line, 'garbage', 'not JSON')
  return { ...damageAt(line, 'misfit', 'a record behind other bytes on one line'), inside: { ...inside, ...at } }
}

function place(item: Found, sequence: Sequence, found: Scanned[]): void {
  const { seq } = item.record
  const { last, missing } = sequence
  if (seq === last + 1) {
    sequence.last = seq
    found.push(item)
    return
  }
  const at = { number: item.line, start: item.start }
  if (seq > last) {
    found.push(damageAt(at, 'misfit', `seq ${seq} where ${last + 1} was due: ${seq - last - 1} missing`), item)
    for (let skipped = last + 1; skipped < seq && missing.size < MISSING_LIMIT; skipped++) missing.add(skipped)
    sequence.last = seq
    return
  }
  const isLate = missing.delete(seq)
  found.push(damageAt(at, 'misfit', isLate ? `seq ${seq} out of order` : `seq ${seq} stands twice`))
  if (isLate) found.push(item)
}

function damageAt(
  { number, start }: { number: number; start: number },
  kind: Damage['kind'],
  problem: string,
): { damage: Damage } {
  return { damage: { kind, line: number, offset: start, problem } }
}

type Parsed = { record: Recorded } | { problem: string; hasEnvelope: boolean } | undefined

function parse(text: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const read = readRecord(value)
  if ('record' in read) return read
  const hasEnvelope = typeof value === 'object' && value !== null && 'type' in value && 'seq' in value
  return { problem: read.problem, hasEnvelope }
}

function findInside(text: string): { record: Recorded; text: string } | undefined {
  const FEW = 64
  let start = text.indexOf('{"')
  for (let tries = 0; start >= 0 && tries < FEW; tries++) {
    const rest = text.slice(start)
    const parsed = parse(rest)
    if (parsed && 'record' in parsed) return { record: parsed.record, text: rest }
    start = text.indexOf('{"', start + 1)
  }
  return undefined
}

function tornProblem(bytes: number): string {
  return `torn end of ${bytes} bytes`
}
