import type { TextStyle } from '../text-style.ts'
import { cutText, widthOf, wrapText } from '../width.ts'
import { parseInline } from './inline.ts'
import type { Align, TableHead } from './piece.ts'
import { MARKS, paintSpans } from './span.ts'

/** What the rows of a table have to know of those before them. */
export interface TableLayout {
  readonly heads: readonly string[]
  readonly aligns: readonly Align[]
  /** How wide each column would be if there were room. */
  readonly natural: readonly number[]
  /** Whether a row of the body has been laid out. */
  readonly hasRows: boolean
}

type Rows = readonly (readonly string[])[]

// Below this, columns side by side cannot be read.
const NARROW_TERMINAL = 40
const NARROW_COLUMN = 6
const BETWEEN = 3

/** A table of which only the head is known. */
export function openTable({ cells, aligns }: TableHead, style: TextStyle): TableLayout {
  const heads = cells.map((cell) => paintCell(cell, style, MARKS.strong))
  return { heads, aligns, natural: heads.map(widestLine), hasRows: false }
}

/** The cells of rows in their colours, as many as the head has. */
export function paintRows({ heads }: TableLayout, rows: Rows, style: TextStyle): Rows {
  return rows.map((row) => heads.map((_, column) => paintCell(row[column] ?? '', style)))
}

/** Rows that come after the first ones may widen a column from there on, rather than be squeezed into it. */
export function growTable(layout: TableLayout, rows: Rows): TableLayout {
  const natural = [...layout.natural]
  for (const row of rows) {
    for (const [column, cell] of row.entries()) natural[column] = Math.max(natural[column] ?? 1, widestLine(cell))
  }
  return { ...layout, natural }
}

/** Painted rows as lines: in columns, or one cell below the other where there is no room for columns. */
export function layTable(
  layout: TableLayout,
  rows: Rows,
  { style, width, withHead }: { style: TextStyle; width: number; withHead: boolean },
): string[] {
  const widths = fitColumns(layout.natural, width)
  if (!widths) return layRecords(layout, rows, { style, width })
  const columns = { widths, aligns: layout.aligns, style }
  const line = style.dim(widths.map((cells) => '─'.repeat(cells)).join('─┼─'))
  // Where cells take several lines, only a line between the rows says where the next one begins.
  const isApart = widths.some((cells, column) => cells < (layout.natural[column] ?? 0))
  const lines = withHead ? [...layRow(layout.heads, columns), line] : []
  for (const [index, row] of rows.entries()) {
    if (isApart && (index > 0 || layout.hasRows)) lines.push(line)
    lines.push(...layRow(row, columns))
  }
  return lines.map((row) => (widthOf(row) > width ? cutText(row, width, '') : row))
}

function paintCell(cell: string, style: TextStyle, marks = 0): string {
  const spans = parseInline(cell).map((span) => ({ ...span, marks: span.marks | marks }))
  return paintSpans(spans, style)
}

function widestLine(cell: string): number {
  return cell.includes('\n') ? Math.max(1, ...cell.split('\n').map(widthOf)) : Math.max(1, widthOf(cell))
}

/** What each column gets: all that it wants, or else an equal share of what the small ones leave. */
function fitColumns(natural: readonly number[], width: number): number[] | undefined {
  const room = width - BETWEEN * (natural.length - 1)
  if (natural.reduce((sum, cells) => sum + cells, 0) <= room) return [...natural]
  if (width < NARROW_TERMINAL) return undefined
  const widths = natural.map(() => 0)
  const bySize = natural.map((cells, column) => ({ cells, column })).sort((one, other) => one.cells - other.cells)
  let left = room
  for (const [index, { cells, column }] of bySize.entries()) {
    const share = Math.floor(left / (bySize.length - index))
    if (cells > share && share < NARROW_COLUMN) return undefined
    widths[column] = Math.min(cells, share)
    left -= widths[column] ?? 0
  }
  return widths
}

interface Columns {
  readonly widths: readonly number[]
  readonly aligns: readonly Align[]
  readonly style: TextStyle
}

function layRow(cells: readonly string[], { widths, aligns, style }: Columns): string[] {
  const wrapped = cells.map((cell, column) => wrapText(cell, widths[column] ?? 1))
  const height = Math.max(1, ...wrapped.map((lines) => lines.length))
  const lines: string[] = []
  for (let row = 0; row < height; row++) {
    const padded = wrapped.map((cell, column) =>
      pad(cell[row] ?? '', { width: widths[column] ?? 1, align: aligns[column] ?? 'left' }),
    )
    lines.push(padded.join(` ${style.dim('│')} `).trimEnd())
  }
  return lines
}

function pad(text: string, { width, align }: { width: number; align: Align }): string {
  const free = Math.max(0, width - widthOf(text))
  const before = align === 'left' ? 0 : align === 'right' ? free : Math.floor(free / 2)
  return ' '.repeat(before) + text + ' '.repeat(free - before)
}

/** `head: cell`, one below the other, and an empty line between two rows. */
function layRecords(
  { heads, hasRows }: TableLayout,
  rows: Rows,
  { style, width }: { style: TextStyle; width: number },
): string[] {
  // A table without rows says its heads, or nothing would be shown.
  if (rows.length === 0 && !hasRows) return heads.flatMap((head) => wrapText(head, width))
  const lines: string[] = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 || hasRows) lines.push('')
    for (const [column, cell] of row.entries()) {
      const head = heads[column] ?? ''
      if (cell === '') continue
      const [first = '', ...rest] = wrapText(head === '' ? cell : `${head}${style.dim(':')} ${cell}`, width - 2)
      lines.push(first, ...rest.map((line) => `  ${line}`))
    }
  }
  return lines
}
