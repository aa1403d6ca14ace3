import type { FileChange, Hash } from '@maru/protocol'
import { fileChanges } from '../checkpoint/compare.ts'
import { diffLines } from '../line-diff.ts'
import { readText } from '../text/read-text.ts'
import type { CallEffect, RunEffects } from './run-effects.ts'
import type { UndoPlace } from './undo-run.ts'

type DiffPlace = Pick<UndoPlace, 'workspace' | 'content' | 'checkpoints' | 'signal'>

/** A unified diff of the files that runs changed: as they were before the first of them, and as they are now. */
export async function diffRuns(runs: readonly RunEffects[], place: DiffPlace): Promise<string> {
  const before = new Map<string, Hash | undefined>()
  for (const effect of runs.flatMap(({ effects }) => effects)) {
    for (const { path, before: old } of await filesOf(effect, place)) if (!before.has(path)) before.set(path, old)
  }
  const diffs: string[] = []
  for (const [path, hash] of [...before].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const old = hash === undefined ? undefined : await contentOf(hash, place)
    const now = await contentNow(path, place)
    if (old === now) continue
    diffs.push(diffLines(path, old, now).text)
  }
  return diffs.join('\n')
}

/** The files that runs changed, as they were before the first of them and as the last one left them. */
export async function filesOfRuns(runs: readonly RunEffects[], place: DiffPlace): Promise<FileChange[]> {
  const changed = new Map<string, FileChange>()
  for (const effect of runs.flatMap(({ effects }) => effects)) {
    for (const { path, before, after } of await filesOf(effect, place)) {
      const first = changed.has(path) ? changed.get(path)?.before : before
      changed.set(path, { path, ...(first !== undefined && { before: first }), ...(after !== undefined && { after }) })
    }
  }
  return [...changed.values()]
    .filter(({ before, after }) => before !== after)
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

async function filesOf({ files, snapshots }: CallEffect, { checkpoints, signal }: DiffPlace): Promise<FileChange[]> {
  if (!snapshots) return files
  const store = await checkpoints()
  const until = snapshots.after
  const changed = await store.changed(snapshots.before, { signal, ...(until !== undefined && { until }) })
  return 'kind' in changed ? [] : fileChanges(changed)
}

async function contentOf(hash: Hash, { content, checkpoints }: DiffPlace): Promise<string> {
  const bytes = (await content(hash)) ?? (await (await checkpoints()).read(hash))
  return bytes ? shown(bytes) : '(its content was not kept)\n'
}

async function contentNow(path: string, { workspace }: DiffPlace): Promise<string | undefined> {
  const place = await workspace.locate(path)
  if (place.where !== 'inside') return undefined
  const look = await workspace.look(place)
  if (look.kind === 'file') return shown(look.bytes)
  return look.kind === 'huge' ? '(too large to show)\n' : undefined
}

function shown(bytes: Uint8Array): string {
  const content = readText(bytes)
  return content.kind === 'binary' ? `(${content.reason})\n` : content.text
}
