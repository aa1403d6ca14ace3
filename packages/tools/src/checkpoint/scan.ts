import { setImmediate as nextTurn } from 'node:timers/promises'
import { clock } from '../clock.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import { type Asked, createRound, type Pending, type Pins, type ScanOptions, type Skipped } from './scan-round.ts'
import { type SeenDirectory, setEntry } from './seen.ts'

export type Scanned =
  | { kind: 'scanned'; pending: Pending[]; skipped: Skipped[] }
  | { kind: 'too-many' }
  | { kind: 'interrupted' }

// Nothing else runs in this process meanwhile; but never for longer than this in one go.
const SLICE_MS = 8

/** Brings `top` up to date with the disk, but for the contents that are still to be read. */
export async function scan(
  top: SeenDirectory,
  options: ScanOptions,
  pins: Pins,
  signal: AbortSignal,
): Promise<Scanned> {
  const round = createRound(options, pins)
  round.jobs.push({ path: '', name: '', directory: top, owner: '', isStale: false })
  // What was listed but not dealt with has to be listed again.
  const giveUp = (kind: 'too-many' | 'interrupted'): Scanned => {
    for (const { parent } of [...round.asked, ...round.pending]) parent.stamp = undefined
    return { kind }
  }
  let sliceEnd = clock() + SLICE_MS
  for (;;) {
    for (let job = round.jobs.pop(); job !== undefined; job = round.jobs.pop()) {
      round.visit(job)
      if (clock() < sliceEnd) continue
      if (round.count() > options.entries) return giveUp('too-many')
      await nextTurn()
      if (signal.aborted) return giveUp('interrupted')
      sliceEnd = clock() + SLICE_MS
    }
    if (round.asked.length === 0) break
    await judge(round.asked, { rules: options.rules, signal, accept: round.accept })
    if (signal.aborted) return giveUp('interrupted')
    round.asked.length = 0
  }
  if (round.count() > options.entries) return giveUp('too-many')
  return { kind: 'scanned', pending: round.pending, skipped: round.skipped }
}

interface Judge {
  rules: IgnoreRules
  signal: AbortSignal
  accept(item: Asked): void
}

async function judge(asked: readonly Asked[], { rules, signal, accept }: Judge): Promise<void> {
  const byOwner = new Map<string, Asked[]>()
  for (const item of asked) {
    const group = byOwner.get(item.owner)
    if (group === undefined) byOwner.set(item.owner, [item])
    else group.push(item)
  }
  for (const [owner, group] of byOwner) {
    const ignored = await rules.ignored(owner, group.map(nameOf), signal)
    for (const item of group) {
      if (ignored.has(nameOf(item))) {
        setEntry(item.parent, item.name, { kind: 'leaf', node: { kind: 'ignored' }, stamp: undefined })
      } else accept(item)
    }
  }
}

function nameOf({ path, isDirectory }: Asked): string {
  return isDirectory ? `${path}/` : path
}
