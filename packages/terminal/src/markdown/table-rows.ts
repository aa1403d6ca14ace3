import type { Align } from './piece.ts'

// With more of them it is no table that anybody could read.
const MOST_COLUMNS = 50

/** The cells of a row. A bar inside code does not part cells, as long as there are enough of them then. */
export function splitRow(line: string, columns = 0): string[] {
  const aware = splitAt(line, { knowsCode: true })
  return aware.length < columns ? splitAt(line, { knowsCode: false }) : aware
}

/** How the columns are aligned, if the line is the one between a table's head and its rows. */
export function readAligns(line: string): readonly Align[] | undefined {
  if (!line.includes('|') || !/^[\s|:-]+$/.test(line)) return undefined
  const cells = splitAt(line, { knowsCode: false })
  if (cells.length > MOST_COLUMNS) return undefined
  return cells.every((cell) => /^:?-+:?$/.test(cell)) ? cells.map(alignOf) : undefined
}

function alignOf(cell: string): Align {
  if (!cell.endsWith(':')) return 'left'
  return cell.startsWith(':') ? 'centre' : 'right'
}

function splitAt(line: string, { knowsCode }: { knowsCode: boolean }): string[] {
  const text = line.trim()
  const cells: string[] = []
  let cell = ''
  let at = text.startsWith('|') ? 1 : 0
  while (at < text.length) {
    const sign = text[at] ?? ''
    if (sign === '\\' && text[at + 1] === '|') {
      cell += '|'
      at += 2
    } else if (sign === '`' && knowsCode) {
      const end = endOfCode(text, at)
      cell += text.slice(at, end)
      at = end
    } else {
      if (sign === '|') {
        cells.push(cell.trim())
        cell = ''
      } else cell += sign
      at++
    }
  }
  // A bar at the end closes the last cell and opens none.
  if (cell.trim() !== '' || !text.endsWith('|') || cells.length === 0) cells.push(cell.trim())
  return cells
}

function endOfCode(text: string, at: number): number {
  let start = at
  while (text[start] === '`') start++
  const run = text.slice(at, start)
  const end = text.indexOf(run, start)
  return end < 0 ? start : end + run.length
}
