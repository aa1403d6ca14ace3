/** The lines of a file as numbers, the same for equal lines, and where each number stands; flat, for files are long. */
export interface RowsById {
  readonly ids: Int32Array
  readonly counts: Int32Array
  /** By number, its first row; by row, the next row of the same number. */
  readonly firsts: Int32Array
  readonly nexts: Int32Array
}

const NONE = -1

export function groupRows(ids: Int32Array, size: number): RowsById {
  const counts = new Int32Array(size)
  const firsts = new Int32Array(size).fill(NONE)
  const nexts = new Int32Array(ids.length).fill(NONE)
  for (let row = ids.length - 1; row >= 0; row--) {
    const id = ids[row] ?? NONE
    nexts[row] = firsts[id] ?? NONE
    firsts[id] = row
    counts[id] = (counts[id] ?? 0) + 1
  }
  return { ids, counts, firsts, nexts }
}

/** The rows of one number, in order. */
export function* eachRow({ firsts, nexts }: RowsById, id: number): Generator<number> {
  for (let row = firsts[id] ?? NONE; row !== NONE; row = nexts[row] ?? NONE) yield row
}

/** The rows where these numbers stand one after the other, in order, at most so many. */
export function findRuns(
  wanted: Int32Array,
  { rows, most, spend }: { rows: RowsById; most: number; spend(steps: number): void },
): number[] {
  const { ids, counts, firsts, nexts } = rows
  const rarest = rarestOf(wanted, counts)
  const id = wanted[rarest] ?? NONE
  const candidates = counts[id] ?? 0
  // Few candidates are compared one by one; for many, as in a file of equal lines, one pass over all is cheaper.
  if (candidates * wanted.length > ids.length + wanted.length) {
    spend(ids.length)
    return findInOnePass(ids, wanted, most)
  }
  spend(candidates)
  const places: number[] = []
  for (let row = firsts[id] ?? NONE; row !== NONE && places.length < most; row = nexts[row] ?? NONE)
    if (isAt(ids, wanted, row - rarest)) places.push(row - rarest)
  return places
}

function rarestOf(wanted: Int32Array, counts: Int32Array): number {
  let rarest = 0
  for (let index = 1; index < wanted.length; index++)
    if ((counts[wanted[index] ?? NONE] ?? 0) < (counts[wanted[rarest] ?? NONE] ?? 0)) rarest = index
  return rarest
}

function isAt(ids: Int32Array, wanted: Int32Array, start: number): boolean {
  if (start < 0) return false
  for (let index = 0; index < wanted.length; index++) if (ids[start + index] !== wanted[index]) return false
  return true
}

// Knuth, Morris and Pratt: no row of the file is looked at twice, however often the lines repeat themselves.
function findInOnePass(ids: Int32Array, wanted: Int32Array, most: number): number[] {
  const back = new Int32Array(wanted.length)
  for (let index = 1, length = 0; index < wanted.length; index++) {
    while (length > 0 && wanted[index] !== wanted[length]) length = back[length - 1] ?? 0
    if (wanted[index] === wanted[length]) length++
    back[index] = length
  }
  const places: number[] = []
  for (let row = 0, length = 0; row < ids.length && places.length < most; row++) {
    while (length > 0 && ids[row] !== wanted[length]) length = back[length - 1] ?? 0
    if (ids[row] === wanted[length]) length++
    if (length === wanted.length) {
      places.push(row - length + 1)
      length = back[length - 1] ?? 0
    }
  }
  return places
}
