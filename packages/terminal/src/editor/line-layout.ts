import type { TextStyle } from '../text-style.ts'
import { cutText, widthOf } from '../width.ts'
import { type Step, stepsOf, TAB_WIDTH } from './steps.ts'
import type { Line } from './text-buffer.ts'

/** A line as it lies on rows of a certain width. */
export interface LineLayout {
  readonly steps: readonly Step[]
  /** The column of each step in its row. */
  readonly columns: readonly number[]
  /** The index of each row's first step, rising; the first is 0. */
  readonly rows: readonly number[]
  /** Where the next letter at the end of the line would stand. */
  readonly end: { readonly row: number; readonly column: number }
}

export interface Place {
  readonly row: number
  readonly column: number
}

export interface LineLayouts {
  stepsOf(line: Line): readonly Step[]
  of(line: Line, width: number): LineLayout
}

/** Lays lines out and remembers it for as long as they live: a key costs one line, not the text. */
export function createLineLayouts(labelOf: (chip: number) => string): LineLayouts {
  const stepsByLine = new WeakMap<Line, readonly Step[]>()
  const layouts = new WeakMap<Line, { width: number; layout: LineLayout }>()
  const stepsFor = (line: Line) => {
    const known = stepsByLine.get(line)
    if (known !== undefined) return known
    const steps = stepsOf(line.text, labelOf)
    stepsByLine.set(line, steps)
    return steps
  }
  return {
    stepsOf: stepsFor,
    of(line, width) {
      const known = layouts.get(line)
      if (known?.width === width) return known.layout
      const layout = layOut(stepsFor(line), width)
      layouts.set(line, { width, layout })
      return layout
    },
  }
}

/**
 * Words stay whole where they can; between wide signs, chips and the like a row may end anywhere. Blanks that no longer
 * fit hang over the end of their row and take no room: column `width` is kept free, so that the cursor can stand there.
 */
export function layOut(steps: readonly Step[], width: number): LineLayout {
  const columns: number[] = []
  const rows = [0]
  let rowStart = 0
  let column = 0
  // The latest step of this row that could begin the next one.
  let breakAt = 0
  for (const [index, step] of steps.entries()) {
    const isLoose = step.width > 1 || step.kind !== 'letter'
    if (step.kind === 'blank' && column >= width) {
      columns.push(column)
      breakAt = index + 1
      continue
    }
    if (isLoose && step.kind !== 'blank') breakAt = index
    if (column + widthIn(step, { column, width }) > width) {
      rowStart = breakAt > rowStart ? breakAt : index
      rows.push(rowStart)
      column = 0
      for (let moved = rowStart; moved < index; moved += 1) {
        columns[moved] = column
        column += steps[moved]?.width ?? 0
      }
    }
    columns.push(column)
    column += widthIn(step, { column, width })
    if (isLoose) breakAt = index + 1
  }
  const isWordMoved = breakAt > rowStart && breakAt < steps.length
  if (column < width || isWordMoved) return { steps, columns, rows, end: { row: rows.length - 1, column } }
  rows.push(steps.length)
  return { steps, columns, rows, end: { row: rows.length - 1, column: 0 } }
}

/** What a step takes in a row: tabs reach to the next stop, and nothing is wider than the row. */
function widthIn(step: Step, { column, width }: { column: number; width: number }): number {
  if (step.kind !== 'tab') return Math.min(step.width, width)
  if (column >= width) return 1
  return Math.min(TAB_WIDTH - (column % TAB_WIDTH), width - column)
}

/** The index of the step that begins at the offset, or that the offset is in; behind the last one their number. */
export function indexAt(steps: readonly Step[], offset: number): number {
  return lastNotAbove(steps, (step) => step.end <= offset) + 1
}

/** Where an offset is seen. */
export function placeOf({ steps, columns, rows, end }: LineLayout, offset: number): Place {
  const index = indexAt(steps, offset)
  if (index >= steps.length) return end
  return { row: lastNotAbove(rows, (first) => first <= index), column: columns[index] ?? 0 }
}

/** The offset in a row that is nearest to a column, not right of it. */
export function offsetNear({ steps, columns, rows, end }: LineLayout, { row, column }: Place): number {
  const first = rows[row] ?? 0
  const next = rows[row + 1]
  const lineEnd = steps.at(-1)?.end ?? 0
  if (next === undefined && column >= end.column) return lineEnd
  let index = first
  const last = (next ?? steps.length) - 1
  while (index < last && (columns[index + 1] ?? 0) <= column) index += 1
  return steps[index]?.at ?? lineEnd
}

/** Draws one row; `isMarked` says which steps are to stand out. */
export function drawRow(
  layout: LineLayout,
  row: number,
  { width, style, isMarked }: { width: number; style: TextStyle; isMarked?: ((step: Step) => boolean) | undefined },
): string {
  const { steps, columns, rows } = layout
  let drawn = ''
  let plain = ''
  for (let index = rows[row] ?? 0; index < (rows[row + 1] ?? steps.length); index += 1) {
    const step = steps[index]
    const column = columns[index] ?? 0
    if (step === undefined || (step.kind === 'blank' && column >= width)) continue
    const shown = shownIn(step, { column, width })
    const paint = isMarked?.(step)
      ? style.underline
      : step.kind === 'chip'
        ? style.cyan
        : step.kind === 'control'
          ? style.dim
          : undefined
    if (paint === undefined) plain += shown
    else {
      drawn += plain + paint(shown)
      plain = ''
    }
  }
  return drawn + plain
}

function shownIn(step: Step, room: { column: number; width: number }): string {
  const width = widthIn(step, room)
  if (step.kind === 'tab') return ' '.repeat(width)
  if (step.width <= width) return step.shown
  const cut = cutText(step.shown, width)
  return cut + ' '.repeat(Math.max(0, width - widthOf(cut)))
}

/** The last index for which it holds, when it holds for a beginning of the list; -1 when for none. */
function lastNotAbove<T>(list: readonly T[], holds: (value: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const value = list[middle]
    if (value !== undefined && holds(value)) low = middle + 1
    else high = middle
  }
  return low - 1
}
