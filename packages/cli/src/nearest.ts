/** The candidate that was probably meant, or nothing when all are too far from what was written. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const candidate of candidates) {
    // Somebody who writes the beginning of a word means the word.
    const isBeginning = written.length >= 3 && candidate.startsWith(written)
    const distance = isBeginning ? 1 : editDistance(written.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Letters to insert, delete, replace or swap with their neighbour. */
export function editDistance(a: string, b: string): number {
  // A word this long is no typing mistake, and the table below grows with both lengths.
  if (Math.max(a.length, b.length) > 100) return Number.POSITIVE_INFINITY
  let older: number[] = []
  let old = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(old, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(replaced, at(old, j) + 1, at(row, j - 1) + 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) row[j] = Math.min(at(row, j), at(older, j - 2) + 1)
    }
    older = old
    old = row
  }
  return at(old, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
