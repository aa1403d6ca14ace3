import type { Recorded } from './record.ts'

/**
 * Where a fork of what was said at `seq` begins: behind it and behind the results of the calls that it asked for, as a
 * model is never shown one without the other. `records` begin at `seq`; no more of them are read than needed.
 */
export async function cutAfter(records: AsyncIterable<Recorded>, seq: number): Promise<number> {
  const waiting = new Set<string>()
  let cut = seq
  for await (const record of records) {
    if (record.seq < seq) continue
    if (record.seq === seq) {
      if (record.type !== 'turn-end') return seq
      for (const part of record.parts) if (part.type === 'call') waiting.add(part.callId)
    } else if (record.type === 'tool-end') {
      if (waiting.delete(record.callId)) cut = record.seq
    } else if (record.type === 'turn-start' || record.type === 'run-end') {
      return cut
    }
    if (waiting.size === 0) return cut
  }
  return cut
}
