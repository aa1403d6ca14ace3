import { splitAtEllipsis } from './ellipsis.ts'
import { agreesWithHint } from './hint.ts'
import { countLines } from './hunk-lines.ts'
import type { LineIndex } from './line-index.ts'
import { withoutLineNumbers } from './line-numbers.ts'
import { locateHunk, type Sighting } from './locate-hunk.ts'
import type { Hunk } from './patch.ts'
import { contextAround } from './reading.ts'

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
  const start = ({ hunk }: { hunk: Hunk }) => hunk.header?.oldStart ?? 0
  let offset = 0
  const seen = new Map<Hunk, Sighted>()
  for (const part of parts.toSorted((a, b) => start(a) - start(b))) {
    const sighting = locateHunk(part.hunk, index, offset)
    seen.set(part.hunk, { ...part, sighting, offset })
    // What is applied already has moved all that follows, so that their old numbers are wrong by as much.
    const lines = countLines(part.hunk.lines)
    if (sighting.kind === 'applied' && part.hunk.header) offset += lines.new - lines.old
  }
  return checkOrder(checkNumbers(parts.flatMap(({ hunk }) => seen.get(hunk) ?? [])))
}

// The parts of one hunk follow each other as they were written.
function checkOrder(seen: readonly Sighted[]): Sighted[] {
  let before: Sighted | undefined
  return seen.map((one) => {
    const isPart = one.hasEllipsis && before?.hunk.number === one.hunk.number
    const above = isPart && before?.sighting.kind === 'placed' ? before.sighting.match.start : 0
    before = one
    if (one.sighting.kind !== 'placed' || one.sighting.match.start >= above) return one
    return notPlaced(one, one.sighting)
  })
}

function partsOf(written: Hunk, index: LineIndex): { hunk: Hunk; hasEllipsis: boolean }[] {
  // Some files have such lines themselves.
  const isThere = (hunk: Hunk) => locateHunk(hunk, index).kind !== 'not-found'
  const bare = withoutLineNumbers(written)
  const hunk = bare.length === 0 || isThere(written) ? written : (bare.find((one) => isExact(one, index)) ?? written)
  const parts = splitAtEllipsis(hunk)
  if (!parts || isThere(hunk)) return [{ hunk, hasEllipsis: false }]
  return parts.map((part) => ({ hunk: part, hasEllipsis: true }))
}

function isExact(hunk: Hunk, index: LineIndex): boolean {
  const sighting = locateHunk(hunk, index)
  return sighting.kind === 'placed' && ['exact', 'trailing-space'].includes(sighting.match.level)
}

// Numbers may choose among places only where nothing else in this file shows that they are wrong; and not for a change
// that stands directly at a `...`, for then nobody can tell whether it is there already.
function checkNumbers(seen: readonly Sighted[]): Sighted[] {
  const areWrong = seen.some(
    ({ hunk, sighting, offset }) =>
      sighting.kind === 'placed' &&
      sighting.others.length === 0 &&
      agreesWithHint(hunk, sighting.match, offset) === false,
  )
  return seen.map((one): Sighted => {
    const { sighting, hasEllipsis, hunk } = one
    if (sighting.kind !== 'placed' || sighting.others.length === 0) return one
    const { lead, trail } = contextAround(sighting.match.reading)
    const isOpen = hasEllipsis && (hunk.lastLine ? lead : trail) === 0
    if (!areWrong && !isOpen) return one
    return notPlaced(one, sighting)
  })
}

function notPlaced(one: Sighted, { match, others }: Extract<Sighting, { kind: 'placed' }>): Sighted {
  const rows = [match.start, ...others].sort((a, b) => a - b)
  return { ...one, sighting: { kind: 'ambiguous', rows, readings: [match.reading], cause: 'numbers-disagree' } }
}
