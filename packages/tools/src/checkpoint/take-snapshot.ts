import { statfsSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { Diagnostic, Hash } from '@maru/protocol'
import { diagnose } from '../file-problem.ts'
import { type Root, walk } from '../walk.ts'
import { capture, type Remembered } from './capture.ts'
import { pathsOf, storeTree } from './hash-tree.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import type { Pack } from './pack.ts'
import { scan } from './scan.ts'
import type { Pins, ScanOptions, Skipped } from './scan-round.ts'
import { newDirectory, type SeenDirectory } from './seen.ts'
import { saveStats } from './stat-cache.ts'

export interface CheckpointLimits {
  /** Larger files are not kept; default 10 MB. */
  readonly fileBytes: number
  /** What one snapshot may store; default 1 GB. */
  readonly totalBytes: number
  /** A tree with more entries than this is not kept at all; default 300,000. */
  readonly entries: number
}

export type CheckpointProblem = { kind: 'problem'; diagnostic: Diagnostic }

export interface Taken {
  readonly kind: 'taken'
  readonly id: Hash
  readonly skipped: readonly Skipped[]
}

/** Limits where none are given. */
export const LIMITS: CheckpointLimits = {
  fileBytes: 10 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  entries: 300_000,
}

/** What is known of a work tree between two snapshots. */
export interface State {
  readonly root: Root
  readonly store: string
  readonly pack: Pack
  readonly rules: IgnoreRules
  readonly limits: CheckpointLimits
  remembered: Remembered
  top: SeenDirectory
  /** The snapshot that `top` is. */
  last: Hash | undefined
}

/** Keeps the work tree as it is; what the snapshots `since` kept is looked at even if it is ignored by now. */
export async function take(
  state: State,
  signal: AbortSignal,
  since: readonly Hash[],
): Promise<Taken | CheckpointProblem> {
  const taken = await tryTake(state, signal, since)
  // Half of a scan is no snapshot.
  if (taken.kind === 'problem') state.last = undefined
  return taken
}

async function tryTake(state: State, signal: AbortSignal, since: readonly Hash[]): Promise<Taken | CheckpointProblem> {
  if (signal.aborted) return problem(INTERRUPTED)
  const { root, rules, pack, limits } = state
  walk(root, []).close()
  const found = await scan(state.top, scanOptions(state), await pinsOf(state, since), signal)
  if (found.kind === 'interrupted') return problem(INTERRUPTED)
  if (found.kind === 'too-many') return problem(tooMany(limits.entries))
  const unread = await capture(found.pending, { root, pack, remembered: state.remembered, ...limits, signal })
  if (signal.aborted) return problem(INTERRUPTED)
  const isFirst = state.last === undefined
  const id = storeTree(state.top, pack)
  try {
    await pack.flush()
  } catch (error) {
    // What was counted as stored is not: begin anew.
    state.top = newDirectory(undefined)
    rules.refresh()
    return problem(notStored(error))
  }
  state.last = id
  if (isFirst) {
    state.remembered = new Map()
    await saveStats(state.store, state.top)
  }
  return { kind: 'taken', id, skipped: [...found.skipped, ...unread] }
}

async function pinsOf({ pack, last }: State, since: readonly Hash[]): Promise<Pins> {
  const others = since.filter((id) => id !== last)
  const paths = await Promise.all(others.map((id) => pathsOf(pack, id)))
  return { keepsSeen: since.some((id) => id === last), paths: new Set(paths.flatMap((some) => [...some])) }
}

function scanOptions({ root, store, rules, limits }: State): ScanOptions {
  const inner = relative(root.path, store).split(sep).join('/')
  return {
    root: root.path,
    rules,
    fileBytes: limits.fileBytes,
    entries: limits.entries,
    exclude: new Set([inner]),
    trustedDevice: trustedDevice(root),
  }
}

// ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, bcachefs. Network and pass-through file systems keep times as they like.
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e])

function trustedDevice({ path, dev }: Root): number | undefined {
  if (process.platform !== 'linux') return undefined
  return LOCAL.has(statfsSync(path).type) ? Number(dev) : undefined
}

/** An expected failure as a value. */
export function problem(diagnostic: Diagnostic): CheckpointProblem {
  return { kind: 'problem', diagnostic }
}

const INTERRUPTED: Diagnostic = { code: 'interrupted', message: 'The snapshot was interrupted.' }

function tooMany(limit: number): Diagnostic {
  const hint = 'Work in a smaller directory, or list what can be made again in .gitignore.'
  return { code: 'too-many-files', message: `There are more than ${limit} files and directories to keep.`, hint }
}

function notStored(error: unknown): Diagnostic {
  const { message } = diagnose(error, 'The snapshot')
  return { code: 'snapshot-failed', message }
}
