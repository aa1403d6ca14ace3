import type { Sighting, Witness } from './engine.ts'
import { byWorth, isNamedAfter } from './rank.ts'

/** Counts all that an engine sees, and keeps the most promising of it. */
export interface Candidates extends Witness {
  readonly total: { matches: number; lines: number; files: number }
  /** The best of those that were kept, as far as can be said without looking into them. */
  best(limit: number): Sighting[]
}

// Ordering all of a hundred thousand files would take longer than finding them.
const KEPT = 500

type Kept = { sighting: Sighting; isNamed: boolean }

/**
 * Of more files than `KEPT` those remain that are named after the query, then those with the most matching lines, then
 * the first by path: the same ones in whatever order an engine sees them.
 */
export function createCandidates(query: string, accepts: (path: string) => boolean): Candidates {
  const isNamed = isNamedAfter(query)
  const total = { matches: 0, lines: 0, files: 0 }
  let kept: Kept[] = []
  let worst: Kept | undefined
  return {
    total,
    see(path, matches, lines) {
      if (!accepts(path)) return false
      total.matches += matches
      total.lines += lines
      total.files++
      if (worst === undefined) return true
      const least = worst.sighting
      return lines > least.lines || (lines === least.lines && path < least.path) || isNamed(path)
    },
    keep(sighting) {
      kept.push({ sighting, isNamed: isNamed(sighting.path) })
      if (kept.length < 2 * KEPT) return
      kept = kept.sort(byPromise).slice(0, KEPT)
      worst = kept.at(-1)
    },
    best: (limit) =>
      kept
        .sort(byPromise)
        .slice(0, KEPT)
        .map(({ sighting }) => ({ sighting, path: sighting.path, lines: sighting.lines, ...UNKNOWN }))
        .sort(byWorth(query))
        .slice(0, limit)
        .map(({ sighting }) => sighting),
  }
}

const UNKNOWN = { hasDefinition: false, hasWord: true }

function byPromise(a: Kept, b: Kept): number {
  if (a.isNamed !== b.isNamed) return a.isNamed ? -1 : 1
  return b.sighting.lines - a.sighting.lines || (a.sighting.path < b.sighting.path ? -1 : 1)
}
