import type { Frame } from '../frame.ts'
import type { TextStyle } from '../text-style.ts'
import type { EditCommand } from './edit-keys.ts'
import { createLineLayouts } from './line-layout.ts'
import {
  byRows,
  columnOf,
  settle,
  toBlankBefore,
  toLeft,
  toLineEnd,
  toLineStart,
  toRight,
  toTextEnd,
  toTextStart,
  toWordEnd,
  toWordStart,
} from './motions.ts'
import type { PasteChips } from './paste-chips.ts'
import { comparePositions, createTextBuffer, type Position, START } from './text-buffer.ts'
import { createTextView, type ViewOptions } from './text-view.ts'
import { type Change, createUndoStack } from './undo-stack.ts'

export interface EditingOptions {
  readonly style: TextStyle
  readonly chips: PasteChips
}

/** A text with a cursor in it and everything that keys do to it; what sends it anywhere is elsewhere. */
export interface Editing {
  readonly isEmpty: boolean
  /** With everything in place that was pasted. */
  readonly text: string
  /** As it is edited: chips stand for long pastes. */
  readonly source: string
  /** The source of what Ctrl-Y would put back. */
  readonly killed: string
  /** Rises with each change of the text. */
  readonly changes: number
  readonly cursor: Position
  /** What stands before the cursor in its line. */
  readonly before: string
  type(text: string): void
  paste(text: string): void
  /** Puts text in the place of the last signs before the cursor. */
  replaceBefore(length: number, text: string): void
  /** False when it changed neither text nor cursor. */
  perform(command: EditCommand): boolean
  setText(text: string): void
  setSource(source: string): void
  moveTo(position: Position): void
  /** Empties it for a new text: there is nothing to undo. */
  startAnew(): void
  render(options: Omit<ViewOptions, 'cursor'>): Frame & { readonly cursor: { row: number; column: number } }
}

const MOTIONS = {
  left: toLeft,
  right: toRight,
  'word-left': toWordStart,
  'word-right': toWordEnd,
  'line-start': toLineStart,
  'line-end': toLineEnd,
  'text-start': toTextStart,
  'text-end': toTextEnd,
}

const KILLS = {
  'kill-to-blank': toBlankBefore,
  'kill-word-left': toWordStart,
  'kill-word-right': toWordEnd,
  'kill-to-start': (sight, from) => (from.offset === 0 ? toLeft : toLineStart)(sight, from),
  'kill-to-end': (sight, from) => {
    const end = toLineEnd(sight, from)
    return comparePositions(end, from) === 0 ? toRight(sight, from) : end
  },
} satisfies Record<string, typeof toLeft>

export function createEditing({ style, chips }: EditingOptions): Editing {
  const buffer = createTextBuffer()
  const layouts = createLineLayouts(chips.labelOf)
  const sight = { buffer, layouts }
  const view = createTextView(sight, style)
  const undo = createUndoStack()
  let cursor = START
  let changes = 0
  let killed = ''
  // What the last command leaves for the next: the column that vertical moves aim at, and whether kills add up.
  let wished: number | undefined
  let wasKill = false

  const change = (range: { from: Position; to: Position }, text: string, kind: Change['kind']) => {
    const [from, to] = comparePositions(range.from, range.to) <= 0 ? [range.from, range.to] : [range.to, range.from]
    if (text === '' && comparePositions(from, to) === 0) return
    const { end, removed } = buffer.replace(from, to, text)
    changes += 1
    undo.push({ from, removed, inserted: text, end, cursor, kind })
    cursor = settle(sight, end)
  }

  const edit = (range: { from: Position; to: Position }, text: string, kind: Change['kind'] = 'other') => {
    wished = undefined
    wasKill = false
    change(range, text, kind)
  }

  const here = () => ({ from: cursor, to: cursor })
  const everything = () => ({ from: START, to: buffer.end })

  const kill = (to: Position, isAdding: boolean) => {
    const isBackwards = comparePositions(to, cursor) < 0
    const text = isBackwards ? buffer.between(to, cursor) : buffer.between(cursor, to)
    if (text === '') return
    killed = !isAdding ? text : isBackwards ? text + killed : killed + text
    change({ from: cursor, to }, '', 'other')
  }

  const moveRows = (count: number, column: number) => {
    wished = column
    const to = byRows(sight, cursor, { count, column, width: view.width })
    if (to !== undefined) cursor = to
    return to !== undefined
  }

  const page = (direction: -1 | 1, column: number) => {
    const edge = direction < 0 ? START : buffer.end
    if (!moveRows(direction * Math.max(1, view.height - 1), column)) cursor = edge
  }

  const undoLast = () => {
    const last = undo.pop()
    if (last === undefined) return
    changes += 1
    buffer.replace(last.from, last.end, last.removed)
    cursor = last.cursor
  }

  /** Swaps the two signs around the cursor, or at the end of a line the last two. */
  const swap = () => {
    const isAtEnd = comparePositions(toLineEnd(sight, cursor), cursor) === 0
    const middle = isAtEnd ? toLeft(sight, cursor) : cursor
    const from = toLeft(sight, middle)
    const to = toRight(sight, middle)
    if (from.line !== to.line || from.offset === middle.offset) return
    change({ from, to }, buffer.between(middle, to) + buffer.between(from, middle), 'other')
  }

  const act = (command: EditCommand) => {
    const column = wished ?? columnOf(sight, cursor, view.width)
    const isAdding = wasKill
    wished = undefined
    wasKill = false
    if (isIn(MOTIONS, command)) {
      cursor = MOTIONS[command](sight, cursor)
      return
    }
    if (isIn(KILLS, command)) {
      kill(KILLS[command](sight, cursor), isAdding)
      wasKill = true
      return
    }
    switch (command) {
      case 'up':
        moveRows(-1, column)
        return
      case 'down':
        moveRows(1, column)
        return
      case 'page-up':
        page(-1, column)
        return
      case 'page-down':
        page(1, column)
        return
      case 'delete-left':
        change({ from: toLeft(sight, cursor), to: cursor }, '', 'delete')
        return
      case 'delete-right':
        change({ from: cursor, to: toRight(sight, cursor) }, '', 'delete')
        return
      case 'newline':
        change(here(), '\n', 'type')
        return
      case 'yank':
        change(here(), killed, 'other')
        return
      case 'swap':
        swap()
        return
      case 'undo':
        undoLast()
        return
      default:
        command satisfies never
    }
  }

  return {
    get isEmpty() {
      return buffer.isEmpty
    },
    get text() {
      return chips.expand(buffer.between(START, buffer.end))
    },
    get source() {
      return buffer.between(START, buffer.end)
    },
    get killed() {
      return killed
    },
    get changes() {
      return changes
    },
    get cursor() {
      return cursor
    },
    get before() {
      return buffer.lineAt(cursor.line).text.slice(0, cursor.offset)
    },
    type(text) {
      edit(here(), chips.foldLines(text), 'type')
    },
    paste(text) {
      edit(here(), chips.fold(text))
    },
    replaceBefore(length, text) {
      const from = { line: cursor.line, offset: Math.max(0, cursor.offset - length) }
      edit({ from, to: cursor }, chips.foldLines(text))
    },
    perform(command) {
      const before = { cursor, changes }
      act(command)
      if (changes !== before.changes) return true
      if (comparePositions(cursor, before.cursor) === 0) return false
      undo.seal()
      return true
    },
    setText(text) {
      edit(everything(), chips.foldLines(text))
    },
    setSource(source) {
      edit(everything(), source)
    },
    moveTo(position) {
      const line = Math.min(position.line, buffer.lines.length - 1)
      cursor = settle(sight, { line, offset: Math.min(position.offset, buffer.lineAt(line).text.length) })
      undo.seal()
    },
    startAnew() {
      buffer.replace(START, buffer.end, '')
      cursor = START
      wished = undefined
      wasKill = false
      undo.clear()
    },
    render: (options) => view.render({ ...options, cursor }),
  }
}

function isIn<T extends object>(table: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(table, key)
}
