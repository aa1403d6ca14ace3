import type { Diagnostic, FileChange, Hash } from '@maru/protocol'
import type { Checkpoints } from '../checkpoint/open-checkpoints.ts'
import { ABSENT } from '../hash.ts'
import type { FileEdit, Workspace } from '../workspace.ts'
import type { CallEffect, RunEffects } from './run-effects.ts'

/** What taking a run back needs. */
export interface UndoPlace {
  workspace: Workspace
  /** Content that file tools kept, by its hash. */
  content(hash: Hash): Promise<Uint8Array | undefined>
  /** Opened when a command has to be taken back. */
  checkpoints(): Promise<Checkpoints>
  signal: AbortSignal
  /** Paths that a person said may be overwritten all the same. */
  overwrite: readonly string[]
  dryRun: boolean
}

/** What came of it. `left` was changed by somebody else since, or could not be brought back: it is as it was found. */
export interface Undone {
  restored: FileChange[]
  left: { path: string; why: string }[]
}

/** Takes back what a run did, the last call first. What others changed since is left alone and named. */
export async function undoRun({ effects }: RunEffects, place: UndoPlace): Promise<Undone | { problem: Diagnostic }> {
  const undone: Undone = { restored: [], left: [] }
  for (const effect of effects.toReversed()) {
    const result = effect.snapshots
      ? await undoCommand(effect.snapshots, place)
      : await undoFiles(effect, place, undone)
    if ('problem' in result) return result
    undone.restored.push(...result.restored)
    undone.left.push(...result.left)
  }
  return undone
}

async function undoCommand(
  { before, after }: NonNullable<CallEffect['snapshots']>,
  { checkpoints, signal, overwrite, dryRun }: UndoPlace,
): Promise<Undone | { problem: Diagnostic }> {
  const store = await checkpoints()
  // Of a command that never ended nobody knows what it did: everything since counts as somebody else's.
  const since = after ?? before
  const result = await store.restore(before, { signal, onlyIfUnchangedSince: since, overwrite, dryRun })
  if (result.kind === 'problem') return { problem: result.diagnostic }
  const { fileChanges } = await import('../checkpoint/compare.ts')
  return {
    restored: fileChanges(result.restored),
    left: result.conflicts.map(({ path, why }) => ({ path, why })),
  }
}

async function undoFiles(
  { files }: CallEffect,
  place: UndoPlace,
  { restored }: Undone,
): Promise<Undone | { problem: Diagnostic }> {
  // Nothing is done in a dry run: what a later call changed counts as taken back.
  const pretended = new Set(place.dryRun ? restored.map(({ path }) => path) : [])
  const undone: Undone = { restored: [], left: [] }
  const edits: FileEdit[] = []
  for (const file of files) {
    const edit = await toEdit(file, { ...place, overwrite: [...place.overwrite, ...pretended] })
    if ('why' in edit) undone.left.push({ path: file.path, why: edit.why })
    else edits.push(edit)
  }
  if (!place.dryRun && edits.length > 0) {
    const changed = await place.workspace.change(edits)
    if (changed.kind === 'problem') return { problem: changed.diagnostic }
    if (changed.kind === 'stale')
      return { problem: { code: 'changed-since', message: `${changed.path} changes right now.` } }
  }
  const isDone = new Set(edits.map(({ place: { path } }) => path))
  for (const { path, before, after } of files.filter((file) => isDone.has(file.path))) {
    undone.restored.push({
      path,
      ...(after !== undefined && { before: after }),
      ...(before !== undefined && { after: before }),
    })
  }
  return undone
}

async function toEdit(file: FileChange, place: UndoPlace): Promise<FileEdit | { why: string }> {
  const { path, before, after = ABSENT, mode } = file
  const found = await place.workspace.locate(path, 'write')
  if (found.where !== 'inside') return { why: 'not-kept' }
  const look = await place.workspace.look(found)
  if (look.kind === 'problem' || look.kind === 'huge') return { why: 'changed-since' }
  const now = look.kind === 'file' ? look.hash : ABSENT
  if (now !== after && !place.overwrite.includes(path)) return { why: 'changed-since' }
  if (before === undefined) return { place: found, basis: now }
  const content = await place.content(before)
  if (!content) return { why: 'not-kept' }
  return { place: found, basis: now, content, ...(mode !== undefined && { mode }) }
}
