import { type Json, type Recorded, readRecord } from '@maru/protocol'

/** A fact as it came over the wire. What a newer server knows and this client does not is shown as unknown. */
export function readFact(value: Recorded): Recorded {
  if (value.type === 'unknown') return value
  const read = readRecord(value)
  if ('record' in read) return read.record
  const { seq, at } = value
  return { type: 'unknown', kind: value.type, body: value as unknown as { [key: string]: Json }, v: 1, seq, at }
}
