import type { TextStyle } from '../text-style.ts'
import { widthOf, wrapText } from '../width.ts'
import type { Part } from './piece.ts'

/** What stands before the rows of a block. */
export interface Prefix {
  /** Rows above it: marks for which there is no room beside it. */
  readonly above: readonly string[]
  readonly first: string
  readonly rest: string
  /** How many cells are left for the block itself. */
  readonly room: number
}

/**
 * Quotes have a bar and items their mark. They may take half of the width: beyond that the outer ones give way, so that
 * text nested deeply can still be read on a narrow terminal.
 */
export function prefixOf(parts: readonly Part[], { style, width }: { style: TextStyle; width: number }): Prefix {
  let room = width
  let first = ''
  let rest = ''
  let index = parts.length - 1
  for (; index >= 0; index--) {
    const part = parts[index]
    const mark = part?.kind === 'item' ? part.mark : '│'
    const cells = widthOf(mark) + 1
    if (room - cells < Math.ceil(width / 2)) break
    room -= cells
    const bar = `${style.dim(mark)} `
    const blanks = ' '.repeat(cells)
    first = (part?.kind === 'item' ? (part.isFirst ? `${mark} ` : blanks) : bar) + first
    rest = (part?.kind === 'item' ? blanks : bar) + rest
  }
  const lost = parts.slice(0, index + 1).flatMap((part) => (part.kind === 'item' && part.isFirst ? [part.mark] : []))
  return { above: lost.flatMap((mark) => wrapText(mark, width)), first, rest, room }
}
