import type { FileChange, Hash, Recorded } from '@maru/protocol'

/** A file as it was: its content by hash, or that there was none. */
export interface PastFile {
  readonly hash?: Hash
  readonly mode?: number
}

/** A way to tell how all files were at a cut: from a snapshot, or from what is there now, with these files as they were. */
export interface PastWay {
  /** Absent: the work tree as it is now. */
  readonly base?: Hash
  readonly files: ReadonlyMap<string, PastFile>
}

interface Known {
  id: Hash
  at: number
}

/**
 * The ways there are, the best first: what lies closest to the cut in time has the least of what others changed
 * between. Reads the log to the first snapshot behind the cut, or to its end.
 */
export async function findPastWays(records: AsyncIterable<Recorded>, cut: number): Promise<PastWay[]> {
  const forward = new Map<string, PastFile>()
  const backward = new Map<string, PastFile>()
  let before: Known | undefined
  let next: Known | undefined
  let isAboutToChange = false
  let at = 0
  for await (const record of records) {
    if (record.seq > cut) {
      if (record.type === 'checkpoint') {
        next = { id: record.id, at: record.at }
        break
      }
      for (const { path, before: hash, mode } of changesIn(record)) {
        if (!backward.has(path)) backward.set(path, { ...fileOf(hash), ...(mode !== undefined && { mode }) })
      }
      continue
    }
    at = record.at
    if (record.type === 'checkpoint') {
      before = { id: record.id, at }
      forward.clear()
      // It was taken for a command, which then changes nobody knows what until the next one.
      isAboutToChange = record.callId === undefined
    } else if (record.type === 'tool-start' && record.effect !== 'none' && isAboutToChange) before = undefined
    for (const { path, after } of changesIn(record)) forward.set(path, fileOf(after))
  }
  const ways = [
    ...(before ? [{ way: { base: before.id, files: forward }, distance: at - before.at }] : []),
    ...(next ? [{ way: { base: next.id, files: backward }, distance: next.at - at }] : []),
  ]
  const known = ways.toSorted((one, other) => one.distance - other.distance).map(({ way }) => way)
  // With a snapshot behind the cut, what came after it is not known in detail.
  return next ? known : [...known, { files: backward }]
}

function changesIn(record: Recorded): FileChange[] {
  if (record.type === 'tool-end') return record.result.files ?? []
  return record.type === 'files-restore' ? record.files : []
}

function fileOf(hash: Hash | undefined): PastFile {
  return hash === undefined ? {} : { hash }
}
