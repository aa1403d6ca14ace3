import type { BlobStore, Projection, SessionLog, StateCache } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { createSessionLog } from '../session-log.ts'
import { createFileBlobs } from './file-blobs.ts'
import type { Repair } from './held-file.ts'
import { type Glance, JsonlMedium } from './medium.ts'

export interface JsonlStoreOptions {
  /** Made when the first session is, private to its owner: this is whose sessions they are. */
  directory: string
  now(): number
  mask?: Mask
  /** Told when a torn end was cut off. */
  onRepair?(repair: Repair): void
}

/** Sessions as files. One process at a time writes each; any may read and follow. */
export interface JsonlStore {
  log: SessionLog
  blobs: BlobStore
  project<S>(id: string, projection: Projection<S>): Promise<S>
  /** The same, and the last seq that it includes. */
  reach<S>(id: string, projection: Projection<S>): Promise<{ state: S; seq: number }>
  /** The sessions there are, by their files alone. */
  ids(): string[]
  /** For whoever looks at many logs, damaged ones too: what took long to read is left beside the log, for the next look. */
  glance<S>(id: string, projection: Projection<S>): Promise<Glance<S>>
  /** Whether some process, this one too, has the right to write. */
  isHeld(id: string): Promise<boolean>
  states: StateCache
}

export function openJsonlStore({ directory, now, mask, onRepair }: JsonlStoreOptions): JsonlStore {
  const medium = new JsonlMedium(directory, onRepair ?? (() => undefined))
  const blobs = createFileBlobs(directory, mask)
  const log = createSessionLog(medium, { now, blobs, ...(mask && { mask }) })
  return {
    log,
    blobs,
    project: (id, projection) => medium.project(id, projection),
    reach: (id, projection) => medium.reach(id, projection),
    ids: () => medium.ids(),
    glance: (id, projection) => medium.glance(id, projection),
    isHeld: (id) => medium.isHeld(id),
    states: {
      load: (id, projection) => medium.load(id, projection),
      keep: (id, projection, reached) => medium.keep(id, projection, reached),
    },
  }
}
