import type { Frame } from '@maru/terminal'

/** What stands at the bottom of the terminal, from above to below. */
export interface FrameParts {
  /** What is under way, in at most so many rows. */
  body(rows: number): readonly string[]
  /** What is done and what waits: a few lines. */
  middle: readonly string[]
  /** The prompt or the editor, in at most so many rows. */
  bottom(rows: number): Frame
  /** A prompt gets more room than an editor. */
  isPrompt: boolean
  foot: string
}

const MIDDLE_ROWS = 4
const EDITOR_ROWS = 12
// What a high prompt pushes into the scrollback does not come back when it closes, so that rows stay blank below; and
// what led to the question should still be seen. Where there is little room the prompt has all of it.
const LOW_PROMPT_ROWS = 14
// Below this there is no room for anything but what is typed.
const TINY_ROWS = 8

/** Puts the parts above each other; what is typed comes first when there is little room. */
export function composeFrame({ body, middle, bottom, isPrompt, foot }: FrameParts, rows: number): Frame {
  const isTiny = rows < TINY_ROWS
  const above = isTiny ? [] : middle.slice(0, MIDDLE_ROWS)
  const gap = isTiny ? 0 : 1
  const rest = Math.max(1, rows - above.length - gap - 1)
  const most = isPrompt
    ? Math.max(LOW_PROMPT_ROWS, Math.ceil((2 * rows) / 3))
    : Math.max(1, Math.min(EDITOR_ROWS, Math.floor(rows / 2)))
  const low = bottom(Math.min(most, rest))
  const room = rest - low.lines.length
  const upper = room > 1 ? body(room) : []
  const before = [...upper, ...(gap > 0 ? [''] : []), ...above]
  return {
    lines: [...before, ...low.lines, foot],
    ...(low.cursor && { cursor: { row: low.cursor.row + before.length, column: low.cursor.column } }),
  }
}
