/** Texts that were sent before, to go through while something else is being written. */
export interface InputHistory {
  /** Oldest first. */
  readonly entries: readonly Entry[]
  add(source: string): void
  /** Older than all that is there. */
  addEarlier(sources: readonly string[]): void
  /**
   * One step to older (-1) or newer (1) texts; nothing when there is none. The text under way, a draft or a changed
   * entry, stays where it is left and is found there again.
   */
  go(by: -1 | 1, current: string): string | undefined
  jumpTo(entry: Entry, current: string): string
  /** The text was sent or thrown away: everything is as it was remembered, and the next draft is empty. */
  leave(): void
}

export interface Entry {
  readonly source: string
}

const MOST = 1000

export function createInputHistory(sources: readonly string[]): InputHistory {
  const entries: Entry[] = sources.slice(-MOST).map((source) => ({ source }))
  // Where one stands; nothing is the draft, newer than all.
  let here: Entry | undefined
  let changed = new Map<Entry | undefined, string>()

  const jumpTo = (to: Entry | undefined, current: string) => {
    changed.set(here, current)
    here = to
    return changed.get(to) ?? to?.source ?? ''
  }

  return {
    entries,
    add(source) {
      if (source.trim() === '' || entries.at(-1)?.source === source) return
      entries.push({ source })
      if (entries.length > MOST) entries.shift()
    },
    addEarlier(sources) {
      const room = MOST - entries.length
      if (room > 0) entries.unshift(...sources.slice(-room).map((source) => ({ source })))
    },
    go(by, current) {
      const at = here === undefined ? entries.length : entries.indexOf(here)
      const next = at + by
      return next < 0 || next > entries.length ? undefined : jumpTo(entries[next], current)
    },
    jumpTo,
    leave() {
      here = undefined
      changed = new Map()
    },
  }
}
