import type { Diagnostic, FileChange, Hash, Recorded } from '@maru/protocol'
import type { Change } from '../checkpoint/compare.ts'
import type { Wanted } from '../checkpoint/derive-tree.ts'
import type { Checkpoints } from '../checkpoint/open-checkpoints.ts'
import type { PastFile } from './past-ways.ts'

export interface PastOptions {
  root: string
  /** Where the snapshots of the work tree are. */
  store: string
  /** Content that file tools kept, by its hash. */
  content(hash: Hash): Promise<Uint8Array | undefined>
  environment?: Readonly<Record<string, string | undefined>>
}

type Failed = { problem: Diagnostic }

/** What bringing a snapshot back changed, or would change. */
export interface BroughtBack {
  /** Files whose content differs, as they were found and as they are again. */
  files: FileChange[]
  /** Everything that differs, links and directories too. */
  paths: { path: string; sign: '+' | '-' | '~' }[]
  /** What was left as it is, and why. */
  left: { path: string; why: string }[]
}

/** The files of a workspace as they were at an earlier point of a session. */
export interface PastFiles {
  /** Makes a snapshot of them from what is known; `lost` names files whose content nobody kept. */
  find(
    records: AsyncIterable<Recorded>,
    cut: number,
    signal: AbortSignal,
  ): Promise<{ id: Hash; lost: string[] } | Failed>
  /** Makes the work tree what it was, after keeping it as it is. */
  bringBack(id: Hash, options: { signal: AbortSignal; dryRun: boolean }): Promise<BroughtBack | Failed>
  /** Writes them into a new directory; gives what could not be. */
  unpack(id: Hash, directory: string): Promise<string[] | Failed>
  /** The content of a file in any snapshot. */
  read(hash: Hash): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

export async function openPastFiles({ root, store, content, environment = {} }: PastOptions): Promise<PastFiles> {
  const { openCheckpoints } = await import('../checkpoint/open-checkpoints.ts')
  const checkpoints = await openCheckpoints({ root, store, environment })
  const read = async (hash: Hash) => (await content(hash)) ?? (await checkpoints.read(hash))
  return {
    async find(records, cut, signal) {
      const { findPastWays } = await import('./past-ways.ts')
      let best: { id: Hash; lost: string[] } | Failed | undefined
      for (const { base, files } of await findPastWays(records, cut)) {
        const found = await derive(checkpoints, { base, ...(await contentsOf(files, read)) }, signal)
        if ('id' in found && found.lost.length === 0) return found
        if (best === undefined || ('problem' in best && 'id' in found)) best = found
      }
      return best ?? { problem: { code: 'no-snapshot', message: 'Nothing is known of the files at that point.' } }
    },
    async bringBack(id, { signal, dryRun }) {
      const done = await checkpoints.restore(id, { signal, dryRun })
      if (done.kind === 'problem') return { problem: done.diagnostic }
      return {
        files: done.restored.flatMap(toFileChange),
        paths: done.restored.map(({ path, before, after }) => ({ path, sign: before ? (after ? '~' : '-') : '+' })),
        left: done.conflicts.map(({ path, why }) => ({ path, why })),
      }
    },
    async unpack(id, directory) {
      const lost = await checkpoints.unpack(id, directory)
      return 'kind' in lost ? { problem: lost.diagnostic } : lost
    },
    read: (hash) => checkpoints.read(hash),
    close: () => checkpoints.close(),
  }
}

interface Known {
  wanted: Map<string, Wanted>
  lost: string[]
}

async function contentsOf(
  files: ReadonlyMap<string, PastFile>,
  read: (hash: Hash) => Promise<Uint8Array | undefined>,
): Promise<Known> {
  const known: Known = { wanted: new Map(), lost: [] }
  for (const [path, { hash, mode }] of files) {
    const bytes = hash === undefined ? undefined : await read(hash)
    if (hash === undefined) known.wanted.set(path, 'absent')
    else if (bytes === undefined) known.lost.push(path)
    else known.wanted.set(path, { content: bytes, ...(mode !== undefined && { mode }) })
  }
  return known
}

async function derive(
  checkpoints: Checkpoints,
  { base, wanted, lost }: Known & { base: Hash | undefined },
  signal: AbortSignal,
): Promise<{ id: Hash; lost: string[] } | Failed> {
  const from = base === undefined ? await checkpoints.take(signal) : { kind: 'taken' as const, id: base }
  if (from.kind === 'problem') return { problem: from.diagnostic }
  const derived = await checkpoints.derive(from.id, wanted)
  return derived.kind === 'problem' ? { problem: derived.diagnostic } : { id: derived.id, lost }
}

function toFileChange({ path, before, after }: Change): FileChange[] {
  const [old, now] = [before, after].map((node) => (node?.kind === 'file' ? node.hash : undefined))
  if (old === now) return []
  return [
    {
      path,
      ...(old !== undefined && { before: old }),
      ...(now !== undefined && { after: now }),
      ...(before?.kind === 'file' && { mode: before.mode }),
    },
  ]
}
