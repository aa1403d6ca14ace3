import { type CarriedState, NOTHING_OPEN } from './detect.ts'
import { opensKey } from './private-keys.ts'

/** Masks a text in pieces: however it is cut, the outputs together are the same. */
export interface MaskStream {
  /** What can be given out by now; the line that has not ended is held back. */
  push(text: string): string
  end(): string
}

/** Masks whole lines, given what the ones before have left open. */
export type MaskLines = (lines: string, state: CarriedState) => { text: string; state: CarriedState }

/** Of a line without an end, this much is masked at a time. */
const WINDOW = 64 * 1024
/** And this much before that is looked for a good place to cut. */
const REACH = 8 * 1024

export function createMaskStream(maskLines: MaskLines): MaskStream {
  let held: string[] = []
  let heldLength = 0
  let state = NOTHING_OPEN

  const process = (lines: string): string => {
    if (lines === '') return ''
    const masked = maskLines(lines, state)
    state = masked.state
    return masked.text
  }

  // A line of megabytes is cut where nothing is likely to be torn; where, its content alone decides.
  const processLong = (text: string, isLast: boolean): string => {
    let out = ''
    let from = 0
    let begin = 0
    while (from < text.length) {
      const newline = text.indexOf('\n', from)
      const end = newline < 0 ? text.length : newline + 1
      if (end - from <= WINDOW) {
        if (newline < 0) break
        from = end
        continue
      }
      out += process(text.slice(begin, from))
      const cut = from + cutWithin(text.slice(from, from + WINDOW))
      out += process(text.slice(from, cut))
      from = cut
      begin = cut
    }
    const ready = isLast ? text.length : wholeLines(text, begin, from)
    out += process(text.slice(begin, ready))
    hold(text.slice(ready))
    return out
  }

  const hold = (text: string) => {
    held = text === '' ? [] : [text]
    heldLength = text.length
  }

  return {
    push(text) {
      held.push(text)
      heldLength += text.length
      if (!text.includes('\n') && heldLength <= WINDOW) return ''
      return processLong(held.join(''), false)
    },
    end() {
      const out = processLong(held.join(''), true)
      state = NOTHING_OPEN
      return out
    },
  }
}

// A line that begins a private key waits for the next one, which tells whether it does.
function wholeLines(text: string, begin: number, end: number): number {
  if (end <= begin) return end
  const lineStart = text.lastIndexOf('\n', end - 2) + 1
  return opensKey(text.slice(Math.max(begin, lineStart), end)) ? Math.max(begin, lineStart) : end
}

function cutWithin(window: string): number {
  const tail = window.slice(-REACH)
  const at = Math.max(tail.lastIndexOf(','), tail.lastIndexOf(';'), tail.lastIndexOf(' '), tail.lastIndexOf('}'))
  return at < 0 ? window.length : window.length - tail.length + at + 1
}
