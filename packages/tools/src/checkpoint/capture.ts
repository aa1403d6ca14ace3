import { lstatSync, readlinkSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash } from '@maru/protocol'
import { clock } from '../clock.ts'
import { FileProblem } from '../file-problem.ts'
import { hashOf } from '../hash.ts'
import { type Directory, type Root, walk } from '../walk.ts'
import type { Pack } from './pack.ts'
import { readBounded } from './read-bounded.ts'
import type { Pending, Skipped } from './scan-round.ts'
import { isUnchanged, type SeenDirectory, type SeenEntry, type Stamp, setEntry, stampOf } from './seen.ts'
import type { SkipReason } from './tree.ts'

/** Files whose content was stored before, by their paths. */
export type Remembered = ReadonlyMap<string, { readonly stamp: Stamp; readonly hash: Hash }>

export interface CaptureOptions {
  readonly root: Root
  readonly pack: Pack
  readonly remembered: Remembered
  readonly fileBytes: number
  /** How much one snapshot may store at most. */
  readonly totalBytes: number
  readonly signal: AbortSignal
}

const SLICE_MS = 8

/** Reads and stores what is new, directory by directory; gives back what could not be kept. */
export async function capture(pending: readonly Pending[], options: CaptureOptions): Promise<Skipped[]> {
  const skipped: Skipped[] = []
  const budget = { bytes: options.totalBytes }
  let sliceEnd = clock() + SLICE_MS
  for (const [, group] of byParent(pending)) {
    const directory = tryOpen(options.root, group[0]?.path ?? '')
    try {
      for (const item of group) {
        const entry = directory && read(directory, item, { ...options, budget })
        setEntry(item.parent, item.name, entry)
        if (entry === undefined) item.parent.stamp = undefined
        if (entry?.kind === 'leaf' && entry.node.kind === 'skipped')
          skipped.push({ path: item.path, why: entry.node.why })
        if (clock() < sliceEnd) continue
        await nextTurn()
        await options.pack.ease()
        if (options.signal.aborted) {
          for (const { parent } of pending) parent.stamp = undefined
          return skipped
        }
        sliceEnd = clock() + SLICE_MS
      }
    } finally {
      directory?.close()
    }
  }
  return skipped
}

function byParent(pending: readonly Pending[]): Map<SeenDirectory, Pending[]> {
  const groups = new Map<SeenDirectory, Pending[]>()
  for (const item of pending) {
    const group = groups.get(item.parent)
    if (group === undefined) groups.set(item.parent, [item])
    else group.push(item)
  }
  return groups
}

// A directory that was moved away meanwhile, or swapped for a link, has nothing in it for us.
function tryOpen(root: Root, path: string): Directory | undefined {
  try {
    return walk(root, path.split('/').slice(0, -1))
  } catch (error) {
    if (isFileError(error)) return undefined
    throw error
  }
}

type Reading = CaptureOptions & { budget: { bytes: number } }

function read(directory: Directory, { name, path }: Pending, options: Reading): SeenEntry | undefined {
  const at = directory.at(name)
  try {
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (stats === undefined || stats.isDirectory()) return undefined
    const now = Date.now()
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(at, 'buffer')
      if (!Buffer.from(target.toString()).equals(target)) return notKept('special')
      return { kind: 'leaf', node: { kind: 'link', target: target.toString() }, stamp: stampOf(stats, now) }
    }
    const known = options.remembered.get(path)
    if (known !== undefined && isUnchanged(known.stamp, stats) && options.pack.has(known.hash)) {
      return fileEntry(known.hash, known.stamp)
    }
    return readContent(at, options, now)
  } catch (error) {
    if (!isFileError(error)) throw error
    return 'code' in error && error.code === 'ENOENT' ? undefined : notKept('unreadable')
  }
}

function readContent(at: string, { pack, fileBytes, budget }: Reading, now: number): SeenEntry {
  const content = readBounded(at, fileBytes)
  if (content.kind !== 'bytes') return notKept(content.kind === 'large' ? 'large' : 'special')
  const hash = hashOf(content.bytes)
  if (!pack.has(hash)) {
    if (content.bytes.length > budget.bytes) return notKept('budget')
    budget.bytes -= content.bytes.length
    pack.add(hash, content.bytes)
  }
  const stamp = stampOf(content.stats, now)
  const { length: size } = content.bytes
  return fileEntry(hash, content.isSteady ? { ...stamp, size } : { ...stamp, size, isSettled: false })
}

function fileEntry(hash: Hash, stamp: Stamp): SeenEntry {
  return { kind: 'leaf', node: { kind: 'file', hash, size: stamp.size, mode: stamp.mode & 0o7777 }, stamp }
}

function notKept(why: SkipReason): SeenEntry {
  return { kind: 'leaf', node: { kind: 'skipped', why, mark: '' }, stamp: undefined }
}

function isFileError(error: unknown): error is Error {
  return error instanceof FileProblem || (error instanceof Error && 'code' in error && 'syscall' in error)
}
