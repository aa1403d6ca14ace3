import type { TextStyle } from '../text-style.ts'
import { cutText, widthOf } from '../width.ts'
import { visible } from './unsafe-signs.ts'

export const CHOSEN_SIGN = '› '

/** The first choice to show so that the selected one is seen: as before where possible. */
export function scrollTo(selected: number, { first, rows, count }: { first: number; rows: number; count: number }) {
  const lowest = Math.max(0, count - rows)
  if (selected < first) return Math.min(selected, lowest)
  if (selected >= first + rows) return Math.min(selected - rows + 1, lowest)
  return Math.min(first, lowest)
}

export interface Choice {
  readonly label: string
  readonly detail?: string
}

/** One row for each choice: the labels under each other, the details dim beside them, what is too long cut. */
export function drawChoices(
  choices: readonly Choice[],
  { selected, width, style }: { selected: number; width: number; style: TextStyle },
): string[] {
  const indent = width >= 8 ? CHOSEN_SIGN.length : 0
  const room = Math.max(1, width - indent)
  const labels = choices.map(({ label }) => visible(label))
  const widest = Math.max(0, ...labels.map(widthOf))
  const column = Math.min(widest, choices.some(({ detail }) => detail) ? Math.ceil(room * 0.6) : room)
  return choices.map(({ detail }, index) => {
    const label = cutText(labels[index] ?? '', Math.max(1, column))
    const isSelected = index === selected
    const sign = indent === 0 ? '' : isSelected ? CHOSEN_SIGN : ' '.repeat(indent)
    const gap = ' '.repeat(Math.max(0, column - widthOf(label)))
    const shown = sign + (isSelected ? style.inverse(label) : label)
    const left = room - column - 2
    return detail && left > 3 ? `${shown}${gap}  ${style.dim(cutText(visible(detail), left))}` : shown
  })
}
