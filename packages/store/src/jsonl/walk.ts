import type { Projection } from '@maru/protocol'
import type { OpenFile } from './open-file.ts'
import { type Damage, type Scanned, scan, scanTail } from './scan.ts'
import type { Place, Snapshots } from './snapshots.ts'

/** A state read from a whole log, and what was found on the way. */
export interface Walked<S> {
  state: S
  place: Place
  /** In the order of the file. */
  damage: Damage[]
  /** The last record stands whole but without its line feed. */
  lacksFeed: boolean
  snapshotSeq: number
  /** How many bytes had to be read: what a snapshot did not cover. */
  bytes: number
}

const DAMAGE_LIMIT = 1000

/** Folds a log into a state, from a snapshot where there is one that fits. */
export async function walk<S>(file: OpenFile, projection: Projection<S>, snapshots: Snapshots): Promise<Walked<S>> {
  const snapshot = await snapshots.load(projection, file)
  const state = snapshot?.state ?? projection.create()
  const place = snapshot?.place ?? { seq: 0, line: 0, start: 0, end: 0 }
  const snapshotSeq = place.seq
  const from = place.end
  const damage: Damage[] = []
  const take = (item: Scanned) => {
    if ('damage' in item) {
      if (damage.length < DAMAGE_LIMIT) damage.push(item.damage)
      return
    }
    const { record, line, start, end } = item
    projection.apply(state, record)
    Object.assign(place, { seq: record.seq, line, start, end })
  }
  const cursor = { offset: place.end, number: place.line + 1 }
  const sequence = { last: place.seq, missing: new Set<number>() }
  for await (const batch of scan(file, cursor, sequence)) for (const item of batch) take(item)
  const tail = await scanTail(file, cursor, sequence)
  if (tail) take(tail)
  return {
    state,
    place,
    damage,
    lacksFeed: tail !== undefined && 'record' in tail,
    snapshotSeq,
    bytes: place.end - from,
  }
}

/** Splits damage into what may be cut off the end and what nobody may touch but a person. */
export function triage({ damage, place }: Walked<unknown>): { cutAt: number | undefined; lasting: Damage[] } {
  const isCuttable = ({ kind, offset }: Damage) => kind !== 'misfit' && offset >= place.end
  const cuttable = damage.filter(isCuttable)
  return { cutAt: cuttable[0]?.offset, lasting: damage.filter((item) => !isCuttable(item)) }
}
