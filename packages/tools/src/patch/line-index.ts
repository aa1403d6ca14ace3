import { foldedSigns, keyOf, type Level } from './equality.ts'
import { eachRow, findRuns, groupRows, type RowsById } from './find-runs.ts'
import { type IndentKind, isStyleOf } from './indent-style.ts'

/** Places where a hunk could begin are counted up to here; beyond, it is as ambiguous as it can be. */
export const MAX_PLACES = 500

/** Line comparisons that one patch may cost: a second of work, far above what real patches need. */
const MAX_STEPS = 50_000_000

/** Thrown when a patch would cost more than it may; whoever plans the patch says so. */
export class TooMuchWork extends Error {}

/** What may still be spent on one patch. */
export interface Budget {
  spend(steps: number): void
}

export function createBudget(steps = MAX_STEPS): Budget {
  let left = steps
  return {
    spend(cost) {
      left -= cost
      if (left < 0) throw new TooMuchWork('too many comparisons')
    },
  }
}

/** The lines of a file, made ready to be searched at each level of equality. */
export interface LineIndex {
  readonly lines: readonly string[]
  /** All places where these lines stand one after the other, up to `MAX_PLACES`. */
  find(pattern: readonly string[], level: Level): number[]
  /** How many of these lines stand there from `start` on before the first that differs. */
  matching(pattern: readonly string[], level: Level, start: number): number
  /** Rows of the lines that are equal to this one, in order. */
  rowsOf(line: string, level: Level): Iterable<number>
  /** How many there are. */
  countOf(line: string, level: Level): number
  /** Whether the file is indented like that, more than once or twice. */
  isIndentedWith(kind: IndentKind): boolean
  /** Whether this sign, one that is folded, stands anywhere in the file. */
  hasSign(sign: string): boolean
}

export function createLineIndex(lines: readonly string[], budget: Budget): LineIndex {
  const keyed = new Map<Level, Keyed>()
  const at = (level: Level): Keyed => {
    let found = keyed.get(level)
    if (!found) {
      budget.spend(lines.length)
      found = keyLines(lines, level)
      keyed.set(level, found)
    }
    return found
  }
  const styles = new Map<IndentKind, boolean>()
  let signs: Set<string> | undefined
  return {
    lines,
    find(pattern, level) {
      if (pattern.length === 0 || pattern.length > lines.length) return []
      budget.spend(pattern.length)
      const { idOf, rows } = at(level)
      const wanted = new Int32Array(pattern.length)
      for (const [at, line] of pattern.entries()) {
        const id = idOf.get(keyOf(level, line))
        if (id === undefined) return []
        wanted[at] = id
      }
      return findRuns(wanted, { rows, most: MAX_PLACES, spend: budget.spend })
    },
    matching(pattern, level, start) {
      let count = 0
      while (count < pattern.length) {
        const line = lines[start + count]
        if (line === undefined || keyOf(level, line) !== keyOf(level, pattern[count] ?? '')) break
        count++
      }
      budget.spend(count + 1)
      return count
    },
    rowsOf(line, level) {
      const { idOf, rows } = at(level)
      return eachRow(rows, idOf.get(keyOf(level, line)) ?? -1)
    },
    countOf(line, level) {
      const { idOf, rows } = at(level)
      return rows.counts[idOf.get(keyOf(level, line)) ?? -1] ?? 0
    },
    isIndentedWith(kind) {
      const isStyle = styles.get(kind) ?? isStyleOf(kind, lines)
      styles.set(kind, isStyle)
      return isStyle
    },
    hasSign(sign) {
      signs ??= foldedSigns(lines)
      return signs.has(sign)
    },
  }
}

interface Keyed {
  idOf: Map<string, number>
  rows: RowsById
}

function keyLines(lines: readonly string[], level: Level): Keyed {
  const idOf = new Map<string, number>()
  const ids = new Int32Array(lines.length)
  for (const [row, line] of lines.entries()) {
    const key = keyOf(level, line)
    const id = idOf.get(key) ?? idOf.size
    if (id === idOf.size) idOf.set(key, id)
    ids[row] = id
  }
  return { idOf, rows: groupRows(ids, idOf.size) }
}
