import type { Cell } from './emulator.ts'
import type { Pen } from './pen.ts'

/** Signs beside each other that look alike: they can be drawn as one text. */
export interface Run {
  readonly text: string
  readonly pen: Pen
  /** Where each sign stands. */
  readonly columns: readonly number[]
  /** All of it, in cells. */
  readonly width: number
}

interface OpenRun extends Run {
  text: string
  columns: number[]
  width: number
  /** Of one sign. */
  readonly step: number
}

/**
 * A row as runs. Blanks that show nothing end a run, but for a single one between two narrow words. Wide and narrow signs
 * do not share one: what draws it may know only where a run begins, and would drift.
 */
export function runsOf(cells: readonly Cell[]): Run[] {
  const runs: OpenRun[] = []
  let open: OpenRun | undefined
  for (const [column, { sign, pen }] of cells.entries()) {
    if (sign === '' || isEmpty(cells[column])) continue
    const width = cells[column + 1]?.sign === '' ? 2 : 1
    const gap = open === undefined ? 0 : column - ((open.columns[0] ?? 0) + open.width)
    const isNear = open !== undefined && open.step === width && gap < 2 / width
    if (open === undefined || !isNear || !isSame(open.pen, pen) || !isSimple(sign) || !isSimple(open.text)) {
      open = { text: sign, pen, columns: [column], width, step: width }
      runs.push(open)
      continue
    }
    if (gap === 1) {
      open.text += ' '
      open.columns.push(column - 1)
    }
    open.text += sign
    open.columns.push(column)
    open.width += gap + width
  }
  return runs
}

function isEmpty(cell: Cell | undefined): boolean {
  if (cell?.sign !== ' ') return cell === undefined
  const { ground, isInverse, isUnderlined } = cell.pen
  return ground === undefined && !isInverse && !isUnderlined
}

// What takes more than one code unit is drawn alone: an SVG counts units where a person counts signs.
function isSimple(text: string): boolean {
  return text.length === 1 || !/[\p{Mark}\p{Cf}\u{10000}-\u{10ffff}]/u.test(text)
}

function isSame(a: Pen, b: Pen): boolean {
  return a === b || (Object.keys(a) as (keyof Pen)[]).every((part) => a[part] === b[part])
}
