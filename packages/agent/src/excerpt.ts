/** A text that may be longer than what is kept of it: its beginning, its end, and how long it was. */
export interface Excerpt {
  push(text: string): void
  readonly length: number
  /** The text if it fits into `limit` characters, else its beginning and end with the cut stated. */
  within(limit: number): string
}

/** Keeps at most twice `limit` characters of what is pushed, however much that is. */
export function createExcerpt(limit: number): Excerpt {
  let head = ''
  let tail = ''
  let length = 0
  return {
    push(text) {
      length += text.length
      const room = limit - head.length
      head += text.slice(0, room)
      if (text.length > room) tail = (tail + text.slice(room)).slice(-limit)
    },
    get length() {
      return length
    },
    within: (wanted) => join({ head, tail, length }, Math.min(wanted, limit)),
  }
}

/** A text within `limit` characters: whole, or its beginning and end with the cut stated. */
export function cutMiddle(text: string, limit: number): string {
  return join({ head: text, tail: '', length: text.length }, limit)
}

/** The first `length` characters, without half of a surrogate pair at the end. */
export function beginning(text: string, length: number): string {
  const cut = text.slice(0, Math.max(length, 0))
  return /[\uD800-\uDBFF]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut
}

// Room for the line that states the cut.
const NOTICE = 60

function join({ head, tail, length }: { head: string; tail: string; length: number }, limit: number): string {
  if (length <= limit) return head + tail
  const each = Math.floor((limit - NOTICE) / 2)
  const start = beginning(head, each)
  const end = ending(head.length + tail.length === length ? head + tail : tail, each)
  const cut = length - start.length - end.length
  return `${start}\n[… ${cut} characters cut …]\n${end}`
}

function ending(text: string, length: number): string {
  const cut = length > 0 ? text.slice(-length) : ''
  return /^[\uDC00-\uDFFF]/.test(cut) ? cut.slice(1) : cut
}
