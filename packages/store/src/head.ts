import { admissionKeys, type DoorFact, FACTS, isByRunner, type Projection, type SessionStart } from '@maru/protocol'

/** What a log must know of itself to take the next fact. */
export interface Head {
  last: number
  lastByRunner: number
  /** Which seq took each admission key. */
  taken: { [key: string]: number }
  start?: SessionStart
  title?: string
  startedAt: number
  changedAt: number
  moved: boolean
  /** The first kind that this version does not know. */
  unknown?: { seq: number; kind: string }
}

export const head: Projection<Head> = {
  name: 'head',
  version: 1,
  create: () => ({ last: 0, lastByRunner: 0, taken: {}, startedAt: 0, changedAt: 0, moved: false }),
  apply(state, record) {
    state.last = record.seq
    state.changedAt = record.at
    if (isByRunner(record)) state.lastByRunner = record.seq
    switch (record.type) {
      case 'session-start': {
        const { type: _type, v: _v, seq: _seq, at, ...start } = record
        state.start = start
        state.startedAt = at
        break
      }
      case 'session-move':
        state.moved = true
        break
      case 'title-set':
        state.title = record.title
        break
      case 'erased':
        for (const key of record.keys ?? []) state.taken[key] ??= record.seq
        if (record.by === 'runner') state.lastByRunner = record.seq
        break
      case 'unknown':
        state.unknown ??= { seq: record.seq, kind: record.kind }
        return
      default:
      // Nothing else changes what the log takes next.
    }
    if (FACTS[record.type].by === 'door') {
      for (const key of admissionKeys(record as DoorFact)) state.taken[key] ??= record.seq
    }
  },
}

/** Makes one head the same as another, in place: whoever holds it sees the change. */
export function replaceHead(old: Head, fresh: Head): void {
  for (const name of Object.keys(old) as (keyof Head)[]) delete old[name]
  Object.assign(old, structuredClone(fresh))
}
