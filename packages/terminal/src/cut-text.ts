import { widthOf } from './cell-width.ts'
import { cellsOf } from './cells.ts'
import { trackStyles } from './open-styles.ts'

/** The text, or as much of it as fits beside the mark, with every style closed behind the mark. */
export function cutText(text: string, width: number, mark = '…'): string {
  // Nothing is wider than two cells for each UTF-16 unit.
  if (text.length * 2 <= width || widthOf(text) <= width) return text
  const markWidth = widthOf(mark)
  if (markWidth > width) return cutText(mark, width, '')
  const { pieces, widths } = cellsOf(text, width)
  const styles = trackStyles()
  let room = width - markWidth
  let cut = ''
  for (const [i, piece] of pieces.entries()) {
    const cells = widths[i] ?? 0
    if (cells < 0) styles.apply(piece)
    else if (cells > room) break
    else room -= cells
    cut += piece
  }
  return cut + mark + styles.closing
}
