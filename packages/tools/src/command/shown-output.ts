import { beginning, cutMiddle, TEXT_LIMIT } from '@maru/agent'
import { createKeptBytes } from './kept-bytes.ts'

/** What of an output can be shown: all of it if it is short, else its beginning and its end. */
export interface ShownOutput {
  push(bytes: Uint8Array): void
  /** In characters; without end if there are too many to be counted. */
  readonly length: number
  /** At most `limit` characters, with the cut stated. */
  within(limit: number): string
}

// No character takes more bytes than this: what does not fit in is longer than anything that is shown.
const KEPT = 4 * TEXT_LIMIT

// Room for the line that states the cut.
const NOTICE = 60

/** Takes bytes and makes no text of what is in the middle of a flood, as nobody reads it. */
export function createShownOutput(): ShownOutput {
  const kept = createKeptBytes(KEPT)
  return {
    push: kept.push,
    get length() {
      const { before, cut } = kept.pieces(0)
      return cut > 0 ? Number.POSITIVE_INFINITY : before.length
    },
    within(limit) {
      const { before, cut, after } = kept.pieces(0)
      if (cut === 0) return cutMiddle(before, limit)
      const each = Math.floor((limit - NOTICE) / 2)
      const [start, end] = [beginning(before, each), ending(after, each)]
      const missing = kept.length - Buffer.byteLength(start) - Buffer.byteLength(end)
      return `${start}\n[… ${missing} bytes cut …]\n${end}`
    },
  }
}

function ending(text: string, length: number): string {
  const cut = length > 0 ? text.slice(-length) : ''
  // Half of a surrogate pair is not a character.
  return /^[\uDC00-\uDFFF]/.test(cut) ? cut.slice(1) : cut
}
