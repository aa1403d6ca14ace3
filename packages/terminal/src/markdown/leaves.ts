import { type BlockState, emit, type TableLeaf } from './block-state.ts'
import { cutParagraph } from './cut-paragraph.ts'
import { closesFence, indentOf } from './line-kind.ts'
import type { Piece } from './piece.ts'
import { readAligns, splitRow } from './table-rows.ts'

// Its first rows say how wide a table's columns are; what follows has to do with that.
const TABLE_ROWS = 40
const TABLE_LENGTH = 12_000

/** Adds a line to the paragraph that is open, or opens one; gives away the beginning of a long one. */
export function appendText(state: BlockState, rest: string, out: Piece[]): void {
  const { leaf } = state
  const text = rest.trimStart()
  if (leaf?.kind === 'paragraph') setText(state, `${leaf.text}\n${text}`, { isContinued: leaf.isContinued, out })
  else setText(state, text, { isContinued: false, out })
}

function setText(state: BlockState, text: string, { isContinued, out }: { isContinued: boolean; out: Piece[] }): void {
  let cut = cutParagraph(text)
  let left = text
  let isCut = isContinued
  for (; cut; cut = cutParagraph(left)) {
    emit(state, { kind: 'paragraph', text: cut.head, isOpen: true }, { isContinued: isCut, out })
    left = cut.rest
    isCut = true
  }
  state.leaf = { kind: 'paragraph', text: left, isContinued: isCut }
}

/** Takes a line that is inside a fence, or its end. */
export function readFenced(state: BlockState, rest: string, out: Piece[]): void {
  const { leaf } = state
  if (leaf?.kind !== 'code') return
  if (closesFence(rest, leaf.fence)) state.leaf = undefined
  else addCode(state, rest.slice(Math.min(leaf.indent, indentOf(rest))), out)
}

/** Takes a line of code that four blanks have made one, after the empty ones before it. */
export function addIndented(state: BlockState, rest: string, out: Piece[]): void {
  const { leaf } = state
  if (leaf?.kind !== 'code') return
  for (let blank = 0; blank < leaf.blanks; blank++) addCode(state, '', out)
  addCode(state, rest.slice(4), out)
}

function addCode(state: BlockState, text: string, out: Piece[]): void {
  const { leaf } = state
  if (leaf?.kind !== 'code') return
  emit(state, { kind: 'code', text, language: leaf.language }, { isContinued: leaf.isContinued, out })
  state.leaf = { ...leaf, isContinued: true, blanks: 0 }
}

/** Whether the line makes a table of the last line of the paragraph. */
export function openTable(state: BlockState, rest: string, out: Piece[]): boolean {
  const { leaf } = state
  const aligns = leaf?.kind === 'paragraph' ? readAligns(rest) : undefined
  if (leaf?.kind !== 'paragraph' || aligns === undefined) return false
  const start = leaf.text.lastIndexOf('\n') + 1
  const cells = splitRow(leaf.text.slice(start), aligns.length)
  if (cells.length !== aligns.length || (start === 0 && leaf.isContinued)) return false
  state.leaf = { ...leaf, text: leaf.text.slice(0, Math.max(0, start - 1)) }
  closeLeaf(state, out)
  state.leaf = { kind: 'table', head: { cells, aligns }, rows: [], isContinued: false }
  return true
}

/** Whether the table takes the line: text without any bar is a paragraph below it. */
export function addToTable(state: BlockState, rest: string, out: Piece[]): boolean {
  const { leaf } = state
  if (leaf?.kind !== 'table' || !rest.includes('|')) return false
  const length = leaf.rows.reduce((sum, row) => sum + row.length, 0)
  const isFull = leaf.isContinued || leaf.rows.length >= TABLE_ROWS || length >= TABLE_LENGTH
  if (isFull) emitTable(state, leaf, out)
  const rows = isFull ? [rest] : [...leaf.rows, rest]
  state.leaf = { ...leaf, rows, isContinued: leaf.isContinued || isFull }
  return true
}

function emitTable(state: BlockState, { head, rows, isContinued }: TableLeaf, out: Piece[]): void {
  const cells = rows.map((row) => splitRow(row, head.cells.length))
  emit(state, { kind: 'table', ...(!isContinued && { heads: head }), rows: cells }, { isContinued, out })
}

/** Takes a stretch of a line that is too long to be seen as one. */
export function continueLeaf(state: BlockState, text: string, out: Piece[]): void {
  const { leaf } = state
  switch (leaf?.kind) {
    case 'paragraph':
      setText(state, leaf.text + text, { isContinued: leaf.isContinued, out })
      return
    case 'code':
      addCode(state, text, out)
      return
    case 'html':
      emit(state, { kind: 'line', text }, { isContinued: leaf.isContinued, out })
      state.leaf = { ...leaf, isContinued: true }
      return
    case 'table': {
      const last = leaf.rows.at(-1) ?? ''
      if (last === '' || last.length > TABLE_LENGTH) break
      state.leaf = { ...leaf, rows: [...leaf.rows.slice(0, -1), last + text] }
      return
    }
    case undefined:
      break
    default:
      leaf satisfies never
  }
  closeLeaf(state, out)
  if (text.trim() !== '') appendText(state, text, out)
}

/** Gives away what is left of the leaf that is open. */
export function closeLeaf(state: BlockState, out: Piece[]): void {
  const { leaf } = state
  state.leaf = undefined
  if (leaf?.kind === 'table') emitTable(state, leaf, out)
  if (leaf?.kind !== 'paragraph' || (leaf.text.trim() === '' && !leaf.isContinued)) return
  emit(state, { kind: 'paragraph', text: leaf.text.trimEnd(), isOpen: false }, { isContinued: leaf.isContinued, out })
}
