import type { Recorded } from '@maru/protocol'

/** Where a fork begins, or why that cannot be said. */
export type Cut =
  | { readonly seq: number }
  | { readonly problem: 'none' | 'beyond' | 'many'; readonly last: number; readonly example?: string }

/**
 * The cut that is meant: a seq, or a turn or run by its id or the beginning of one, which goes to the end of what it did.
 * Without words, all there is.
 */
export async function findCut(records: AsyncIterable<Recorded>, at: string | undefined): Promise<Cut> {
  const ends = new Map<string, number>()
  let turn: string | undefined
  let run: string | undefined
  let last = 0
  for await (const record of records) {
    last = record.seq
    if (record.type === 'run-start') run = record.runId
    if (record.type === 'turn-start') turn = record.turnId
    for (const open of [turn, run]) if (open !== undefined) ends.set(open, record.seq)
    if (record.type !== 'run-end') continue
    turn = undefined
    run = undefined
  }
  if (at === undefined) return last > 0 ? { seq: last } : { problem: 'beyond', last }
  if (/^\d+$/.test(at)) {
    const seq = Number(at)
    return seq >= 1 && seq <= last ? { seq } : { problem: 'beyond', last }
  }
  const named = [...ends].filter(([id]) => id.startsWith(at))
  const exact = named.find(([id]) => id === at) ?? (named.length === 1 ? named[0] : undefined)
  if (exact) return { seq: exact[1] }
  const [first] = named
  return first ? { problem: 'many', last, example: first[0] } : { problem: 'none', last }
}
