import type { Match } from './match.ts'
import { rowOf } from './match.ts'

/** Rows of a file that are replaced by other lines; a pure insertion removes none. */
export interface Edit {
  at: number
  remove: number
  insert: string[]
}

/**
 * What a hunk does at its place. Nothing, if lines are added where one of the file is missing in the patch: they could
 * go before it, behind it, or on both sides.
 */
export function editsOf(match: Match, added: readonly string[]): Edit[] | undefined {
  const { lines } = match.reading
  const edits: Edit[] = []
  let edit: Edit | undefined
  let old = 0
  let nextAdded = 0
  const open = (at: number): Edit => {
    edit = { at, remove: 0, insert: [] }
    edits.push(edit)
    return edit
  }
  for (const { sign } of lines) {
    if (sign === '+') {
      if (old > 0 && old === match.gap) return undefined
      const at = edit ? edit.at + edit.remove : placeOfAdded(match, old)
      edit ??= open(at)
      edit.insert.push(added[nextAdded++] ?? '')
      continue
    }
    const row = rowOf(match, old++)
    if (sign === ' ' || (edit && edit.at + edit.remove !== row)) edit = undefined
    if (sign === ' ') continue
    edit ??= open(row)
    edit.remove++
  }
  return edits
}

function placeOfAdded(match: Match, old: number): number {
  return old === 0 ? match.start : rowOf(match, old - 1) + 1
}
