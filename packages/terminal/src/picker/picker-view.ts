import { CHOSEN_SIGN, drawChoices, scrollTo } from '../editor/choice-rows.ts'
import type { Editing } from '../editor/editing.ts'
import { visible } from '../editor/unsafe-signs.ts'
import type { Frame } from '../frame.ts'
import { cutText, widthOf, wrapText } from '../width.ts'
import { drawOption, scrollBlocks } from './option-blocks.ts'
import type { PickerItem, PickerOptions } from './picker-options.ts'

export interface PickerView {
  render(state: PickerState): Frame
}

interface PickerState {
  readonly shown: readonly PickerItem[]
  readonly selected: number
  readonly width: number
  readonly maxRows: number
}

// So many rows of the list are seen before the hint, and then the title, have to go.
const LEAST_ROWS = 3
const MOST_WRITTEN = 6
// Details of short labels stand in one column; a single long label does not push them all away.
const MOST_COLUMN = 24
const NOTHING = '–'

/** Draws a picker: title, what is searched for, the list, the hint. Remembers only how far it has scrolled. */
export function createPickerView(
  options: PickerOptions,
  { words, query }: { words: Editing; query: Editing },
): PickerView {
  const { style, title, hint, items, canType = false, freeTextLabel = '…', isSearchable = false } = options
  const numberWidth = String(items.length + (canType ? 1 : 0)).length
  const numberOf = (index: number) => (isSearchable ? '' : `${String(index + 1).padStart(numberWidth)}. `)
  let first = 0

  /** The line for words: an editor when it is selected. */
  const drawWords = ({ shown, selected, width }: PickerState, rows: number): Frame => {
    const number = numberOf(shown.length)
    if (selected !== shown.length) {
      // More than a row needs even of signs that are long to spell, less than all of a long paste.
      const label = words.isEmpty ? freeTextLabel : words.text.slice(0, 8 * width)
      return { lines: drawOption({ label }, { number, isSelected: false, width, style }).slice(0, 1) }
    }
    const { lines, cursor } = words.render({
      width,
      maxRows: Math.min(MOST_WRITTEN, rows),
      sign: CHOSEN_SIGN + number,
    })
    if (!words.isEmpty) return { lines, cursor }
    return { lines: [cutText((lines[0] ?? '') + style.dim(visible(freeTextLabel)), width)], cursor }
  }

  const drawList = (state: PickerState, rows: number): Frame => {
    const { shown, selected, width } = state
    if (isSearchable) {
      const isWriting = selected === shown.length
      const written = canType && (isWriting || rows > 1) ? drawWords(state, rows) : EMPTY
      const room = Math.max(0, rows - written.lines.length)
      if (shown.length === 0) return joined([{ lines: [style.dim(NOTHING)].slice(0, room) }, written])
      first = scrollTo(Math.min(selected, shown.length - 1), { first, rows: room, count: shown.length })
      const choices = shown.slice(first, first + room)
      return joined([{ lines: drawChoices(choices, { selected: selected - first, width, style }) }, written])
    }
    const column = Math.min(MOST_COLUMN, Math.max(0, ...shown.map(({ label }) => widthOf(visible(label)))))
    const blockOf = (index: number): Frame => {
      const item = shown[index]
      if (item === undefined) return drawWords(state, rows)
      const isSelected = index === selected
      return { lines: drawOption(item, { number: numberOf(index), isSelected, width, style, column }) }
    }
    const count = shown.length + (canType ? 1 : 0)
    first = scrollBlocks(selected, { first, rows, count, heightOf: (index) => blockOf(index).lines.length })
    const blocks: Frame[] = []
    for (let index = first, taken = 0; index < count && taken < rows; index += 1) {
      const block = blockOf(index)
      taken += block.lines.length
      blocks.push(block)
    }
    return joined(blocks)
  }

  return {
    render(state) {
      const { width, maxRows } = state
      const isWriting = canType && state.selected === state.shown.length
      const search =
        isSearchable && maxRows > 1 ? query.render({ width, maxRows: 1, sign: `${style.cyan('›')} ` }) : EMPTY
      const heading = linesOf(title, style.bold, width)
      const most = Math.max(0, maxRows - search.lines.length - LEAST_ROWS)
      const head = heading.length <= most ? heading : [...heading.slice(0, most - 1), '…'].slice(0, most)
      const rest = maxRows - search.lines.length - head.length
      const hints = linesOf(hint, style.dim, width)
      const foot = rest - hints.length >= LEAST_ROWS ? hints : []
      const room = rest - foot.length
      const list = drawList(state, room)
      const parts = [
        { lines: head },
        isWriting ? { lines: search.lines } : search,
        { ...list, lines: list.lines.slice(0, room) },
        { lines: foot },
      ]
      const { lines, cursor } = joined(parts)
      return { lines: lines.map((line) => cutText(line, width)), ...(cursor && { cursor }) }
    },
  }
}

const EMPTY: Frame = { lines: [] }

function linesOf(text: string, paint: (text: string) => string, width: number): string[] {
  if (text === '') return []
  return text.split('\n').flatMap((line) => wrapText(paint(visible(line)), width))
}

/** Parts below each other; the cursor is where it is in the part that has it. */
function joined(parts: readonly Frame[]): Frame {
  const lines: string[] = []
  let cursor: Frame['cursor']
  for (const part of parts) {
    if (part.cursor) cursor = { row: lines.length + part.cursor.row, column: part.cursor.column }
    lines.push(...part.lines)
  }
  return { lines, ...(cursor && { cursor }) }
}
