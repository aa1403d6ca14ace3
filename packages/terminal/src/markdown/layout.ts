import { type Highlighting, highlightLine } from '../highlight/highlight-line.ts'
import { isColoured } from '../is-coloured.ts'
import { breakRuns, joinRow } from '../rows.ts'
import type { TextStyle } from '../text-style.ts'
import { wrapText } from '../width.ts'
import { parseInline } from './inline.ts'
import type { Content, Piece } from './piece.ts'
import { prefixOf } from './prefix.ts'
import { MARKS, paintSpans } from './span.ts'
import { growTable, layTable, openTable, paintRows, type TableLayout } from './table-layout.ts'

/** What the next piece has to know of those before it. A shallow copy is a whole one. */
export interface LayoutState {
  /** The last row of a paragraph that goes on: it may get more words. */
  carry: string
  /** What the highlighter knows at the end of a line of code. */
  highlighting: Highlighting | undefined
  table: TableLayout | undefined
}

export function createLayoutState(): LayoutState {
  return { carry: '', highlighting: undefined, table: undefined }
}

export interface LayoutOptions {
  readonly style: TextStyle
  readonly width: number
}

const CODE_INDENT = '  '
const LONGEST_RULE = 40

/** Appends the rows of one piece; none is wider than the terminal. */
export function layPiece(
  state: LayoutState,
  piece: Piece,
  { style, width, lines }: LayoutOptions & { lines: string[] },
) {
  if (piece.gap) lines.push(joinRow(prefixOf(piece.gap, { style, width }).rest, '', width))
  const isCode = piece.content.kind === 'code'
  const prefix = prefixOf(piece.parts, { style, width: isCode ? width - CODE_INDENT.length : width })
  lines.push(...prefix.above)
  let before = prefix.first
  for (const content of rowsOf(state, piece, { style, width: prefix.room })) {
    lines.push(joinRow(isCode && content !== '' ? before + CODE_INDENT : before, content, width))
    before = prefix.rest
  }
}

function rowsOf(state: LayoutState, { content, isContinued }: Piece, options: LayoutOptions): string[] {
  if (!isContinued) Object.assign(state, createLayoutState())
  switch (content.kind) {
    case 'paragraph':
      return layParagraph(state, content, options)
    case 'heading':
      return layHeading(content, options)
    case 'code': {
      const { runs, next } = highlightLine(content.text, content.language, {
        highlighting: state.highlighting,
        style: options.style,
      })
      state.highlighting = next
      return breakRuns(runs, options.width)
    }
    case 'table': {
      const { heads } = content
      const table = heads ? openTable(heads, options.style) : state.table
      if (!table) return []
      const rows = paintRows(table, content.rows, options.style)
      const grown = growTable(table, rows)
      state.table = { ...grown, hasRows: table.hasRows || rows.length > 0 }
      return layTable(grown, rows, { ...options, withHead: heads !== undefined })
    }
    case 'rule':
      return [options.style.dim('─'.repeat(Math.min(options.width, LONGEST_RULE)))]
    case 'line':
      return wrapText(content.text, options.width)
    case 'empty':
      return ['']
    default:
      return content satisfies never
  }
}

function layParagraph(
  state: LayoutState,
  { text, isOpen, isUnderWay }: Content & { kind: 'paragraph' },
  { style, width }: LayoutOptions,
): string[] {
  const between = state.carry !== '' && /^\s/.test(text) ? ' ' : ''
  const spans = parseInline(text.trim(), { isUnderWay: isUnderWay === true })
  const rows = wrapText(state.carry + between + paintSpans(spans, style), width)
  state.carry = isOpen ? (rows.pop() ?? '') : ''
  // A blank that hangs over the end says nothing.
  return rows.map((row) => row.trimEnd())
}

function layHeading({ text, level }: Content & { kind: 'heading' }, { style, width }: LayoutOptions): string[] {
  const looks = MARKS.strong | (level === 1 ? MARKS.underline : 0) | (level > 2 ? MARKS.emphasis : 0)
  const spans = parseInline(text.trim()).map((span) => ({ ...span, marks: span.marks | looks }))
  const hashes = isColoured(style) ? '' : `${'#'.repeat(level)} `
  return wrapText(hashes + paintSpans(spans, style), width).map((row) => row.trimEnd())
}
