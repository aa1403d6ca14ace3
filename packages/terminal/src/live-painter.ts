import { cutText } from './cut-text.ts'
import type { Frame } from './frame.ts'
import type { Painter, Scene } from './painter.ts'
import { rowAfterReflow } from './reflow.ts'
import { safeLine } from './safe-line.ts'

/** What a terminal can do beyond what all of them can. */
export interface LivePainterOptions {
  /** Shows all that lies between two marks at once. */
  readonly hasSync: boolean
  /** Wraps lines anew when its width changes. */
  readonly hasReflow: boolean
}

/** The live part as the terminal has it; rows and columns are counted from its first row. */
interface Shown {
  /** As given, to see what changes. */
  readonly given: readonly string[]
  /** As written, to know where the terminal puts them when its width changes. */
  readonly written: readonly string[]
  readonly row: number
  readonly column: number
  readonly isCursorShown: boolean
  readonly columns: number
}

const CSI = '\x1b['
// From the beginning of a row on. In two steps: when all of the screen is erased from its first cell on, some terminals
// (tmux) take that as a wish to keep it in the scrollback.
const ERASE_BELOW = `\r${CSI}K${CSI}2G${CSI}J\r`
// Before a row is written and not behind it: there the cursor may still stand on the last sign of a full row, and blanks
// that were erased behind a text count as text when the width changes (tmux).
const ERASE_RIGHT = `${CSI}K`
const HIDE_CURSOR = `${CSI}?25l`
const SHOW_CURSOR = `${CSI}?25h`
// While rows are written nothing may wrap, even where the terminal finds a sign wider than we do.
const WRAP_OFF = `${CSI}?7l`
const WRAP_ON = `${CSI}?7h`

/**
 * Draws at the bottom of the terminal's own screen with relative movements alone: what is above belongs to the terminal,
 * its scrollback, its search and its selection.
 */
export function createLivePainter({ hasSync, hasReflow }: LivePainterOptions): Painter {
  let shown: Shown | undefined
  let isMoved = false

  function clear(columns: number): string {
    const rows = shown === undefined ? 0 : hasReflow ? rowOfCursor(shown, columns) : shown.row
    return move(rows, 0) + ERASE_BELOW
  }

  return {
    paint({ printed, frame, columns, rows }: Scene) {
      const wanted = fitTo(frame, { columns, rows, before: shown })
      const isKept = shown !== undefined && shown.columns === columns && !isMoved && printed.length === 0
      const before = shown ?? NOTHING
      const above = isKept ? '' : clear(columns) + printed.map((line) => `${safeLine(line)}\r\n`).join('')
      const painted = isKept ? changedRows(wanted, before) : allRows(wanted)
      shown = wanted
      isMoved = false
      if (above === '' && painted.text === '') return { text: moveCursor(wanted, before) }
      const hide = before.isCursorShown ? HIDE_CURSOR : ''
      const show = wanted.isCursorShown ? SHOW_CURSOR : ''
      const place = `${move(painted.row, wanted.row)}${CSI}${wanted.column + 1}G`
      const text = hide + above + WRAP_OFF + painted.text + WRAP_ON + place + show
      return { text: hasSync ? `${CSI}?2026h${text}${CSI}?2026l` : text }
    },
    resized() {
      isMoved = true
    },
    clear({ columns }) {
      if (shown === undefined) return ''
      const text = clear(columns) + (shown.isCursorShown ? '' : SHOW_CURSOR)
      shown = undefined
      return text
    },
    notify: (text) => notification(text),
  }
}

/** The terminal before the first frame: the cursor is shown and stands where the live part will begin. */
const NOTHING: Shown = { given: [], written: [], row: 0, column: 0, isCursorShown: true, columns: 0 }

/** What the terminal is to show: the last rows of a frame that is too high, and no row wider than the terminal. */
function fitTo(frame: Frame, size: { columns: number; rows: number; before: Shown | undefined }): Shown {
  const { columns, rows, before } = size
  const hidden = Math.max(0, frame.lines.length - rows)
  const given = hidden === 0 ? frame.lines : frame.lines.slice(hidden)
  const written = given.map((line, i) => {
    const isSame = before?.columns === columns && before.given[i] === line
    return isSame ? (before.written[i] ?? '') : writable(line, columns)
  })
  const row = (frame.cursor?.row ?? -1) - hidden
  const isCursorShown = row >= 0 && row < Math.max(1, given.length)
  // Hidden, the cursor waits in the first row: there it stays at the top of the live part whatever the terminal does.
  if (frame.cursor === undefined || !isCursorShown) {
    return { given, written, row: 0, column: 0, isCursorShown: false, columns }
  }
  return { given, written, row, column: frame.cursor.column, isCursorShown, columns }
}

// Blanks at the end are not worth writing, and terminals differ in whether they wrap them when the width changes.
function writable(line: string, columns: number): string {
  const cut = cutText(safeLine(line), columns, '')
  return cut.endsWith(' ') ? cut.replace(/ +$/, '') : cut
}

/** In which row the cursor is, now that the terminal has wrapped the rows of the live part to another width. */
function rowOfCursor(shown: Shown, columns: number): number {
  if (columns >= shown.columns) return shown.row
  let row = rowAfterReflow(shown.written[shown.row] ?? '', columns, shown.column)
  for (const line of shown.written.slice(0, shown.row)) row += rowAfterReflow(line, columns) + 1
  return row
}

/** Text that writes rows, and the row where it leaves the cursor. */
interface Rows {
  readonly text: string
  readonly row: number
}

function allRows({ written }: Shown): Rows {
  return { text: written.join('\r\n'), row: Math.max(0, written.length - 1) }
}

function changedRows(wanted: Shown, before: Shown): Rows {
  let text = ''
  let row = before.row
  for (const [i, line] of wanted.written.entries()) {
    const isThere = i < before.given.length
    if (isThere && before.given[i] === wanted.given[i]) continue
    // A row that is not there yet may have to be made by scrolling, which only a line feed does.
    text += isThere || i === 0 ? `${move(row, i)}\r` : `${move(row, i - 1)}\r\n`
    text += ERASE_RIGHT + line
    row = i
  }
  if (wanted.written.length < before.written.length) {
    text += move(row, wanted.written.length) + ERASE_BELOW
    row = wanted.written.length
  }
  return { text, row }
}

function moveCursor(wanted: Shown, before: Shown): string {
  const isSame = wanted.row === before.row && wanted.column === before.column
  const place = isSame ? '' : `${move(before.row, wanted.row)}${CSI}${wanted.column + 1}G`
  if (wanted.isCursorShown === before.isCursorShown) return place
  return wanted.isCursorShown ? place + SHOW_CURSOR : HIDE_CURSOR + place
}

function move(from: number, to: number): string {
  if (from === to) return ''
  return from > to ? `${CSI}${from - to}A` : `${CSI}${to - from}B`
}

/** The bell, and a message of the desktop where the terminal knows OSC 9; others ignore it. */
function notification(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ').trim()
  // A number first would mean something else to some terminals: "4;" is a progress bar.
  return `\x07\x1b]9;${/^\d+;/.test(plain) ? ` ${plain}` : plain}\x1b\\`
}
