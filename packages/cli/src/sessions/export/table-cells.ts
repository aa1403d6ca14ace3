export type Align = 'left' | 'right' | 'centre'

/** The cells of a row of a table; a bar behind a backslash is a sign like any other. */
export function splitRow(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  const row = line.trim()
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at++) {
    const sign = row[at] ?? ''
    if (sign === '\\' && row[at + 1] === '|') {
      cell += '|'
      at++
    } else if (sign === '|') {
      cells.push(cell.trim())
      cell = ''
    } else cell += sign
  }
  if (cell.trim() !== '' || !row.endsWith('|')) cells.push(cell.trim())
  return cells
}

/** What the line below a table's first row says of its columns; nothing where it is none. */
export function readAligns(line: string): Align[] | undefined {
  if (!line.includes('|') || !/^[\s|:-]+$/.test(line)) return undefined
  const cells = splitRow(line)
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined
  return cells.map((cell) => (cell.endsWith(':') ? (cell.startsWith(':') ? 'centre' : 'right') : 'left'))
}
