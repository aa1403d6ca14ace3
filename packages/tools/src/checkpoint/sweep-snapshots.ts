import { existsSync, readdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hash } from '@maru/protocol'
import { loadTree } from './hash-tree.ts'
import { openPack, type Pack } from './pack.ts'
import { createWriter, type Piece, readIndexes } from './pack-files.ts'

export interface SweepOptions {
  /** Where the snapshots of a work tree are kept. */
  readonly store: string
  /** The snapshots that somebody still holds: what they need stays. */
  readonly keep: Iterable<Hash>
  /** The snapshots whose holders went: a store that has none of them is left alone. */
  readonly gone: ReadonlySet<Hash>
  /**
   * Whether nobody works in that tree: who has the store open takes what was there then for granted. Asked before
   * anything is done and again before anything is taken away.
   */
  isFree(): Promise<boolean>
}

/** What came of it; `busy`: somebody works there, and nothing was taken away. */
export type Swept = { kind: 'swept'; removed: number; kept: number } | { kind: 'busy' }

/** Takes the contents out of a store of snapshots that none of the kept ones needs. */
export async function sweepSnapshots({ store, keep, gone, isFree }: SweepOptions): Promise<Swept> {
  const directory = join(store, 'packs')
  if (!existsSync(directory)) return { kind: 'swept', removed: 0, kept: 0 }
  const old = readdirSync(directory)
  const pieces = await readIndexes(directory)
  if (![...gone].some((id) => pieces.has(id))) return { kind: 'swept', removed: 0, kept: pieces.size }
  if (!(await isFree())) return { kind: 'busy' }
  const needed = await mark(directory, keep)
  const removed = [...pieces.keys()].filter((hash) => !needed.has(hash)).length
  // Files without an index are left from a sweep that was cut short.
  const isTidy = old.every((name) => name.endsWith('.index') || old.includes(name.replace(/\.pack$|$/, '.index')))
  if (removed === 0 && isTidy) return { kind: 'swept', removed, kept: needed.size }
  await copyNeeded(directory, pieces, needed)
  return takeAway({ store, directory, old }, { removed, kept: needed.size }, isFree)
}

async function mark(directory: string, keep: Iterable<Hash>): Promise<Set<Hash>> {
  const needed = new Set<Hash>()
  const pack = await openPack(directory)
  try {
    for (const id of keep) if (pack.has(id)) await markTree(pack, id, needed)
  } finally {
    await pack.close()
  }
  return needed
}

async function markTree(pack: Pack, id: Hash, needed: Set<Hash>): Promise<void> {
  if (needed.has(id)) return
  needed.add(id)
  for (const node of (await loadTree(pack, id))?.values() ?? []) {
    if (node.kind === 'directory') await markTree(pack, node.hash, needed)
    else if (node.kind === 'file') needed.add(node.hash)
  }
}

const CHUNK_BYTES = 1024 * 1024

async function copyNeeded(directory: string, pieces: ReadonlyMap<Hash, Piece>, needed: Set<Hash>): Promise<void> {
  const before = new Set(readdirSync(directory))
  const pack = await openPack(directory)
  const writer = createWriter(directory)
  let open = new Map<Hash, Uint8Array>()
  let bytes = 0
  try {
    // In the order of the files, so that no chunk is unpacked twice.
    const wanted = [...pieces].filter(([hash]) => needed.has(hash)).sort(([, one], [, other]) => byPlace(one, other))
    for (const [hash] of wanted) {
      const content = await pack.read(hash)
      if (content === undefined) continue
      open.set(hash, content)
      bytes += content.length
      if (bytes < CHUNK_BYTES) continue
      await writer.write(open)
      open = new Map()
      bytes = 0
    }
    if (open.size > 0) await writer.write(open)
  } finally {
    await writer.close()
    await pack.close()
  }
  // On the disk before anything else goes.
  for (const name of readdirSync(directory)) if (!before.has(name)) await sync(join(directory, name))
}

function byPlace({ chunk, start }: Piece, other: Piece): number {
  if (chunk.file !== other.chunk.file) return chunk.file < other.chunk.file ? -1 : 1
  return chunk.at - other.chunk.at || start - other.start
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const ASIDE = '.aside'

// The indexes first: whoever opens the store from then on knows of nothing that is about to go.
async function takeAway(
  { store, directory, old }: { store: string; directory: string; old: string[] },
  counts: { removed: number; kept: number },
  isFree: SweepOptions['isFree'],
): Promise<Swept> {
  const indexes = old.filter((name) => name.endsWith('.index'))
  for (const name of indexes) await rename(join(directory, name), join(directory, name + ASIDE))
  if (!(await isFree())) {
    for (const name of indexes) await rename(join(directory, name + ASIDE), join(directory, name))
    return { kind: 'busy' }
  }
  for (const name of old) await rm(join(directory, name.endsWith('.index') ? name + ASIDE : name), { force: true })
  // It names files, and is made again by whoever needs it.
  await rm(join(store, 'stats'), { force: true })
  return { kind: 'swept', ...counts }
}
