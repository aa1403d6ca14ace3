import { expandTabs } from '../visible.ts'
import { type BlockState, type Container, emit, type Item } from './block-state.ts'
import { addIndented, addToTable, appendText, closeLeaf, continueLeaf, openTable, readFenced } from './leaves.ts'
import { type ItemStart, indentOf, kindOfLine, type LineKind, underlineLevel } from './line-kind.ts'
import type { Piece } from './piece.ts'

/** A line, or a stretch of a very long one. */
export interface Line {
  readonly text: string
  /** It goes on with the stretch before it. */
  readonly isContinuation: boolean
}

/** Takes the next line and gives away what can no longer change. The work depends on the line, not on what came before. */
export function readLine(state: BlockState, line: Line, out: Piece[]): void {
  const text = expandTabs(line.text)
  if (line.isContinuation) continueLeaf(state, text, out)
  else {
    const { rest, depth } = matchContainers(state, text)
    const isInside = depth === state.containers.length
    if (isInside && isFenced(state)) readFenced(state, rest, out)
    else if (rest.trim() === '') readBlank(state, { depth, out })
    else readText(state, { rest, depth, out })
  }
}

/** Nothing comes any more: closes what is open. */
export function endBlocks(state: BlockState, out: Piece[]): void {
  closeTo(state, 0, out)
}

interface Reading {
  readonly rest: string
  /** How many of the open containers the line belongs to. */
  readonly depth: number
  readonly out: Piece[]
}

function readText(state: BlockState, { rest, depth, out }: Reading): void {
  const kind = kindOfLine(rest)
  const isInside = depth === state.containers.length
  if (isInside && continuesLeaf(state, { rest, kind, out })) return
  // A paragraph goes on even where the marks of its quote or the blanks of its item are missing.
  if (!isInside && state.leaf?.kind === 'paragraph' && isText(kind)) appendText(state, rest, out)
  else openBlocks(state, { rest, kind, depth, out })
}

function isFenced({ leaf }: BlockState): boolean {
  return leaf?.kind === 'code' && leaf.fence !== ''
}

/** How many of the open containers the line belongs to, and what it says inside them. */
function matchContainers(state: BlockState, text: string): { rest: string; depth: number } {
  const isInFence = isFenced(state)
  let rest = text
  let depth = 0
  for (const container of state.containers) {
    const inside = container.kind === 'quote' ? insideQuote(rest) : insideItem(rest, container, { isInFence })
    if (inside === undefined) break
    rest = inside
    depth++
  }
  return { rest, depth }
}

function insideQuote(text: string): string | undefined {
  return /^ {0,3}>/.test(text) ? text.replace(/^ {0,3}> ?/, '') : undefined
}

function insideItem(text: string, item: Item, { isInFence }: { isInFence: boolean }): string | undefined {
  const indent = indentOf(text)
  if (indent >= item.indent || indent === text.length) return text.slice(Math.min(indent, item.indent))
  // Code in an item is often written with fewer blanks than its fence; nothing but a fence ends it.
  if (isInFence) return text.slice(indent)
  // Bullets below a number stand three blanks in by the rule, and two by habit.
  const isNested = item.number !== undefined && indent >= 2 && /^[-+*] /.test(text.slice(indent, indent + 2))
  return isNested ? text.slice(indent) : undefined
}

function readBlank(state: BlockState, { depth, out }: Omit<Reading, 'rest'>): void {
  const { leaf } = state
  if (depth < state.containers.length) closeTo(state, depth, out)
  else if (leaf?.kind === 'code') state.leaf = { ...leaf, blanks: leaf.blanks + 1 }
  else closeLeaf(state, out)
  state.hasBlank = true
}

function isText({ kind }: LineKind): boolean {
  return kind === 'text' || kind === 'indented'
}

/** Whether the leaf that is open takes the line. */
function continuesLeaf(
  state: BlockState,
  { rest, kind, out }: { rest: string; kind: LineKind; out: Piece[] },
): boolean {
  const { leaf } = state
  switch (leaf?.kind) {
    case undefined:
      return false
    case 'html':
      continueLeaf(state, rest, out)
      return true
    case 'code':
      if (kind.kind !== 'indented') return false
      addIndented(state, rest, out)
      return true
    case 'table':
      return isText(kind) && addToTable(state, rest, out)
    case 'paragraph': {
      const level = leaf.isContinued ? undefined : underlineLevel(rest)
      // Below several lines a row of dashes is meant as a rule, whatever the book says.
      if (level === 1 || (level === 2 && !leaf.text.includes('\n'))) {
        state.leaf = undefined
        emit(state, { kind: 'heading', text: leaf.text, level }, { isContinued: false, out })
        return true
      }
      if (openTable(state, rest, out)) return true
      if (!isText(kind) && !(kind.kind === 'item' && !canInterrupt(kind))) return false
      appendText(state, rest, out)
      return true
    }
    default:
      return leaf satisfies never
  }
}

// A number that happens to stand at the beginning of a line is no list.
function canInterrupt({ number, rest }: ItemStart): boolean {
  return rest.trim() !== '' && (number === undefined || number === 1)
}

function openBlocks(state: BlockState, reading: Reading & { kind: LineKind }): void {
  const { out } = reading
  let { rest, kind, depth } = reading
  let before: Container | undefined = state.containers[depth]
  closeTo(state, depth, out)
  while (kind.kind === 'quote' || kind.kind === 'item') {
    const id = state.nextId++
    const container: Container = kind.kind === 'quote' ? { kind: 'quote', id } : itemFrom(kind, { id, before })
    state.containers = [...state.containers, container]
    rest = kind.rest
    depth++
    before = undefined
    if (rest.trim() === '') return
    kind = kindOfLine(rest)
  }
  openLeaf(state, { rest, kind, out })
}

function openLeaf(state: BlockState, { rest, kind, out }: { rest: string; kind: LineKind; out: Piece[] }): void {
  switch (kind.kind) {
    case 'fence':
      state.leaf = { ...kind, kind: 'code', isContinued: false, blanks: 0 }
      return
    case 'indented':
      state.leaf = { kind: 'code', fence: '', indent: 4, language: undefined, isContinued: false, blanks: 0 }
      addIndented(state, rest, out)
      return
    case 'heading':
      emit(state, { kind: 'heading', text: kind.text, level: kind.level }, { isContinued: false, out })
      return
    case 'rule':
      emit(state, { kind: 'rule' }, { isContinued: false, out })
      return
    case 'html':
      state.leaf = { kind: 'html', isContinued: false }
      continueLeaf(state, rest, out)
      return
    default:
      appendText(state, rest, out)
  }
}

/** Closes the leaf and the containers behind the first `depth`; an item that had nothing in it shows its mark. */
function closeTo(state: BlockState, depth: number, out: Piece[]): void {
  closeLeaf(state, out)
  while (state.containers.length > depth) {
    const last = state.containers.at(-1)
    if (last?.kind === 'item' && last.id > state.shownId) emit(state, { kind: 'empty' }, { isContinued: false, out })
    state.containers = state.containers.slice(0, -1)
  }
}

// Numbers go on from the first, whatever the author wrote: `1.` before every item is a list from one to its end.
function itemFrom(start: ItemStart, { id, before }: { id: number; before: Container | undefined }): Item {
  const isNext = before?.kind === 'item' && before.sign === start.sign && before.number !== undefined
  const number = start.number !== undefined && isNext ? (before.number ?? 0) + 1 : start.number
  const mark =
    number === undefined ? (start.task ?? '•') : `${number}${start.sign}${start.task ? ` ${start.task}` : ''}`
  return { kind: 'item', id, sign: start.sign, number, indent: start.indent, mark }
}
