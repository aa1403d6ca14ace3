import { splitAtEllipsis } from './ellipsis.ts'
import { agreesWithHint } from './hint.ts'
import { countLines } from './hunk-lines.ts'
import type { LineIndex } from './line-index.ts'
import { locateHunk, type Sighting } from './locate-hunk.ts'
import type { Hunk } from './patch.ts'

/** A hunk, or the part of one between two `...`, and where it was seen. */
export interface Sighted {
  readonly hunk: Hunk
  readonly sighting: Sighting
  readonly offset: number
  readonly hasEllipsis: boolean
}

/** Looks for all hunks of a file, and lets what is known of one decide about the others. */
export function placeHunks(hunks: readonly Hunk[], index: LineIndex): Sighted[] {
  const parts = hunks.flatMap((hunk) => partsOf(hunk, index))
  const first = parts.map((part) => ({ ...part, sighting: locateHunk(part.hunk, index), offset: 0 }))
  if (!first.some(({ sighting }) => sighting.kind === 'applied')) return checkNumbers(first)
  // What is applied already has moved the rest, so that their old numbers are wrong by as much.
  const movedBy = offsetsOf(first)
  const second = first.map((seen) => {
    if (seen.sighting.kind === 'applied') return seen
    const offset = movedBy(seen.hunk)
    return offset === 0 ? seen : { ...seen, offset, sighting: locateHunk(seen.hunk, index, offset) }
  })
  return checkNumbers(second)
}

function partsOf(hunk: Hunk, index: LineIndex): { hunk: Hunk; hasEllipsis: boolean }[] {
  const parts = splitAtEllipsis(hunk)
  // Some files have such lines themselves.
  if (!parts || locateHunk(hunk, index).kind !== 'not-found') return [{ hunk, hasEllipsis: false }]
  return parts.map((part) => ({ hunk: part, hasEllipsis: true }))
}

function offsetsOf(seen: readonly Sighted[]): (hunk: Hunk) => number {
  const applied = seen
    .flatMap(({ hunk, sighting }) =>
      sighting.kind === 'applied' && hunk.header ? [{ hunk, at: hunk.header.oldStart }] : [],
    )
    .sort((a, b) => a.at - b.at)
  const starts: number[] = []
  const sums = [0]
  for (const { hunk, at } of applied) {
    const lines = countLines(hunk.lines)
    starts.push(at)
    sums.push((sums.at(-1) ?? 0) + lines.new - lines.old)
  }
  return ({ header }) => {
    if (!header) return 0
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) < header.oldStart) low = middle + 1
      else high = middle
    }
    return sums[low] ?? 0
  }
}

// Numbers may choose among places only where nothing else in this file shows that they are wrong.
function checkNumbers(seen: readonly Sighted[]): Sighted[] {
  const areWrong = seen.some(
    ({ hunk, sighting, offset }) =>
      sighting.kind === 'placed' &&
      sighting.others.length === 0 &&
      agreesWithHint(hunk, sighting.match, offset) === false,
  )
  if (!areWrong) return [...seen]
  return seen.map((one): Sighted => {
    const { sighting } = one
    if (sighting.kind !== 'placed' || sighting.others.length === 0) return one
    const rows = [sighting.match.start, ...sighting.others].sort((a, b) => a - b)
    return {
      ...one,
      sighting: { kind: 'ambiguous', rows, readings: [sighting.match.reading], cause: 'numbers-disagree' },
    }
  })
}
