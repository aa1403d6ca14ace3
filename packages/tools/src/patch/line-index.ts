import { keyOf, type Level } from './equality.ts'

/** Places where a hunk could begin are counted up to here; beyond, it is as ambiguous as it can be. */
export const MAX_PLACES = 500

/** Line comparisons that one patch may cost: seconds of work, far above what real patches need. */
const MAX_STEPS = 100_000_000

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
  /** Rows of the lines that are equal to this one. */
  rowsOf(line: string, level: Level): readonly number[]
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
  return {
    lines,
    find(pattern, level) {
      if (pattern.length === 0 || pattern.length > lines.length) return []
      budget.spend(pattern.length)
      const { ids, rows, idOf } = at(level)
      const wanted = pattern.map((line) => idOf.get(keyOf(level, line)) ?? -1)
      const rarest = rarestOf(wanted, rows)
      if (rarest === undefined) return []
      const candidates = rows[wanted[rarest] ?? -1] ?? []
      budget.spend(candidates.length)
      // Few candidates are compared one by one; for many, as in a file of equal lines, one pass over all is cheaper.
      if (candidates.length * wanted.length <= lines.length + wanted.length)
        return candidates.map((row) => row - rarest).filter((start) => isAt(ids, wanted, start))
      budget.spend(lines.length)
      return findInOnePass(ids, wanted)
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
      return rows[idOf.get(keyOf(level, line)) ?? -1] ?? []
    },
  }
}

interface Keyed {
  ids: Int32Array
  idOf: Map<string, number>
  /** By id. */
  rows: number[][]
}

function keyLines(lines: readonly string[], level: Level): Keyed {
  const idOf = new Map<string, number>()
  const rows: number[][] = []
  const ids = new Int32Array(lines.length)
  for (const [row, line] of lines.entries()) {
    const key = keyOf(level, line)
    let id = idOf.get(key)
    if (id === undefined) {
      id = rows.length
      idOf.set(key, id)
      rows.push([])
    }
    ids[row] = id
    rows[id]?.push(row)
  }
  return { ids, idOf, rows }
}

function rarestOf(wanted: readonly number[], rows: readonly number[][]): number | undefined {
  let rarest: number | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const [index, id] of wanted.entries()) {
    const count = rows[id]?.length
    if (count === undefined) return undefined
    if (count < fewest) {
      rarest = index
      fewest = count
    }
  }
  return rarest
}

function isAt(ids: Int32Array, wanted: readonly number[], start: number): boolean {
  if (start < 0) return false
  return wanted.every((id, index) => ids[start + index] === id)
}

// Knuth, Morris and Pratt: no row of the file is looked at twice, however often the lines repeat themselves.
function findInOnePass(ids: Int32Array, wanted: readonly number[]): number[] {
  const back = new Int32Array(wanted.length)
  for (let index = 1, length = 0; index < wanted.length; index++) {
    while (length > 0 && wanted[index] !== wanted[length]) length = back[length - 1] ?? 0
    if (wanted[index] === wanted[length]) length++
    back[index] = length
  }
  const places: number[] = []
  for (let row = 0, length = 0; row < ids.length && places.length < MAX_PLACES; row++) {
    while (length > 0 && ids[row] !== wanted[length]) length = back[length - 1] ?? 0
    if (ids[row] === wanted[length]) length++
    if (length === wanted.length) {
      places.push(row - length + 1)
      length = back[length - 1] ?? 0
    }
  }
  return places
}
