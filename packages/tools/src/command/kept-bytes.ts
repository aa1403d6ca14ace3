import { fromCharacter, wholeCharacters } from './whole-characters.ts'

/** The beginning and the end of something that may be far longer, and how long it was. */
export interface KeptBytes {
  push(bytes: Uint8Array): void
  readonly length: number
  /** What was kept from `offset` on, as text before and after the `cut`: the bytes that were not kept. */
  pieces(offset: number): { before: string; cut: number; after: string }
  /** The same in one, with the cut stated. */
  text(offset: number): string
}

// Most outputs are short.
const FIRST_SIZE = 16 * 1024

/** Keeps the first `limit` bytes and the last `limit` bytes, in as much memory. What is no UTF-8 is shown as such. */
export function createKeptBytes(limit: number): KeptBytes {
  let head = Buffer.alloc(0)
  let headLength = 0
  let ring: Buffer | undefined
  let length = 0

  const pushHead = (bytes: Uint8Array) => {
    const needed = headLength + bytes.length
    if (needed > head.length) {
      // Memory that was not written to yet costs nothing.
      const grown = Buffer.allocUnsafe(needed <= FIRST_SIZE ? Math.min(FIRST_SIZE, limit) : limit)
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
  const tailFrom = (from: number): Buffer[] => {
    if (ring === undefined || from >= length) return []
    const [start, end] = [from % limit, length % limit]
    return start < end ? [ring.subarray(start, end)] : [ring.subarray(start), ring.subarray(0, end)]
  }
  const pieces = (offset: number) => {
    const start = Math.max(0, offset)
    const tailStart = Math.max(headLength, length - limit)
    const first = head.subarray(Math.min(start, headLength), headLength)
    const last = tailFrom(Math.max(start, tailStart))
    if (start >= tailStart || tailStart === headLength) return { before: decode([first, ...last]), cut: 0, after: '' }
    const [before, after] = [wholeCharacters(first), fromCharacter(last)]
    return { before: decode([before]), cut: length - start - sizeOf([before, ...after]), after: decode(after) }
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
    text(offset) {
      const { before, cut, after } = pieces(offset)
      if (cut === 0) return before
      return `${before}\n[… ${cut} bytes are not kept: only the first and the last ${limit} are …]\n${after}`
    },
  }
}

function decode(parts: Buffer[]): string {
  return (parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString() ?? ''
}

function sizeOf(parts: Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}
