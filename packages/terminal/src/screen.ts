import type { Frame } from './frame.ts'
import { createLivePainter } from './live-painter.ts'
import { createOutlet, type TerminalPort } from './outlet.ts'
import { createPlainPainter } from './plain-painter.ts'

export type { TerminalPort } from './outlet.ts'

/** A terminal with a live part at the bottom and everything else in its own scrollback. */
export interface Screen {
  readonly columns: number
  readonly rows: number
  /** Lines above the live part, written once and never again; the terminal's own scrollback has them. Already wrapped to width. */
  print(lines: readonly string[]): void
  /** The live part at the bottom; the newest wins, at most one write per frame. Higher than the terminal: only its last rows are shown. */
  draw(frame: Frame): void
  /** Rings the bell and shows the text as a message of the desktop where the terminal can (OSC 9). */
  notify(text: string): void
  /** Call on SIGWINCH. */
  resized(): void
  /** Takes the live part away and gives the terminal back (external editor, Ctrl-Z); `resume` draws it again. */
  suspend(): Promise<void>
  resume(): void
  /** Everything is written; the live part is gone; modes and cursor are as they were. May be called twice. */
  close(): Promise<void>
}

/** How a screen behaves; everything has a good default. */
export interface ScreenOptions {
  /** The shortest time between two writes. */
  readonly frameMs?: number
  /** Whether frames are marked to be shown at once (mode 2026); harmless where it is unknown. */
  readonly hasSync?: boolean
  /** Whether the terminal wraps its lines anew when its width changes; see `canReflow`. */
  readonly hasReflow?: boolean
  /** Without any movement of the cursor, for screen readers and dumb terminals. */
  readonly isPlain?: boolean
}

/** Printed lines go out in pieces of about this many characters: a slow terminal then still shows the newest frame. */
const PIECE = 64 * 1024

/**
 * After a change of size nothing is drawn for so long. A frame for a width that the terminal no longer has would make us
 * look for the live part in the wrong place, and tmux tells of a second change only 250 ms after the first.
 */
const RESIZE_MS = 300

const EMPTY: Frame = { lines: [] }

/** The screen of a terminal whose cursor stands at the beginning of an empty line. */
export function openScreen(port: TerminalPort, options: ScreenOptions = {}): Screen {
  const { frameMs = 33, hasSync = true, hasReflow = true, isPlain = false } = options
  const painter = isPlain ? createPlainPainter() : createLivePainter({ hasSync, hasReflow })
  const outlet = createOutlet(port)
  const queue: string[] = []
  let frame = EMPTY
  let notice: string | undefined
  let state: 'open' | 'suspended' | 'closed' = 'open'
  let closing: Promise<void> | undefined
  let timer: Timer | undefined
  let earliest = 0
  let quietFrom = 0

  const size = () => ({ columns: Math.max(1, port.columns || 80), rows: Math.max(1, port.rows || 24) })

  function plan(at = earliest): void {
    if (state !== 'open' || outlet.isBusy || (timer !== undefined && timer.at <= at)) return
    timer?.cancel()
    timer = startTimer(at, () => {
      timer = undefined
      if (performance.now() < quietFrom) plan(quietFrom)
      else paint()
    })
  }

  function paint(): void {
    const now = performance.now()
    const { text, againMs } = painter.paint({ printed: takePiece(queue), frame, ...size(), now })
    const wanted = text + takeNotice()
    if (wanted !== '') {
      earliest = queue.length > 0 ? 0 : now + frameMs
      outlet.write(wanted, plan)
    }
    if (queue.length > 0) plan()
    else if (againMs !== undefined) plan(now + againMs)
  }

  function takeNotice(): string {
    const text = notice === undefined ? '' : painter.notify(notice)
    notice = undefined
    return text
  }

  /** Writes what was printed and takes the live part away. A terminal that is ready has all of it when this returns. */
  async function giveBack(): Promise<void> {
    timer?.cancel()
    timer = undefined
    for (;;) {
      if (outlet.isBusy) await outlet.drained()
      const printed = takePiece(queue)
      const lines = printed.length === 0 ? '' : painter.paint({ printed, frame: EMPTY, ...size(), now: 0 }).text
      if (queue.length === 0) return outlet.writeFully(lines + takeNotice() + painter.clear(size()))
      outlet.write(lines)
    }
  }

  return {
    get columns() {
      return size().columns
    },
    get rows() {
      return size().rows
    },
    print(lines) {
      for (const line of lines) queue.push(...line.split('\n'))
      if (state === 'closed') void giveBack()
      else plan()
    },
    draw(next) {
      frame = next
      plan()
    },
    notify(text) {
      notice = text
      plan()
    },
    resized() {
      painter.resized()
      quietFrom = performance.now() + RESIZE_MS
      plan()
    },
    suspend() {
      if (state !== 'open') return Promise.resolve()
      state = 'suspended'
      return giveBack()
    },
    resume() {
      if (state !== 'suspended') return
      state = 'open'
      plan()
    },
    close() {
      state = 'closed'
      closing ??= giveBack()
      return closing
    },
  }
}

interface Timer {
  /** The time it was set to, on the clock of `performance.now`. */
  readonly at: number
  cancel(): void
}

/**
 * Calls at that time, or with the next turn of the loop: what is asked for together is then written together. Always
 * from an immediate, which comes after signals: a change of size that we could know of is known then.
 */
function startTimer(at: number, call: () => void): Timer {
  const wait = at - performance.now()
  let immediate: NodeJS.Immediate | undefined
  const callSoon = () => {
    immediate = setImmediate(call)
  }
  const timeout = wait > 0 ? setTimeout(callSoon, Math.ceil(wait)) : undefined
  if (timeout === undefined) callSoon()
  return {
    at,
    cancel() {
      clearTimeout(timeout)
      clearImmediate(immediate)
    },
  }
}

function takePiece(queue: string[]): string[] {
  let count = 0
  for (let length = 0; count < queue.length && length < PIECE; count++) length += queue[count]?.length ?? 0
  return queue.splice(0, count)
}
