import type { Frame } from '../frame.ts'
import type { TextStyle } from '../text-style.ts'
import { widthOf } from '../width.ts'
import { drawRow, placeOf } from './line-layout.ts'
import type { Sight } from './motions.ts'
import type { Position } from './text-buffer.ts'

export interface ViewOptions {
  readonly width: number
  readonly maxRows: number
  /** Stands before the first row; the others are indented as far. */
  readonly sign: string
  readonly cursor: Position
  /** What is to stand out, within one line. */
  readonly mark?: { readonly from: Position; readonly length: number } | undefined
}

export interface TextView {
  /** How wide and high the text was last drawn. */
  readonly width: number
  readonly height: number
  render(options: ViewOptions): Frame & { readonly cursor: { row: number; column: number } }
}

interface RowAt {
  readonly line: number
  readonly row: number
}

const ELSEWHERE = '⋮'

/** The part of a text around the cursor that fits; it scrolls only as far as it has to. */
export function createTextView({ buffer, layouts }: Sight, style: TextStyle): TextView {
  let rowWidth = 80
  let height = 1
  let top: RowAt = { line: 0, row: 0 }

  const rowsOf = (line: number) => layouts.of(buffer.lineAt(line), rowWidth).rows.length
  const above = ({ line, row }: RowAt): RowAt | undefined => {
    if (row > 0) return { line, row: row - 1 }
    return line > 0 ? { line: line - 1, row: rowsOf(line - 1) - 1 } : undefined
  }
  const below = ({ line, row }: RowAt): RowAt | undefined => {
    if (row + 1 < rowsOf(line)) return { line, row: row + 1 }
    return line + 1 < buffer.lines.length ? { line: line + 1, row: 0 } : undefined
  }
  const from = (start: RowAt, { go, most }: { go: typeof above; most: number }): RowAt[] => {
    const found = [start]
    for (let next = go(start); next !== undefined && found.length < most; next = go(next)) found.push(next)
    return found
  }

  /** The rows to draw: as before if the cursor is among them, and no room left empty while there is text. */
  const scroll = (cursor: RowAt, most: number): RowAt[] => {
    const highest = from(cursor, { go: above, most }).at(-1) ?? cursor
    const line = Math.min(top.line, buffer.lines.length - 1)
    top = { line, row: Math.min(top.row, rowsOf(line) - 1) }
    if (compareRows(top, highest) < 0) top = highest
    if (compareRows(top, cursor) > 0) top = cursor
    const rows = from(top, { go: below, most })
    const missing = most - rows.length
    if (missing > 0) {
      const before = from(top, { go: above, most: missing + 1 }).slice(1)
      rows.unshift(...before.reverse())
    }
    top = rows[0] ?? top
    return rows
  }

  return {
    get width() {
      return rowWidth
    },
    get height() {
      return height
    },
    render({ width, maxRows, sign, cursor, mark }) {
      const room = roomFor(width, sign)
      rowWidth = room.row
      const place = placeOf(layouts.of(buffer.lineAt(cursor.line), rowWidth), cursor.offset)
      const rows = scroll({ line: cursor.line, row: place.row }, Math.max(1, maxRows))
      height = rows.length
      const hasMore = { above: above(top) !== undefined, below: below(rows.at(-1) ?? top) !== undefined }
      const lines = rows.map(({ line, row }, index) => {
        const layout = layouts.of(buffer.lineAt(line), rowWidth)
        const isMarked =
          mark?.from.line === line
            ? ({ at, end }: { at: number; end: number }) =>
                end > mark.from.offset && at < mark.from.offset + mark.length
            : undefined
        const isFirst = line === 0 && row === 0
        const isEdge = (index === 0 && hasMore.above) || (index === rows.length - 1 && hasMore.below)
        const before = room.sign === 0 ? '' : isFirst ? sign : isEdge ? dimmed(style, room.sign) : ' '.repeat(room.sign)
        return before + drawRow(layout, row, { width: rowWidth, style, isMarked })
      })
      const row = rows.findIndex((shown) => shown.line === cursor.line && shown.row === place.row)
      return { lines, cursor: { row, column: Math.min(room.sign + place.column, Math.max(0, width - 1)) } }
    },
  }
}

/** How many cells are for the sign and for a row of text; one is kept for a cursor behind a full row. */
function roomFor(width: number, sign: string): { sign: number; row: number } {
  const wanted = widthOf(sign)
  const taken = width >= wanted + 4 ? wanted : 0
  return { sign: taken, row: Math.max(1, width - taken - 1) }
}

const dimmed = (style: TextStyle, width: number) => style.dim(ELSEWHERE) + ' '.repeat(Math.max(0, width - 1))

function compareRows(one: RowAt, other: RowAt): number {
  return one.line - other.line || one.row - other.row
}
