import { widthOf } from './cell-width.ts'
import { cutText } from './cut-text.ts'
import { withoutSequences } from './escape-sequence.ts'
import type { Frame } from './frame.ts'
import type { Painter } from './painter.ts'
import { safeLine } from './safe-line.ts'

/** How long a line has to stay as it is before it is written anew. */
const SETTLED_MS = 500

/**
 * For screen readers and terminals that cannot move their cursor: text is only ever added at the end, without colours.
 * Of a frame it writes the line with the cursor, where the person is: at once what is typed at its end, and the whole
 * line again when it has changed otherwise and then stayed so for a while. What else must be heard has to be printed.
 */
export function createPlainPainter(): Painter {
  // What stands on the last row, which has no line end yet.
  let open = ''
  let last = ''
  let waiting: { line: string; since: number } | undefined

  function endRow(): string {
    const end = open === '' ? '' : '\n'
    open = ''
    return end
  }
  function write(line: string): string {
    const added = line.slice(open.length)
    open = line
    last = line
    waiting = undefined
    return added
  }

  return {
    paint({ printed, frame, now }) {
      const above = printed.length === 0 ? '' : endRow() + printed.map((line) => `${plain(line)}\n`).join('')
      const line = lineOfCursor(frame)
      // Nothing is said twice: what was printed in between has not changed where the person is.
      if (line === undefined || line === last) {
        waiting = undefined
        return { text: above }
      }
      if (line.startsWith(open)) return { text: above + write(line) }
      if (waiting?.line !== line) waiting = { line, since: now }
      const againMs = waiting.since + SETTLED_MS - now
      return againMs > 0 ? { text: above, againMs } : { text: above + endRow() + write(line) }
    },
    resized() {},
    clear() {
      last = ''
      waiting = undefined
      return endRow()
    },
    notify: () => '\x07',
  }
}

function lineOfCursor({ lines, cursor }: Frame): string | undefined {
  const given = cursor === undefined ? undefined : lines[cursor.row]
  if (cursor === undefined || given === undefined) return undefined
  const line = plain(given)
  const text = line.trimEnd()
  return widthOf(text) < cursor.column ? cutText(line, cursor.column, '') : text
}

function plain(line: string): string {
  return withoutSequences(safeLine(line))
}
