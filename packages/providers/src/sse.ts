/** One event of a server-sent stream. */
export interface SseEvent {
  event?: string
  data: string
}

/** Reads a stream of server-sent events piece by piece, as WHATWG describes it. */
export interface SseReader {
  /** The events that became whole with these bytes. */
  push(bytes: Uint8Array): SseEvent[]
}

/** A stream that holds an event longer than this is not one of a vendor's. */
export const MAX_EVENT_LENGTH = 32 * 1024 * 1024

/** An event grew past `MAX_EVENT_LENGTH`. */
export class SseLimitError extends Error {
  override name = 'SseLimitError'
}

/** A reader for one response. An event that the stream does not end with a blank line is dropped, as the standard says. */
export function createSseReader(): SseReader {
  // Also takes off a byte order mark, and holds back a character that is not whole yet.
  const decoder = new TextDecoder()
  const block = createBlock()
  // The beginning of a line, in pieces: joined once, when its end is there.
  let pieces: string[] = []
  let length = 0
  let isAfterCr = false

  function endLine(rest: string): string {
    if (pieces.length === 0) return rest
    pieces.push(rest)
    const line = pieces.join('')
    pieces = []
    length = 0
    return line
  }

  function keep(rest: string): void {
    if (rest === '') return
    pieces.push(rest)
    length += rest.length
    if (length > MAX_EVENT_LENGTH) throw new SseLimitError(`an event is longer than ${MAX_EVENT_LENGTH} characters`)
  }

  return {
    push(bytes) {
      const text = decoder.decode(bytes, { stream: true })
      const events: SseEvent[] = []
      let at = 0
      if (isAfterCr && text !== '') {
        if (text.startsWith('\n')) at = 1
        isAfterCr = false
      }
      const hasCr = text.includes('\r')
      while (at < text.length) {
        const end = hasCr ? findLineEnd(text, at) : text.indexOf('\n', at)
        if (end === -1) break
        block.take(endLine(text.slice(at, end)), events)
        at = end + 1
        if (text[end] !== '\r') continue
        if (at === text.length) isAfterCr = true
        else if (text[at] === '\n') at += 1
      }
      keep(text.slice(at))
      return events
    },
  }
}

function findLineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) return at
  }
  return -1
}

/** The lines of one event until a blank one ends it. */
function createBlock(): { take(line: string, events: SseEvent[]): void } {
  let name = ''
  let data: string[] = []
  let length = 0

  function end(events: SseEvent[]): void {
    if (data.length > 0) {
      const whole = data.length === 1 ? (data[0] ?? '') : data.join('\n')
      events.push(name === '' ? { data: whole } : { event: name, data: whole })
    }
    name = ''
    data = []
    length = 0
  }

  return {
    take(line, events) {
      if (line === '') return end(events)
      const colon = line.indexOf(':')
      // A line that begins with a colon is a comment.
      if (colon === 0) return
      const field = colon === -1 ? line : line.slice(0, colon)
      const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
      if (field === 'event') name = value
      if (field !== 'data') return
      data.push(value)
      length += value.length
      if (length > MAX_EVENT_LENGTH) throw new SseLimitError(`an event is longer than ${MAX_EVENT_LENGTH} characters`)
    },
  }
}

/** An event as it stands in a stream; printed one after another they are a stream again. */
export function printSseEvent({ event, data }: SseEvent): string {
  const head = event === undefined ? '' : `event: ${event}\n`
  const lines = data.includes('\n') ? data.split('\n').join('\ndata: ') : data
  return `${head}data: ${lines}\n\n`
}
