import { cutPoint, escapeControls } from '../visible.ts'
import type { Line } from './blocks.ts'

// A line that goes on for longer is read in stretches: nothing has to be kept or looked at whole.
const LONGEST_LINE = 1_000

/** Text in any pieces on one side, lines on the other; where they are cut depends on the text alone. */
export interface LineSplitter {
  /** The lines that are whole now. */
  push(text: string): Line[]
  /** The line under way. */
  readonly partial: Line
  /** What is left, if anything is. */
  end(): Line[]
}

export function createLineSplitter(): LineSplitter {
  let partial = ''
  let isContinuation = false
  // Half of a character, or a carriage return whose line feed may follow.
  let held = ''
  const take = (text: string): Line => ({ text, isContinuation })
  const cutLong = (lines: Line[]) => {
    // One more than is taken: what the cut must not part has to be seen.
    while (partial.length > LONGEST_LINE) {
      const end = cutPoint(partial, LONGEST_LINE)
      lines.push(take(partial.slice(0, end)))
      partial = partial.slice(end)
      isContinuation = true
    }
  }
  const add = (raw: string): Line[] => {
    const lines: Line[] = []
    const text = escapeControls(raw.replaceAll('\r\n', '\n'))
    if (!text.includes('\n')) {
      partial += text
      cutLong(lines)
      return lines
    }
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        lines.push(take(partial))
        partial = ''
        isContinuation = false
      }
      partial += part
      cutLong(lines)
    }
    return lines
  }
  return {
    push(text) {
      const all = held + text
      held = isHalf(all.charCodeAt(all.length - 1)) ? all.slice(-1) : ''
      return add(held === '' ? all : all.slice(0, -1))
    },
    get partial() {
      return take(partial)
    },
    end() {
      const lines = add(held)
      if (partial !== '') lines.push(take(partial))
      partial = ''
      held = ''
      isContinuation = false
      return lines
    },
  }
}

function isHalf(code: number): boolean {
  return code === 0x0d || (code >= 0xd800 && code <= 0xdbff)
}
