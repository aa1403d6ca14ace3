import type { Stats } from 'node:fs'
import type { Hash } from '@maru/protocol'
import { isSame, type TreeNode } from './tree.ts'

/** What tells that a file is still the one that was read. `isSettled`: it was old enough then for that to be certain. */
export interface Stamp {
  readonly ctime: number
  readonly mtime: number
  readonly size: number
  readonly ino: number
  readonly mode: number
  readonly isSettled: boolean
}

/** A directory as the last scan saw it; `hash` is missing while something below has changed. */
export interface SeenDirectory {
  readonly parent: SeenDirectory | undefined
  mode: number
  stamp: Stamp | undefined
  readonly entries: Map<string, SeenEntry>
  hash: Hash | undefined
}

export type SeenEntry =
  | { readonly kind: 'directory'; readonly directory: SeenDirectory }
  | {
      readonly kind: 'leaf'
      readonly node: Exclude<TreeNode, { kind: 'directory' }>
      readonly stamp: Stamp | undefined
    }

export function newDirectory(parent: SeenDirectory | undefined): SeenDirectory {
  return { parent, mode: 0, stamp: undefined, entries: new Map(), hash: undefined }
}

/** Notes that something in a directory is no longer as it was hashed. */
export function outdate(directory: SeenDirectory | undefined): void {
  for (let at = directory; at?.hash !== undefined; at = at.parent) at.hash = undefined
}

/** Puts an entry in its place; a hash is made anew only if it differs from what was there. */
export function setEntry(directory: SeenDirectory, name: string, entry: SeenEntry | undefined): void {
  const before = directory.entries.get(name)
  if (entry === undefined) directory.entries.delete(name)
  else directory.entries.set(name, entry)
  const isAlike =
    before?.kind === 'leaf' && entry?.kind === 'leaf' ? isSame(before.node, entry.node) : before === undefined && !entry
  if (!isAlike) outdate(directory)
}

// A second write within one tick of the file system's clock leaves the same times: a file that was younger than this
// when it was read is read again. Some file systems count whole seconds.
const TICK_MS = 100
const COARSE_TICK_MS = 2_100

export function stampOf({ ctimeMs, mtimeMs, size, ino, mode }: Stats, now: number): Stamp {
  const tick = ctimeMs % 1000 === 0 ? COARSE_TICK_MS : TICK_MS
  return { ctime: ctimeMs, mtime: mtimeMs, size, ino, mode, isSettled: now - ctimeMs > tick }
}

/** Whether what has these stats is certainly what had this stamp. */
export function isUnchanged(stamp: Stamp | undefined, stats: Stats): boolean {
  return (
    stamp?.isSettled === true &&
    stamp.ctime === stats.ctimeMs &&
    stamp.mtime === stats.mtimeMs &&
    stamp.size === stats.size &&
    stamp.ino === stats.ino &&
    stamp.mode === stats.mode
  )
}
