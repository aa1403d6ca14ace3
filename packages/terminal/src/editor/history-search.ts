import type { Entry } from './input-history.ts'
import { CHIP } from './paste-chips.ts'
import type { Position } from './text-buffer.ts'

/** Looking for an earlier text by a part of it, newest first. */
export interface HistorySearch {
  readonly query: string
  readonly found: { readonly entry: Entry; readonly at: Position } | undefined
  /** Nothing (more) was found for what was last asked; `found` is still what was found before. */
  readonly hasFailed: boolean
  type(text: string): void
  erase(query: string): void
  older(): void
  newer(): void
}

// Whoever looks for a prompt remembers how it began, not what was pasted far down in it.
const LOOKED_AT = 10_000

export function createHistorySearch(entries: readonly Entry[]): HistorySearch {
  let query = ''
  let index = entries.length
  let found: HistorySearch['found']
  let hasFailed = false

  const look = (from: number, step: -1 | 1) => {
    const wanted = query.toLowerCase()
    hasFailed = false
    if (wanted === '') return
    for (let at = from; at >= 0 && at < entries.length; at += step) {
      const entry = entries[at]
      const place = entry === undefined ? -1 : searched(entry).indexOf(wanted)
      if (entry === undefined || place < 0) continue
      index = at
      found = { entry, at: positionAt(entry.source, place) }
      return
    }
    hasFailed = true
  }

  const different = (from: number, step: -1 | 1) => {
    let at = from + step
    while (at >= 0 && at < entries.length && entries[at]?.source === found?.entry.source) at += step
    return at
  }

  return {
    get query() {
      return query
    },
    get found() {
      return found
    },
    get hasFailed() {
      return hasFailed
    },
    type(text) {
      query += text
      look(Math.min(index, entries.length - 1), -1)
    },
    erase(shorter) {
      query = shorter
      found = undefined
      index = entries.length
      look(entries.length - 1, -1)
    },
    older: () => look(different(index, -1), -1),
    newer: () => look(different(index, 1), 1),
  }
}

// The number in a chip is not a part of what was written; what replaces it is as long, so that places stay right.
function searched({ source }: Entry): string {
  return source
    .slice(0, LOOKED_AT)
    .replace(CHIP, (chip) => '\uFDD0'.repeat(chip.length))
    .toLowerCase()
}

function positionAt(source: string, place: number): Position {
  const before = source.slice(0, place)
  const line = before.split('\n').length - 1
  return { line, offset: place - (before.lastIndexOf('\n') + 1) }
}
