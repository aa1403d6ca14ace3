import type { LineIndex } from './line-index.ts'

/** Rows of a file, the last not included. */
export interface Block {
  first: number
  end: number
}

/**
 * The block that the anchors name, one inside the other (`@@ class A`, `@@ run()`). It goes on to the next line that is no
 * further in than its first. An anchor that is not there, or more than once, names nothing.
 */
export function blockOf(anchors: readonly string[], index: LineIndex): Block | undefined {
  let block: Block = { first: 0, end: index.lines.length }
  for (const anchor of anchors) {
    const first = onlyRowIn(block, index.rowsOf(anchor, 'indentation'))
    if (first === undefined) return undefined
    block = { first, end: endOfBlock(index.lines, first) }
  }
  return block
}

function onlyRowIn({ first, end }: Block, rows: Iterable<number>): number | undefined {
  let only: number | undefined
  for (const row of rows) {
    if (row < first || row >= end) continue
    if (only !== undefined) return undefined
    only = row
  }
  return only
}

function endOfBlock(lines: readonly string[], first: number): number {
  const depth = indentOf(lines[first] ?? '')
  for (let row = first + 1; row < lines.length; row++) {
    const line = lines[row] ?? ''
    if (line.trim() === '' || indentOf(line) > depth) continue
    // What closes the block, or opens its body below the head, belongs to it.
    if (!/^\s*[)\]}{]/.test(line)) return row
  }
  return lines.length
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
