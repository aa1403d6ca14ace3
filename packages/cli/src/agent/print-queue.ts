type Render = (width: number) => string[]

/** Blocks that wait to be printed, with an empty line between those of different groups. */
export interface PrintQueue {
  add(group: string, render: Render): void
  /** Everything that waits, once. Nothing while the past is being read: its end is what counts. */
  take(width: number): string[]
  /** Whether something of another group came last, so that an empty line is due. */
  isApart(group: string): boolean
  /** From now on blocks belong to what was there before; only the last of them are kept. */
  readPast(): void
  endPast(): void
  clear(): void
}

// What a person scrolls through when a session is opened again; "replay" shows all of it.
const PAST_BLOCKS = 60

export function createPrintQueue(tellEarlier: (count: number) => string): PrintQueue {
  let blocks: { group: string; render: Render }[] = []
  let isReadingPast = false
  let dropped = 0
  let last: string | undefined
  return {
    add(group, render) {
      blocks.push({ group, render })
      if (!isReadingPast || blocks.length <= PAST_BLOCKS) return
      blocks.shift()
      dropped++
    },
    take(width) {
      if (isReadingPast) return []
      const lines: string[] = []
      if (dropped > 0) {
        lines.push(tellEarlier(dropped))
        last = 'earlier'
        dropped = 0
      }
      for (const { group, render } of blocks.splice(0)) {
        const own = render(width)
        if (own.length === 0) continue
        if (last !== undefined && last !== group) lines.push('')
        // One by one: a paste may have more lines than a call may have arguments.
        for (const line of own) lines.push(line)
        last = group
      }
      return lines
    },
    isApart: (group) => last !== undefined && last !== group,
    readPast() {
      isReadingPast = true
    },
    endPast() {
      isReadingPast = false
    },
    clear() {
      blocks = []
      dropped = 0
      isReadingPast = false
    },
  }
}
