import { fromCharacter, wholeCharacters } from './whole-characters.ts'

/** The beginning and the end of something that may be far longer, and how long it was. */
export interface KeptBytes {
  push(bytes: Uint8Array): void
  readonly length: number
  /** Everything from `offset` on: what is before and after the `cut`, the bytes that were not kept. */
  pieces(offset: number): { before: Buffer; cut: number; after: Buffer }
  /** The same in one, with the cut stated. */
  from(offset: number): Buffer
}

const FIRST_SIZE = 16 * 1024

/** Keeps the first `limit` bytes and the last `limit` bytes, in as much memory. */
export function createKeptBytes(limit: number): KeptBytes {
  let head = Buffer.alloc(0)
  let headLength = 0
  let ring: Buffer | undefined
  let length = 0

  const pushHead = (bytes: Uint8Array) => {
    const needed = headLength + bytes.length
    if (needed > head.length) {
      const grown = Buffer.allocUnsafe(Math.min(limit, Math.max(needed, 2 * head.length, FIRST_SIZE)))
      head.copy(grown, 0, 0, headLength)
      head = grown
    }
    head.set(bytes, headLength)
    headLength = needed
  }
  // Position `n` of the whole stands at `n % limit`.
  const pushTail = (bytes: Uint8Array, at: number) => {
    ring ??= Buffer.allocUnsafe(limit)
    const last = bytes.subarray(Math.max(0, bytes.length - limit))
    const start = (at + bytes.length - last.length) % limit
    const room = limit - start
    ring.set(last.subarray(0, room), start)
    ring.set(last.subarray(room), 0)
  }
  const tailFrom = (from: number): Buffer => {
    if (ring === undefined || from >= length) return Buffer.alloc(0)
    const [start, end] = [from % limit, length % limit]
    if (start < end) return ring.subarray(start, end)
    return Buffer.concat([ring.subarray(start), ring.subarray(0, end)])
  }

  const pieces = (offset: number) => {
    const start = Math.max(0, offset)
    const tailStart = Math.max(headLength, length - limit)
    const first = head.subarray(Math.min(start, headLength), headLength)
    const last = tailFrom(Math.max(start, tailStart))
    if (start >= tailStart || tailStart === headLength) {
      return { before: Buffer.concat([first, last]), cut: 0, after: Buffer.alloc(0) }
    }
    const [before, after] = [wholeCharacters(first), fromCharacter(last)]
    return { before, cut: length - start - before.length - after.length, after }
  }

  return {
    push(bytes) {
      const room = limit - headLength
      if (room > 0) pushHead(bytes.subarray(0, room))
      if (bytes.length > room) pushTail(bytes.subarray(room), length + room)
      length += bytes.length
    },
    get length() {
      return length
    },
    pieces,
    from(offset) {
      const { before, cut, after } = pieces(offset)
      if (cut === 0) return before
      const notice = `\n[… ${cut} bytes are not kept: only the first and the last ${sizeOf(limit)} are …]\n`
      return Buffer.concat([before, Buffer.from(notice), after])
    },
  }
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / (1024 * 1024))} MB` : `${bytes} bytes`
}
