import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Diagnostic, Hash } from '@maru/protocol'
import { diagnose, FileProblem } from '../file-problem.ts'
import { findRoot } from '../walk.ts'
import { type Change, compareTrees } from './compare.ts'
import { deriveTree, type Wanted } from './derive-tree.ts'
import { loadTree } from './hash-tree.ts'
import { createIgnoreRules } from './ignore-rules.ts'
import { openPack } from './pack.ts'
import type { Conflict } from './plan-restore.ts'
import { restoreTree } from './restore-tree.ts'
import { newDirectory } from './seen.ts'
import { loadStats, saveStats } from './stat-cache.ts'
import {
  type CheckpointLimits,
  type CheckpointProblem,
  LIMITS,
  problem,
  type State,
  type Taken,
  take,
} from './take-snapshot.ts'
import { unpackTree } from './unpack-tree.ts'

export interface CheckpointOptions {
  /** The work tree. */
  readonly root: string
  /** A directory of our own, made if it is not there. */
  readonly store: string
  /** Says where the user's git settings are: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly limits?: Partial<CheckpointLimits>
}

/** Snapshots of a work tree beside it: nothing of the user's repository is written, nothing of it is run. */
export interface Checkpoints {
  /**
   * Keeps the work tree as it is. Equal trees have equal ids. `since`: an earlier snapshot whose files are looked at
   * even if they are ignored by now; give the one from before a run when taking the one after it.
   */
  take(signal: AbortSignal, options?: { since?: Hash }): Promise<Taken | CheckpointProblem>
  /** What differs between a snapshot and now, or a later one. */
  changed(id: Hash, options: { signal: AbortSignal; until?: Hash }): Promise<Change[] | CheckpointProblem>
  /** The content of a file in a snapshot, by its hash. */
  read(hash: Hash): Promise<Buffer | undefined>
  /** Brings back what a run changed. */
  restore(id: Hash, options: RestoreOptions): Promise<Restored | CheckpointProblem>
  /** A snapshot that is another one but for some files. */
  derive(id: Hash, files: ReadonlyMap<string, Wanted>): Promise<{ kind: 'derived'; id: Hash } | CheckpointProblem>
  /** Writes a snapshot into a new directory; gives the paths that could not be. */
  unpack(id: Hash, directory: string): Promise<string[] | CheckpointProblem>
  close(): Promise<void>
}

export interface RestoreOptions {
  readonly signal: AbortSignal
  /** The snapshot from after the run: only what is still as it is there is taken back. Without it, everything is. */
  readonly onlyIfUnchangedSince?: Hash
  /** Paths that a person said may be overwritten all the same, with all that is below them. */
  readonly overwrite?: readonly string[]
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean
}

/** What was taken back, as it was found and as it is again; and what was left alone, and why. */
export interface Restored {
  readonly kind: 'restored'
  readonly restored: readonly Change[]
  readonly conflicts: readonly Conflict[]
}

/** Opens the snapshots of a work tree; the calls wait for each other. Rejects if root or store cannot be used. */
export async function openCheckpoints(options: CheckpointOptions): Promise<Checkpoints> {
  const root = findRoot(options.root)
  const store = resolve(options.store)
  mkdirSync(store, { recursive: true, mode: 0o700 })
  const pack = await openPack(join(store, 'packs'))
  const rules = createIgnoreRules({ root, environment: options.environment ?? {}, scratch: store })
  const limits = { ...LIMITS, ...options.limits }
  const top = newDirectory(undefined)
  const state: State = { root, store, pack, rules, limits, remembered: await loadStats(store), top, last: undefined }
  let line: Promise<unknown> = Promise.resolve()
  const inTurn = <Value>(act: () => Promise<Value>): Promise<Value | CheckpointProblem> => {
    const done = line.then(() => act().catch((error: unknown) => problem(diagnose(error, options.root))))
    line = done.catch(() => {})
    return done
  }
  let closed: Promise<void> | undefined
  return {
    take: (signal, { since } = {}) => inTurn(() => take(state, signal, since === undefined ? [] : [since])),
    changed: (id, { signal, until }) => inTurn(() => changed(state, id, { signal, until })),
    read: (hash) => pack.read(hash),
    restore: (id, own) => inTurn(() => restore(state, id, own)),
    derive: (id, files) => inTurn(() => derive(state, id, files)),
    unpack: (id, directory) =>
      inTurn<string[] | CheckpointProblem>(async () =>
        pack.has(id) ? unpackTree(pack, id, directory) : problem(unknown(id)),
      ),
    close() {
      closed ??= line.then(async () => {
        if (state.last !== undefined) await saveStats(store, state.top)
        await rules.close()
        await pack.close()
      })
      return closed
    },
  }
}

async function changed(
  state: State,
  id: Hash,
  { signal, until }: { signal: AbortSignal; until: Hash | undefined },
): Promise<Change[] | CheckpointProblem> {
  if (!state.pack.has(id)) return problem(unknown(id))
  if (until !== undefined && !state.pack.has(until)) return problem(unknown(until))
  const now = until === undefined ? await take(state, signal, [id]) : { kind: 'taken' as const, id: until }
  return now.kind === 'problem' ? now : compareTrees((hash) => load(state, hash), id, now.id)
}

async function derive(
  { pack }: State,
  id: Hash,
  files: ReadonlyMap<string, Wanted>,
): Promise<{ kind: 'derived'; id: Hash } | CheckpointProblem> {
  if (!pack.has(id)) return problem(unknown(id))
  const derived = await deriveTree(pack, id, files)
  await pack.flush()
  return { kind: 'derived', id: derived }
}

async function restore(state: State, id: Hash, options: RestoreOptions): Promise<Restored | CheckpointProblem> {
  const { signal, onlyIfUnchangedSince: after, overwrite = [], dryRun = false } = options
  for (const wanted of [id, ...(after === undefined ? [] : [after])]) {
    if (!state.pack.has(wanted)) return problem(unknown(wanted))
  }
  const pins = after === undefined ? [id] : [id, after]
  const now = await take(state, signal, pins)
  if (now.kind === 'problem') return now
  const { root, pack, top } = state
  const mayOverwrite = (path: string) =>
    after === undefined || overwrite.some((given) => path === given || path.startsWith(`${given}/`))
  const states = { before: id, after: after ?? now.id, now: now.id }
  const outcome = await restoreTree(states, {
    root,
    pack,
    top,
    mayOverwrite,
    dryRun,
    load: (hash) => load(state, hash),
  })
  if (dryRun) return { kind: 'restored', ...outcome }
  // Whether it worked is seen on the disk.
  const then = await take(state, new AbortController().signal, pins)
  if (then.kind === 'problem') return then
  const left = new Set((await compareTrees((hash) => load(state, hash), id, then.id)).map(({ path }) => path))
  const failed = outcome.restored.filter(({ path }) => left.has(path) && !isNamed(outcome.conflicts, path))
  const conflicts = [...outcome.conflicts, ...failed.map(({ path }) => ({ path, why: 'failed' as const }))]
  return { kind: 'restored', restored: outcome.restored.filter(({ path }) => !isNamed(conflicts, path)), conflicts }
}

function isNamed(conflicts: readonly Conflict[], path: string): boolean {
  return conflicts.some((conflict) => conflict.path === path)
}

async function load({ pack }: State, hash: Hash) {
  const tree = await loadTree(pack, hash)
  if (tree === undefined)
    throw new FileProblem({ code: 'snapshot-damaged', message: 'A part of the snapshot is lost.' })
  return tree
}

function unknown(id: Hash): Diagnostic {
  return { code: 'no-snapshot', message: `There is no snapshot ${id.slice(0, 12)}.` }
}
