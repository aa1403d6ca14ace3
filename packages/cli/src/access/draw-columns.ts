import { displayWidth, padTo } from '../terminal/width.ts'

/** Rows of cells as lines whose columns stand below each other. */
export function drawColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) => padTo(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
