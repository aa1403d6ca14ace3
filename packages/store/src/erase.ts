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

/** The blobs that a record refers to. */
export function hashesIn(record: Recorded): Set<string> {
  return new Set([...JSON.stringify(record).matchAll(/"hash":"([0-9a-f]{64})"/g)].map(([, hash]) => hash as string))
}
