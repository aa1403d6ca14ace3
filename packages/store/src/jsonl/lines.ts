import { isUtf8 } from 'node:buffer'
import type { OpenFile } from './open-file.ts'

const CHUNK_BYTES = 256 * 1024
const LEAST_BYTES = 4 * 1024
/** A line longer than this is described, not held in memory. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024

const LF = 10
const CR = 13

/** One terminated line. `end` is the offset behind its line feed; `text` is absent where it cannot be given. */
export type Line =
  | { number: number; start: number; end: number; text: string }
  | { number: number; start: number; end: number; text?: never; problem: string }

/** Where the next line starts. */
export interface LineCursor {
  offset: number
  number: number
}

/**
 * Reads terminated lines from a cursor to the present end of the file, a batch per chunk, and moves the cursor behind
 * each batch as it is given out. A last line without a line feed is left where it is: whoever writes it may not be
 * done. LF only: readline also splits on U+2028, which is legal inside JSON strings.
 */
export async function* readLines(file: OpenFile, cursor: LineCursor): AsyncGenerator<Line[], void> {
  const buffer = Buffer.allocUnsafe(chunkFor(file, cursor))
  let held: Buffer[] = []
  let heldBytes = 0
  let position = cursor.offset
  for (;;) {
    const bytesRead = await file.read(buffer, position)
    if (bytesRead === 0) return
    position += bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    const lastFeed = chunk.lastIndexOf(LF)
    if (lastFeed < 0) {
      // Too long to keep: its bytes are counted, so that the line can be named, and forgotten.
      if (heldBytes <= MAX_LINE_BYTES) held.push(Buffer.from(chunk))
      heldBytes += bytesRead
      continue
    }
    const batch: Line[] = []
    let from = 0
    if (heldBytes > 0) {
      const firstFeed = chunk.indexOf(LF)
      batch.push(longLine(cursor, held, { heldBytes, rest: chunk.subarray(0, firstFeed) }))
      from = firstFeed + 1
      held = []
      heldBytes = 0
    }
    splitLines(chunk.subarray(from, lastFeed + 1), cursor, batch)
    if (lastFeed + 1 < bytesRead) {
      held.push(Buffer.from(chunk.subarray(lastFeed + 1)))
      heldBytes = bytesRead - lastFeed - 1
    }
    yield batch
  }
}

// Whoever follows a log reads a line or two at a time.
function chunkFor(file: OpenFile, { offset }: LineCursor): number {
  const left = file.stat().size - offset
  return Math.min(CHUNK_BYTES, Math.max(LEAST_BYTES, left))
}

/** Moves a cursor behind `count` lines without looking into them; stops at the end of the file. */
export async function skipLines(file: OpenFile, cursor: LineCursor, count: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let position = cursor.offset
  let left = count
  while (left > 0) {
    const bytesRead = await file.read(buffer, position)
    if (bytesRead === 0) return
    const chunk = buffer.subarray(0, bytesRead)
    for (let feed = chunk.indexOf(LF); feed >= 0 && left > 0; feed = chunk.indexOf(LF, feed + 1)) {
      cursor.offset = position + feed + 1
      cursor.number++
      left--
    }
    position += bytesRead
  }
}

function splitLines(bytes: Buffer, cursor: LineCursor, batch: Line[]): void {
  const clean = isUtf8(bytes)
  let start = 0
  for (let feed = bytes.indexOf(LF); feed >= 0; feed = bytes.indexOf(LF, start)) {
    batch.push(nextLine(cursor, bytes.subarray(start, feed), clean))
    start = feed + 1
  }
}

function longLine(cursor: LineCursor, held: Buffer[], { heldBytes, rest }: { heldBytes: number; rest: Buffer }): Line {
  const bytes = heldBytes + rest.length
  if (bytes <= MAX_LINE_BYTES) return nextLine(cursor, Buffer.concat([...held, rest]), false)
  const start = cursor.offset
  cursor.offset += bytes + 1
  return { number: cursor.number++, start, end: cursor.offset, problem: `line of ${bytes} bytes` }
}

function nextLine(cursor: LineCursor, bytes: Buffer, knownClean: boolean): Line {
  const start = cursor.offset
  const number = cursor.number++
  cursor.offset += bytes.length + 1
  const end = cursor.offset
  if (!knownClean && !isUtf8(bytes)) return { number, start, end, problem: 'bytes that are not UTF-8' }
  const length = bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length
  return { number, start, end, text: bytes.toString('utf8', 0, length) }
}
