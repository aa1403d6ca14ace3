import { performance } from 'node:perf_hooks'
import type { History, OwnHistory } from '@maru/store'
import type { OwnerName } from './fill.ts'
import { costOf, ILIKE, SEARCH, spread, TRIGRAMS, type Way, WORDS } from './ways.ts'

// A way that takes seconds for a word need not be asked eight times.
const MOST_MS = 4_000
const FEWEST = 2

/** For people: the median and the slow end of each kind of query, the search beside other ways, for each owner. */
export async function showClasses(
  history: History,
  owners: ReadonlyMap<OwnerName, OwnHistory>,
  queries: Record<string, string[]>,
): Promise<void> {
  const ways = history.kind === 'postgres' ? [SEARCH, ILIKE, TRIGRAMS, WORDS] : [SEARCH, ILIKE]
  tell(`${history.kind}: newest 60 hits, CPU ms, median / 95th of a hundred`)
  tell([''.padEnd(24), ...ways.map(({ name }) => name.padEnd(20))].join(' '))
  for (const [name, own] of owners) {
    for (const [kind, words] of Object.entries(queries)) {
      const cells: string[] = []
      for (const way of ways) cells.push(await measure(history, own, { way, words }))
      tell([`${name}, ${kind}`.padEnd(24), ...cells.map((cell) => cell.padEnd(20))].join(' '))
    }
  }
}

async function measure(
  history: History,
  { owner }: OwnHistory,
  { way, words }: { way: Way; words: string[] },
): Promise<string> {
  const costs: number[] = []
  let spent = 0
  for (const word of words) {
    const { ms } = await costOf(history, owner, way, word)
    costs.push(ms)
    spent += ms
    if (spent > MOST_MS && costs.length >= FEWEST) break
  }
  const { p50, p95 } = spread(costs)
  return `${p50.toFixed(1)} / ${p95.toFixed(1)}`
}

const TIMES = 30

/** For people: the list, a conversation's newest fifty, and the pages before them, each from the owner's point of view. */
export async function showPages(history: History, owners: ReadonlyMap<OwnerName, OwnHistory>): Promise<void> {
  tell(`${history.kind}: pages, ms, median / 95th of a hundred`)
  for (const [name, { conversations }] of owners) {
    const lists: number[] = []
    const deeper: number[] = []
    const opens: number[] = []
    const backs: number[] = []
    const timed = async <T>(into: number[], work: () => Promise<T>): Promise<T> => {
      const began = performance.now()
      const result = await work()
      into.push(performance.now() - began)
      return result
    }
    let cursor: string | undefined
    for (let n = 0; n < TIMES; n++) {
      await timed(lists, () => conversations.list({ limit: 50 }))
      const page = await timed(deeper, () => conversations.list({ limit: 50, ...(cursor && { cursor }) }))
      cursor = page.next
      const { id } = page.items[n % page.items.length] ?? { id: '' }
      if (id === '') continue
      await timed(opens, () => conversations.messages(id))
      await timed(backs, () => conversations.messages(id, { before: 30 }))
    }
    const cell = (what: string, values: number[]) => {
      const { p50, p95 } = spread(values)
      return `${what} ${p50.toFixed(1)} / ${p95.toFixed(1)}`.padEnd(24)
    }
    tell(
      [
        name.padEnd(8),
        cell('list', lists),
        cell('page on', deeper),
        cell('open 50', opens),
        cell('page back', backs),
      ].join(' '),
    )
  }
}

export function tell(line: string): void {
  process.stderr.write(`${line.trimEnd()}\n`)
}
