import { createUtf8Decoder } from './utf8.ts'

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

const LF = 10
const CR = 13
const SPACE = 32
const COLON = 58
const D = 100
const E = 101

/**
 * A reader for one response. An event that the stream does not end with a blank line is dropped, as the standard says.
 * It runs for every delta of an answer: a line is a place in the text, and only a value becomes a string of its own.
 */
export function createSseReader(): SseReader {
  const decode = createUtf8Decoder()
  // The beginning of a line, in pieces: joined once, when its end is there.
  let pieces: string[] = []
  let length = 0
  let isAfterCr = false
  // The event whose lines are being read, and those that are whole.
  let name = ''
  let data: string | undefined
  let events: SseEvent[] = []

  function takeLine(text: string, start: number, end: number): void {
    if (start === end) {
      endEvent()
      return
    }
    const first = text.charCodeAt(start)
    if (first === D && isField(text, 'data', start)) {
      const value = text.slice(valueStart(text, start + 4), end)
      data = data === undefined ? value : `${data}\n${value}`
      if (data.length > MAX_EVENT_LENGTH) throw tooLong()
    } else if (first === E && isField(text, 'event', start)) name = text.slice(valueStart(text, start + 5), end)
    // Comments, `id` and `retry` say nothing to us.
  }

  function endEvent(): void {
    if (data !== undefined) events.push(name === '' ? { data } : { event: name, data })
    name = ''
    data = undefined
  }

  function takePieces(rest: string): void {
    pieces.push(rest)
    const line = pieces.join('')
    pieces = []
    length = 0
    takeLine(line, 0, line.length)
  }

  function keep(rest: string): void {
    if (rest === '') return
    pieces.push(rest)
    length += rest.length
    if (length > MAX_EVENT_LENGTH) throw tooLong()
  }

  return {
    push(bytes) {
      const text = decode(bytes)
      events = []
      let at = 0
      if (isAfterCr && text !== '') {
        if (text.charCodeAt(0) === LF) at = 1
        isAfterCr = false
      }
      const hasCr = text.includes('\r')
      while (at < text.length) {
        const end = hasCr ? findLineEnd(text, at) : text.indexOf('\n', at)
        if (end === -1) break
        if (pieces.length === 0) takeLine(text, at, end)
        else takePieces(text.slice(at, end))
        at = end + 1
        if (!hasCr || text.charCodeAt(end) !== CR) continue
        if (at === text.length) isAfterCr = true
        else if (text.charCodeAt(at) === LF) at += 1
      }
      keep(text.slice(at))
      return events
    },
  }
}

function findLineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === LF || code === CR) return at
  }
  return -1
}

/** Whether the line that starts here is of this field: its name ends with a colon or with the line. */
function isField(text: string, field: string, start: number): boolean {
  if (!text.startsWith(field, start)) return false
  const code = text.charCodeAt(start + field.length)
  return code === COLON || code === LF || code === CR || start + field.length === text.length
}

/** Where the value begins whose field ends here: after the colon, and after one space. */
function valueStart(text: string, end: number): number {
  if (text.charCodeAt(end) !== COLON) return end
  return text.charCodeAt(end + 1) === SPACE ? end + 2 : end + 1
}

function tooLong(): SseLimitError {
  return new SseLimitError(`an event is longer than ${MAX_EVENT_LENGTH} characters`)
}

/** An event as it stands in a stream; printed one after another they are a stream again. */
export function printSseEvent({ event, data }: SseEvent): string {
  const head = event === undefined ? '' : `event: ${event}\n`
  const lines = data.includes('\n') ? data.split('\n').join('\ndata: ') : data
  return `${head}data: ${lines}\n\n`
}
