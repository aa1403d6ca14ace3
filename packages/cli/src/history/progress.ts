import type { Invocation } from '../command.ts'
import { displayWidth } from '../terminal/width.ts'
import { sizeOf } from './size-of.ts'

/** A line on stderr that says how far something is, for what takes longer than a moment. */
export interface Progress {
  show(text: string): void
  /** Takes the line away. */
  end(): void
}

const AFTER_MS = 1_000
const EVERY_MS = 100

/** In a terminal one line that changes; elsewhere it is said once. */
export function createProgress({ stderr, options }: Invocation, now: () => number = Date.now): Progress {
  const began = now()
  let shownAt = 0
  let isShown = false
  return {
    show(text) {
      const at = now()
      if (options.quiet || at - began < AFTER_MS || at - shownAt < EVERY_MS) return
      if (!stderr.isTerminal && isShown) return
      shownAt = at
      isShown = true
      void stderr.write(stderr.isTerminal ? `\r\x1b[K${cut(text, Math.max(20, stderr.columns - 1))}` : `${text}\n`)
    },
    end() {
      if (isShown && stderr.isTerminal) void stderr.write('\r\x1b[K')
      isShown = false
    },
  }
}

// A line that wraps could not be taken away again.
function cut(text: string, columns: number): string {
  let shown = ''
  let width = 0
  for (const sign of text) {
    width += displayWidth(sign)
    if (width > columns) break
    shown += sign
  }
  return shown
}

const WIDTH = 24

/** How far it is with a file. */
export function drawBar(name: string, { done, total }: { done: number; total: number }): string {
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.round(part * WIDTH)
  const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${sizeOf(done)} / ${sizeOf(total)}  ${name}`
}
