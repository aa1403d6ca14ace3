import { CHOSEN_SIGN, type Choice } from '../editor/choice-rows.ts'
import { visible } from '../editor/unsafe-signs.ts'
import type { TextStyle } from '../text-style.ts'
import { widthOf, wrapText } from '../width.ts'

interface OptionLook {
  readonly number: string
  readonly isSelected: boolean
  readonly width: number
  readonly style: TextStyle
  /** Where details begin, so that they stand under each other; those of longer labels begin behind them. */
  readonly column?: number
}

/** Draws a numbered option; what is too long for a row goes on below, indented. */
export function drawOption(
  { label, detail }: Choice,
  { number, isSelected, width, style, column = 0 }: OptionLook,
): string[] {
  const sign = isSelected ? CHOSEN_SIGN : ' '.repeat(CHOSEN_SIGN.length)
  const hasRoom = width >= sign.length + number.length + 4
  const indent = hasRoom ? sign.length + number.length : 0
  const room = Math.max(1, width - indent)
  const paint = isSelected ? style.inverse : (text: string) => text
  const labels = wrapText(visible(label), room)
  const rows = labels.map(paint)
  if (detail) {
    const shown = visible(detail)
    const taken = widthOf(labels[0] ?? '')
    const hasColumn = column + 2 + widthOf(shown) <= room
    const gap = ' '.repeat(2 + (hasColumn ? Math.max(0, column - taken) : 0))
    if (labels.length === 1 && taken + gap.length + widthOf(shown) <= room) rows[0] += gap + style.dim(shown)
    else rows.push(...wrapText(style.dim(shown), room))
  }
  const first = hasRoom ? sign + number : ''
  return rows.map((row, index) => (index === 0 ? first : ' '.repeat(indent)) + row)
}

/** Which blocks to begin with so that the selected one is seen whole, if that is possible; `first` is where it began before. */
export function scrollBlocks(
  selected: number,
  { first, rows, count, heightOf }: { first: number; rows: number; count: number; heightOf(index: number): number },
): number {
  let from = Math.min(first, selected, Math.max(0, count - 1))
  let taken = 0
  for (let index = from; index <= selected; index += 1) taken += heightOf(index)
  while (taken > rows && from < selected) {
    taken -= heightOf(from)
    from += 1
  }
  for (let index = selected + 1; index < count && taken < rows; index += 1) taken += heightOf(index)
  while (from > 0 && taken + heightOf(from - 1) <= rows) {
    from -= 1
    taken += heightOf(from)
  }
  return from
}
