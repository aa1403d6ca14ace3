import { cellsOf } from './cells.ts'

/**
 * In which row, counted from the first of the line, a column stands after the terminal has wrapped the line anew. Behind
 * the last sign it is the row of that sign. Terminals differ there, and this is the lower number: too few rows cleared
 * leave a trace, too many would eat what was printed before.
 */
export function rowAfterReflow(line: string, columns: number, column = Number.POSITIVE_INFINITY): number {
  let row = 0
  let taken = 0
  let passed = 0
  for (const width of cellsOf(line, column).widths) {
    if (width <= 0) continue
    if (taken + width > columns && taken > 0) {
      row++
      taken = 0
    }
    taken += width
    passed += width
    if (passed > column) break
  }
  return row
}
