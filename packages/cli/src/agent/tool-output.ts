import { stripVTControlCharacters } from 'node:util'
import { printable } from '../terminal/printable.ts'

// What is kept of an output that is shown while it comes; the result has all of it.
const KEPT = 4096

/** The last lines of what a call prints while it runs. */
export interface ToolOutput {
  push(text: string): void
  /** At most so many lines, newest last, safe for a terminal. */
  last(count: number): string[]
}

export function createToolOutput(): ToolOutput {
  let kept = ''
  return {
    push(text) {
      kept += text
      if (kept.length > 2 * KEPT) kept = kept.slice(-KEPT)
    },
    last(count) {
      if (count <= 0) return []
      // Colours and cursor moves of programs that take our pipe for a terminal.
      const lines = stripVTControlCharacters(kept).trimEnd().split('\n')
      return lines.slice(-count).map((line) => printable(overwritten(line)).replaceAll('\\t', '  '))
    },
  }
}

// A progress bar writes the same line again and again: its last state is what a person would see.
function overwritten(line: string): string {
  const states = line.replace(/\r+$/, '').split('\r')
  return states.at(-1) ?? ''
}
