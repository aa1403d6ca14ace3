import type { Element } from './element.ts'
import { oneLine, type Rendering } from './inline-text.ts'

/** The cells of a table that are shown, row by row; those of tables in it are not among them. */
export function rowsOf(table: Element, rendering: Rendering): Element[][] {
  return elementsOf(table)
    .filter(rendering.isShown)
    .flatMap((element) => {
      if (['thead', 'tbody', 'tfoot'].includes(element.name)) return rowsOf(element, rendering)
      const cells = elementsOf(element).filter((cell) => CELLS.includes(cell.name) && rendering.isShown(cell))
      return element.name === 'tr' ? [cells] : []
    })
}

const CELLS = ['td', 'th']

/** The captions of a table. */
export function captionsOf(table: Element): Element[] {
  return elementsOf(table).filter(({ name }) => name === 'caption')
}

/** Rows as lines, with a rule below a row of headings. */
export function renderGrid(rows: Element[][], rendering: Rendering): string[] {
  return rows.flatMap((cells, index) => {
    const texts = cells.map((cell) => oneLine(cell.children, rendering).replaceAll('|', '\\|'))
    if (texts.every((text) => text === '')) return []
    const line = `| ${texts.join(' | ')} |`
    const isHead = index === 0 && cells.every(({ name }) => name === 'th')
    return isHead ? [line, `|${' --- |'.repeat(cells.length)}`] : [line]
  })
}

function elementsOf({ children }: Element): Element[] {
  return children.filter((node) => typeof node !== 'string')
}
