import { graphemesOf, widthOf } from '@maru/terminal'
import { NO_PEN, type Pen, setPen } from './pen.ts'

/** One sign as it stands on the screen; behind a wide one stands a cell without a sign. */
export interface Cell {
  readonly sign: string
  readonly pen: Pen
}

/** A screen at one moment. */
export interface Picture {
  readonly rows: readonly (readonly Cell[])[]
  /** None while it is hidden. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined
}

/** A terminal: bytes go in as text, a picture can be taken at any time. */
export interface Emulator {
  write(text: string): void
  picture(): Picture
  /** The rows of the screen without blanks at their ends. */
  text(): string[]
}

const BLANK: Cell = { sign: ' ', pen: NO_PEN }
const TAB = 8

// What a program tells its terminal that changes no cell: modes of keyboard, mouse and paste, marks around a frame, titles.
const ESC = '\x1b'
const BEL = '\x07'
const CSI = String.raw`\[([<=>?]?)([\d;:]*)([@-~])`
const OSC = String.raw`\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\)`
const SEQUENCE = new RegExp(`${ESC}(?:${CSI}|${OSC}|([78=>]))`, 'y')
const SILENT_MODES = new Set([1, 12, 1004, 2004, 2026])

/**
 * A terminal that knows what our programs, a shell and the tty itself write, and throws at everything else: a sequence that
 * was passed over in silence would be a wrong picture.
 */
export function createEmulator({ columns, rows }: { columns: number; rows: number }): Emulator {
  const screen: Cell[][] = Array.from({ length: rows }, () => [])
  let row = 0
  let column = 0
  let pen = NO_PEN
  let hasWrap = true
  let isShown = true
  /** Behind the last cell of a row: the next sign wraps. */
  let isPending = false
  let saved = { row: 0, column: 0 }
  /** The beginning of a sequence whose rest has not come yet. */
  let unread = ''

  function write(text: string): void {
    const all = unread + text
    unread = ''
    for (let at = 0; at < all.length; ) {
      const code = all.charCodeAt(at)
      if (code === 0x1b) {
        SEQUENCE.lastIndex = at
        const match = SEQUENCE.exec(all)
        if (match === null) {
          unread = all.slice(at)
          if (unread.length > 200) throw new Error(`unknown sequence ${JSON.stringify(unread.slice(0, 20))}`)
          return
        }
        obey(match)
        at = SEQUENCE.lastIndex
      } else if (code < 0x20) {
        control(code)
        at++
      } else {
        let end = at
        while (end < all.length && all.charCodeAt(end) >= 0x20) end++
        for (const sign of graphemesOf(all.slice(at, end))) put(sign)
        at = end
      }
    }
  }

  function line(): Cell[] {
    const cells = screen[row]
    if (cells === undefined) throw new Error(`the cursor is in row ${row} of ${rows}`)
    return cells
  }

  function put(sign: string): void {
    const width = widthOf(sign)
    if (width === 0) {
      const at = isPending ? column : column - 1
      const base = line()[at]?.sign === '' ? at - 1 : at
      const before = line()[base]
      if (before !== undefined) line()[base] = { ...before, sign: before.sign + sign }
      return
    }
    if (isPending || column + width > columns) {
      if (hasWrap) {
        column = 0
        lineFeed()
      } else column = columns - width
    }
    isPending = false
    const cells = line()
    while (cells.length < column) cells.push(BLANK)
    if (cells[column]?.sign === '') cells[column - 1] = BLANK
    cells[column] = { sign, pen }
    if (width === 2) cells[column + 1] = { sign: '', pen }
    if (cells[column + width]?.sign === '') cells[column + width] = BLANK
    column += width
    if (column < columns) return
    column = columns - 1
    isPending = true
  }

  function control(code: number): void {
    if (code === 0x07) return
    isPending = false
    if (code === 0x0d) column = 0
    else if (code === 0x0a) lineFeed()
    else if (code === 0x08) column = Math.max(0, column - 1)
    else if (code === 0x09) column = Math.min(columns - 1, (Math.floor(column / TAB) + 1) * TAB)
    else throw new Error(`unknown control character ${code}`)
  }

  function lineFeed(): void {
    if (row < rows - 1) row++
    else {
      screen.shift()
      screen.push([])
    }
  }

  function obey([whole, mark, parameters, final, short]: RegExpExecArray): void {
    if (short === '7') saved = { row, column }
    if (short === '8') moveTo(saved.row, saved.column)
    if (final === undefined || parameters === undefined) return
    const numbers = parameters.split(/[;:]/).map(Number)
    if (final === 'u' && mark !== '') return
    if (mark === '?') setModes(numbers, final)
    else if (mark !== '') throw new Error(`unknown sequence ${JSON.stringify(whole)}`)
    else if (final === 'm') pen = setPen(pen, numbers)
    else if (!move(final, numbers) && !erase(final, numbers[0] ?? 0)) {
      throw new Error(`unknown sequence ${JSON.stringify(whole)}`)
    }
  }

  function setModes(modes: readonly number[], final: string): void {
    const isOn = final === 'h'
    for (const mode of modes) {
      if (mode === 7) hasWrap = isOn
      else if (mode === 25) isShown = isOn
      else if (!SILENT_MODES.has(mode)) throw new Error(`unknown mode ${mode}`)
    }
  }

  function move(final: string, [first = 0, second = 0]: readonly number[]): boolean {
    const count = Math.max(1, first)
    if (final === 'A') moveTo(row - count, column)
    else if (final === 'B') moveTo(row + count, column)
    else if (final === 'C') moveTo(row, column + count)
    else if (final === 'D') moveTo(row, column - count)
    else if (final === 'G') moveTo(row, count - 1)
    else if (final === 'd') moveTo(count - 1, column)
    else if (final === 'H' || final === 'f') moveTo(count - 1, Math.max(1, second) - 1)
    else return false
    return true
  }

  function moveTo(toRow: number, toColumn: number): void {
    row = Math.min(rows - 1, Math.max(0, toRow))
    column = Math.min(columns - 1, Math.max(0, toColumn))
    isPending = false
  }

  /** `0`: from the cursor on, `1`: up to it, `2`: all. */
  function erase(final: string, how: number): boolean {
    if (final !== 'J' && final !== 'K') return false
    const cells = line()
    if (how === 0) cells.length = Math.min(cells.length, column)
    else if (how === 1) cells.fill(BLANK, 0, column + 1)
    else cells.length = 0
    if (final === 'K') return true
    for (const [at, other] of screen.entries()) {
      if (how >= 2 || (how === 0 && at > row) || (how === 1 && at < row)) other.length = 0
    }
    return true
  }

  return {
    write,
    picture: () => ({ rows: screen.map((cells) => [...cells]), cursor: isShown ? { row, column } : undefined }),
    text: () => screen.map(textOf),
  }
}

/** What a row says, without blanks at its end. */
export function textOf(cells: readonly Cell[]): string {
  return cells
    .map(({ sign }) => sign)
    .join('')
    .trimEnd()
}
