import { type BlobStore, type LiveBus, type Projection, printRecord, type SessionLog } from '@maru/protocol'
import type { OpenSession } from '../session/open-session.ts'

export interface SessionPlace {
  readonly id: string
  /** Where what is not a fact is kept on this machine: the vendor's raw events. */
  readonly directory: string
  readonly begun?: OpenSession['begun']
  isHeld?(id: string): Promise<boolean>
}

/** A session that lies in no file of ours: what is read from it is read from its facts, each time anew. */
export function sessionOver(
  { log, blobs, live }: { log: SessionLog; blobs: BlobStore; live?: LiveBus },
  { id, directory, begun, isHeld = async () => false }: SessionPlace,
): OpenSession & { live?: LiveBus } {
  const glance = async <S>(of: string, projection: Projection<S>) => {
    const state = projection.create()
    let seq = 0
    let bytes = 0
    for await (const record of log.read(of)) {
      projection.apply(state, record)
      seq = record.seq
      bytes += Buffer.byteLength(printRecord(record)) + 1
    }
    return { state, seq, bytes, isDamaged: false }
  }
  return {
    id,
    directory,
    ...(begun && { begun }),
    ...(live && { live }),
    log,
    blobs,
    glance,
    reach: glance,
    project: async (of, projection) => (await glance(of, projection)).state,
    ids: () => [],
    isHeld,
    states: { load: async () => undefined, keep: () => undefined },
  }
}
