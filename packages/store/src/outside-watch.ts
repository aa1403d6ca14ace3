import type { Recorded } from '@maru/protocol'
import type { Medium } from './medium.ts'

/** What the watch needs of the log it belongs to. */
export interface OutsideWatchOptions {
  medium: Medium
  read(id: string, after: number): AsyncIterable<Recorded>
  /** This process writes it itself and tells by itself. */
  isOwn(id: string): boolean
  /** Up to where each session's changes have been told. */
  told: Map<string, number>
  now(): number
  onRecord(id: string, record: Recorded): void
}

/** Tells of what other processes write, each fact once. Begins with what is there now. */
export function watchOutside(options: OutsideWatchOptions): () => void {
  const { medium, read, isOwn, told, onRecord } = options
  const pending = new Set<string>()
  let isOver = false
  const catchUp = async (id: string) => {
    pending.delete(id)
    if (isOver || isOwn(id)) return
    for await (const record of read(id, told.get(id) ?? 0)) {
      told.set(id, record.seq)
      onRecord(id, record)
    }
  }
  // A log that cannot be read now has no changes to tell; opening it says why.
  let running = noteOld(options, medium.ids()).catch(() => undefined)
  const stop = medium.onOutsideChange(undefined, (id) => {
    if (pending.has(id)) return
    pending.add(id)
    running = running.then(() => catchUp(id)).catch(() => undefined)
  })
  return () => {
    isOver = true
    stop()
  }
}

// What was there when the watch began is not news. Looking takes time, in which others may have written more.
async function noteOld({ medium, read, told, now }: OutsideWatchOptions, ids: Iterable<string>): Promise<void> {
  const beganAt = now()
  for (const id of ids) {
    if (told.has(id)) continue
    const head = await medium.head(id).catch(() => undefined)
    let last = head?.last ?? 0
    if (head && head.changedAt > beganAt) {
      last = 0
      for await (const { seq, at } of read(id, 0)) if (at <= beganAt) last = seq
    }
    if (!told.has(id)) told.set(id, last)
  }
}
