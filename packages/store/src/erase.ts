import { admissionKeys, type DoorFact, FACT_VERSION, FACTS, LogError, type Recorded } from '@maru/protocol'

/** What stands where a fact was: its place, who wrote it and the keys it had taken, nothing of what it said. */
export function tombstone(record: Recorded): Recorded {
  const cannot =
    record.type === 'unknown' || record.type === 'session-move' || FACTS[record.type].by === 'log'
      ? `"${record.type}" at ${record.seq} cannot be erased alone: erase the session`
      : undefined
  if (cannot !== undefined) throw new LogError('rejected', cannot)
  const isDoor = record.type !== 'unknown' && FACTS[record.type].by === 'door'
  return {
    seq: record.seq,
    at: record.at,
    v: FACT_VERSION,
    type: 'erased',
    was: record.type,
    by: isDoor ? 'door' : 'runner',
    ...(isDoor && { keys: admissionKeys(record as DoorFact) }),
  }
}

// Files as they were before a call are kept for whoever wants them back: by these names in its fact.
const NAMED = /"(?:hash|before|after)":"([0-9a-f]{64})"/g

/** The blobs that a record refers to, and perhaps more: not every hash of a file is one of content that was kept. */
export function hashesIn(record: Recorded): Set<string> {
  return new Set([...JSON.stringify(record).matchAll(NAMED)].map(([, hash]) => hash as string))
}
