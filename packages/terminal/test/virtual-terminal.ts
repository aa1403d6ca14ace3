/** A sign takes one of these, a wide one two: the second is `REST`. */
type Cell = string | undefined
const REST = '\0rest'

interface Row {
  cells: Cell[]
  /** The next row continues this one: a terminal joins them again when it gets wider. */
  isWrapped: boolean
}

/** How a terminal behaves where terminals differ. */
export interface VirtualTerminalOptions {
  columns: number
  rows: number
  /** Wraps lines anew when its width changes (VTE, kitty, tmux); else it cuts them (xterm, the Linux console). */
  hasReflow?: boolean
  /** A sign that this terminal finds wider than others do. */
  wideSign?: string
}

/**
 * A terminal as programs see it, with a scrollback. It knows what an inline program may use and throws at everything else:
 * absolute rows, the alternate screen, clearing of what was there before.
 */
export class VirtualTerminal {
  columns: number
  rows: number
  readonly hasReflow: boolean
  readonly wideSign: string
  row = 0
  column = 0
  isCursorShown = true
  hasAutowrap = true
  bells = 0
  /** How many cells were written, to see what is drawn again for nothing. */
  cellsWritten = 0
  private isPending = false
  private scrollback: Row[] = []
  private screen: Row[]

  constructor({ columns, rows, hasReflow = true, wideSign = '' }: VirtualTerminalOptions) {
    this.columns = columns
    this.rows = rows
    this.hasReflow = hasReflow
    this.wideSign = wideSign
    this.screen = Array.from({ length: rows }, newRow)
  }

  /** Every row from the first of the scrollback on, without blanks at the end and without empty rows at the bottom. */
  get allRows(): string[] {
    return trimmed([...this.scrollback, ...this.screen].map(textOf))
  }

  /** Every line as the program meant it: rows that continue each other are one. */
  get lines(): string[] {
    return trimmed(joined([...this.scrollback, ...this.screen]).map((row) => textOf(row)))
  }

  /** The rows on the screen itself. */
  get screenRows(): string[] {
    return this.screen.map(textOf)
  }

  write(text: string): void {
    for (let i = 0; i < text.length; ) {
      const code = text.charCodeAt(i)
      if (code === 0x1b) i = this.readSequence(text, i)
      else if (code < 0x20) {
        this.control(code)
        i++
      } else {
        let end = i
        while (end < text.length && text.charCodeAt(end) >= 0x20) end++
        for (const sign of signsOf(text.slice(i, end))) this.put(sign)
        i = end
      }
    }
  }

  resize(columns: number, rows: number): void {
    if (this.hasReflow && columns !== this.columns) this.reflow(columns)
    if (!this.hasReflow) for (const row of this.screen) row.cells = cutCells(row.cells, columns)
    this.columns = columns
    this.column = Math.min(this.column, columns - 1)
    this.setRows(rows)
  }

  private put(sign: string): void {
    const width = sign === this.wideSign ? 2 : widthOfSign(sign)
    const line = this.line()
    if (width === 0) {
      const at = this.isPending ? this.column : this.column - 1
      const base = line.cells[at] === REST ? at - 1 : at
      if (base >= 0) line.cells[base] = `${line.cells[base] ?? ' '}${sign}`
      return
    }
    if (this.hasAutowrap && (this.isPending || this.column + width > this.columns)) {
      line.isWrapped = true
      this.column = 0
      this.lineFeed()
    }
    this.isPending = false
    if (this.column + width > this.columns) return
    this.setCells(sign, width)
    this.cellsWritten += width
    this.column += width
    if (this.column < this.columns) return
    this.column = this.columns - 1
    this.isPending = true
  }

  private setCells(sign: string, width: number): void {
    const { cells } = this.line()
    for (let at = this.column; at < this.column + width; at++) {
      if (cells[at] === REST && at > 0) cells[at - 1] = ' '
      if (cells[at + 1] === REST) cells[at + 1] = ' '
      cells[at] = at === this.column ? sign : REST
    }
  }

  private control(code: number): void {
    this.isPending = code === 0x07 && this.isPending
    if (code === 0x07) this.bells++
    else if (code === 0x0d) this.column = 0
    else if (code === 0x0a) this.lineFeed()
    else throw new Error(`control character ${code}`)
  }

  private lineFeed(): void {
    this.isPending = false
    if (this.row < this.rows - 1) this.row++
    else {
      this.scrollback.push(...this.screen.splice(0, 1))
      this.screen.push(newRow())
    }
  }

  private readSequence(text: string, at: number): number {
    const match = /^(?:\[(\??)([\d;]*)([@-~])|\][89];\P{Cc}*\p{Cc}\\?)/u.exec(text.slice(at + 1))
    if (match === null) throw new Error(`sequence ${JSON.stringify(text.slice(at, at + 12))}`)
    const [whole, isPrivate, parameters = '', final] = match
    if (final !== undefined) this.csi({ isPrivate: isPrivate === '?', parameters, final })
    return at + 1 + whole.length
  }

  private csi({ isPrivate, parameters, final }: { isPrivate: boolean; parameters: string; final: string }): void {
    const count = Number(parameters || '1')
    const name = `${isPrivate ? '?' : ''}${'AB'.includes(final) || final === 'G' ? '' : parameters}${final}`
    if (final !== 'm' && !isPrivate) this.isPending = this.isPending && 'JK'.includes(final)
    switch (name) {
      case 'A':
        this.row = Math.max(0, this.row - count)
        break
      case 'B':
        this.row = Math.min(this.rows - 1, this.row + count)
        break
      case 'G':
        this.column = Math.min(this.columns, count) - 1
        break
      case 'K':
        this.eraseRight()
        break
      case 'J':
        // As tmux does it: who erases everything from the first cell on wants to keep it.
        if (this.row === 0 && this.column === 0)
          this.scrollback.push(...this.screen.slice(0, this.usedRows).map(copyOf))
        this.eraseRight()
        for (const row of this.screen.slice(this.row + 1)) Object.assign(row, newRow())
        break
      case '?7h':
      case '?7l':
        this.hasAutowrap = final === 'h'
        break
      case '?25h':
      case '?25l':
        this.isCursorShown = final === 'h'
        break
      case '?2026h':
      case '?2026l':
        break
      default:
        if (final !== 'm' || isPrivate) throw new Error(`CSI ${name}`)
    }
  }

  private eraseRight(): void {
    const row = this.line()
    // As tmux does it: only a row that is erased from its beginning is as new, else its blanks are wrapped like text.
    if (this.column === 0) Object.assign(row, newRow())
    else row.cells.fill(' ', this.column)
  }

  private get usedRows(): number {
    return this.screen.findLastIndex((row) => row.cells.length > 0) + 1
  }

  private line(): Row {
    const row = this.screen[this.row]
    if (row === undefined) throw new Error(`the cursor is in row ${this.row} of ${this.rows}`)
    return row
  }

  private reflow(columns: number): void {
    const all = [...this.scrollback, ...this.screen]
    let cursorRow = this.scrollback.length + this.row
    // Empty rows below the cursor are not content.
    while (all.length - 1 > cursorRow && all.at(-1)?.cells.length === 0) all.pop()
    const wrapped: Row[] = []
    let first = 0
    const cursor = { row: 0, column: 0 }
    for (const line of joined(all)) {
      const count = line.count
      const pieces = wrapCells(line.cells, columns)
      if (cursorRow >= first && cursorRow < first + count) {
        const before = all.slice(first, cursorRow).reduce((sum, row) => sum + row.cells.length, 0)
        // Terminals bring a cursor that stands beyond the text to its end.
        const own = Math.min(this.column + (this.isPending ? 1 : 0), all[cursorRow]?.cells.length ?? 0)
        Object.assign(cursor, placeOf(pieces, before + own))
        cursor.row += wrapped.length
      }
      first += count
      wrapped.push(...pieces.map((cells, i) => ({ cells, isWrapped: i < pieces.length - 1 })))
    }
    cursorRow = cursor.row
    const top = Math.min(Math.max(0, wrapped.length - this.rows), cursorRow)
    this.scrollback = wrapped.slice(0, top)
    this.screen = wrapped.slice(top, top + this.rows)
    while (this.screen.length < this.rows) this.screen.push(newRow())
    this.row = cursorRow - top
    this.isPending = cursor.column >= columns
    this.column = Math.min(cursor.column, columns - 1)
  }

  /** Gives up rows below the cursor first, then those at the top; takes rows back from the scrollback. */
  private setRows(rows: number): void {
    while (this.screen.length > rows && this.screen.length - 1 > this.row) this.screen.pop()
    while (this.screen.length > rows) {
      this.scrollback.push(...this.screen.splice(0, 1))
      this.row--
    }
    while (this.screen.length < rows) {
      const last = this.scrollback.pop()
      if (last === undefined) this.screen.push(newRow())
      else {
        this.screen.unshift(last)
        this.row++
      }
    }
    this.rows = rows
  }
}

const segmenter = new Intl.Segmenter()

function signsOf(text: string): string[] {
  return /^[ -~]*$/.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function newRow(): Row {
  return { cells: [], isWrapped: false }
}

function copyOf({ cells, isWrapped }: Row): Row {
  return { cells: [...cells], isWrapped }
}

function textOf({ cells }: { cells: readonly Cell[] }): string {
  return Array.from(cells, (cell) => (cell === REST ? '' : (cell ?? ' ')))
    .join('')
    .trimEnd()
}

function trimmed(lines: string[]): string[] {
  const end = lines.findLastIndex((line) => line !== '')
  return lines.slice(0, end + 1)
}

function joined(rows: readonly Row[]): { cells: Cell[]; count: number }[] {
  const lines: { cells: Cell[]; count: number }[] = []
  let isOpen = false
  for (const row of rows) {
    const last = lines.at(-1)
    if (isOpen && last !== undefined) {
      last.cells.push(...row.cells)
      last.count++
    } else lines.push({ cells: [...row.cells], count: 1 })
    isOpen = row.isWrapped
  }
  return lines
}

function wrapCells(cells: readonly Cell[], columns: number): Cell[][] {
  const rows: Cell[][] = [[]]
  for (let i = 0; i < cells.length; ) {
    const width = cells[i + 1] === REST ? 2 : 1
    if ((rows.at(-1)?.length ?? 0) + width > columns) rows.push([])
    rows.at(-1)?.push(...cells.slice(i, i + width))
    i += width
  }
  return rows
}

function placeOf(rows: readonly Cell[][], offset: number): { row: number; column: number } {
  let left = offset
  for (const [row, cells] of rows.entries()) {
    if (left < cells.length || row === rows.length - 1) return { row, column: left }
    left -= cells.length
  }
  return { row: 0, column: 0 }
}

function cutCells(cells: Cell[], columns: number): Cell[] {
  const cut = cells.slice(0, columns)
  if (cells[columns] === REST) cut[columns - 1] = ' '
  return cut
}

const WIDE = /^[\u1100-\u115f\u3000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}]|\ufe0f/u

// Written without the tables of the source, so that both can be wrong only in different ways.
function widthOfSign(sign: string): number {
  if (sign.length === 1 && sign < '\x7f') return 1
  if (/^[\u0300-\u036f\u200b-\u200d]/.test(sign)) return 0
  return WIDE.test(sign) || /^\p{RI}\p{RI}/u.test(sign) ? 2 : 1
}
