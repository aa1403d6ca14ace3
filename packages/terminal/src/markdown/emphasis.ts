import type { Flanking } from './flanking.ts'
import { MARKS } from './span.ts'

/** A run of `*`, `_` or `~` that may turn out to mean something. */
export interface Delimiter extends Flanking {
  /** Its place among the nodes of the text. */
  readonly node: number
  readonly sign: string
  /** How long it was written. */
  readonly length: number
  /** How many of its signs mean nothing yet. */
  left: number
}

/** A mark on the nodes from `first` up to, not including, `end`. */
export interface Range {
  readonly first: number
  readonly end: number
  readonly mark: number
}

/** What the runs mean, and those that still wait for an end. */
export interface Pairing {
  readonly ranges: readonly Range[]
  readonly open: readonly Delimiter[]
}

/**
 * Pairs the runs as CommonMark does, the earliest closing one first. What has been looked for in vain is not looked for
 * again, so that the time is linear.
 */
export function pairDelimiters(delimiters: readonly Delimiter[]): Pairing {
  const ranges: Range[] = []
  const open: Delimiter[] = []
  const floors = new Map<string, number>()
  for (const closer of delimiters) {
    while (closer.canClose && closer.left > 0) {
      const key = `${closer.sign}${closer.canOpen}${closer.length % 3}`
      const at = findOpener(open, closer, floors.get(key) ?? 0)
      const opener = open[at]
      if (opener === undefined) {
        floors.set(key, open.length)
        break
      }
      ranges.push(pair(opener, closer))
      // Whatever stands between the two is inside, and finds nothing any more.
      open.length = opener.left > 0 ? at + 1 : at
      for (const [name, floor] of floors) if (floor > open.length) floors.set(name, open.length)
    }
    if (closer.canOpen && closer.left > 0) open.push(closer)
  }
  return { ranges, open }
}

function findOpener(open: readonly Delimiter[], closer: Delimiter, floor: number): number {
  for (let at = open.length - 1; at >= floor; at--) {
    const opener = open[at]
    if (opener !== undefined && opener.sign === closer.sign && canPair(opener, closer)) return at
  }
  return -1
}

// `*a**b*` is one emphasis around `a**b`: a run that could do both needs a partner whose length adds up otherwise.
function canPair(opener: Delimiter, closer: Delimiter): boolean {
  if (!opener.canClose && !closer.canOpen) return true
  return (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0)
}

function pair(opener: Delimiter, closer: Delimiter): Range {
  // There is no colour for struck text, so its signs stay and stand inside.
  if (closer.sign === '~') {
    opener.left = 0
    closer.left = 0
    return { first: opener.node, end: closer.node + 1, mark: MARKS.strike }
  }
  const used = opener.left >= 2 && closer.left >= 2 ? 2 : 1
  opener.left -= used
  closer.left -= used
  return { first: opener.node + 1, end: closer.node, mark: used === 2 ? MARKS.strong : MARKS.emphasis }
}
