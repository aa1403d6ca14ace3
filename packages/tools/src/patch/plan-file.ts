import type { Evidence } from './evidence.ts'
import type { Budget } from './line-index.ts'
import type { AlreadyApplied, FilePatch, PatchDiagnostic, PlannedChange } from './patch.ts'
import { closestPaths } from './patch-path.ts'
import { planCreate } from './plan-create.ts'
import { planUpdate, type UpdatedFile } from './plan-update.ts'
import { Refused, refuse } from './refuse.ts'
import { splitText } from './text-lines.ts'

/** The files that a patch is for. */
export interface PatchSource {
  /** The text of a file with its own line endings, or nothing if there is no such file. */
  read(path: string): Promise<string | undefined>
  /** Paths that exist, of which one may have been meant where this one does not. */
  similar?(path: string): Promise<readonly string[]>
  /** The file that the patch is for if it does not name one. */
  readonly path?: string
  /** The added lines are indented as they are meant to be, even if nothing in the file is. */
  readonly keepsIndentation?: boolean
}

/** What becomes of one file; no change, if all is there already. */
export interface PlannedFile {
  change?: PlannedChange
  alreadyApplied: AlreadyApplied[]
  /** Why it is not certain that all is there; of no matter if the other files are not changed either. */
  doubts?: PatchDiagnostic[]
}

/** What the files of one patch share while they are planned. */
export interface Planning {
  readonly source: PatchSource
  readonly budget: Budget
  readonly evidence: Evidence
  readonly keepsIndentation: boolean
}

type Delete = Extract<FilePatch, { kind: 'delete' }>
type Update = Extract<FilePatch, { kind: 'update' }>

/** Works out what one file becomes. Throws `Refused`. */
export async function planFile(patch: FilePatch, planning: Planning): Promise<PlannedFile> {
  switch (patch.kind) {
    case 'create':
      return planned(patch.path, planCreate(patch, await planning.source.read(patch.path)))
    case 'delete':
      return planDelete(patch, planning)
    case 'update':
      return patch.moveTo === undefined ? planChange(patch, planning) : planRename(patch, patch.moveTo, planning)
    default:
      return patch satisfies never
  }
}

function planned(file: string, change: PlannedChange | undefined): PlannedFile {
  return change ? { change, alreadyApplied: [] } : appliedAlready(file)
}

function appliedAlready(file: string, doubts: PatchDiagnostic[] = []): PlannedFile {
  return { alreadyApplied: [{ file }], doubts }
}

async function planDelete(patch: Delete, planning: Planning): Promise<PlannedFile> {
  const { source } = planning
  const { path, before } = await find(patch, source)
  if (before === undefined) return missing(patch, source)
  if (patch.hunks.length > 0 && before !== '') {
    const updated = update(path, before, { patch, planning })
    if (updated.kind === 'applied' || splitText(updated.after).lines.length > 0) {
      const isCut = patch.hunks.at(-1)?.mayBeCut !== undefined
      const message = `The patch deletes ${path}, but does not hold all of its lines.`
      const hint = 'Send all lines of the file with -, or "*** Delete File" without lines.'
      refuse(isCut ? 'truncated' : 'not-found', { message, hint }, { file: path, line: patch.at })
    }
  }
  return planned(path, { kind: 'delete', path, before })
}

async function planChange(patch: Update, planning: Planning): Promise<PlannedFile> {
  const { source } = planning
  const { path, before } = await find(patch, source)
  const { hunks, mayCreate } = patch
  if (before === undefined && mayCreate && hunks[0])
    return planned(path, planCreate({ kind: 'create', path, at: patch.at, hunk: hunks[0] }, undefined))
  if (before === undefined) return missing(patch, source)
  if (hunks.length === 0) {
    const hint = 'Write its hunks, or leave the file out.'
    refuse(
      'malformed',
      { message: `The patch names ${path} and changes nothing in it.`, hint },
      { file: path, line: patch.at },
    )
  }
  const updated = update(path, before, { patch, planning })
  if (updated.kind === 'applied') return appliedAlready(path, updated.doubts)
  const { after, landed, applied } = updated
  return {
    change: { kind: 'update', path, before, after, landed },
    alreadyApplied: applied.map((hunk) => ({ file: path, hunk })),
  }
}

async function planRename(patch: Update, to: string, planning: Planning): Promise<PlannedFile> {
  const { source } = planning
  const { path, before } = await find(patch, source)
  if (to === path) return planChange(patch, planning)
  const there = await source.read(to)
  if (before === undefined) {
    if (there === undefined) return missing(patch, source)
    // Renamed already; then its hunks have to be there too.
    if (patch.hunks.length === 0) return appliedAlready(path)
    const updated = update(to, there, { patch, planning })
    return updated.kind === 'applied' ? appliedAlready(path, updated.doubts) : missing(patch, source)
  }
  if (there !== undefined) {
    const message = `${path} cannot become ${to}: that file exists already.`
    const hint = 'Choose another name, or delete that file first.'
    refuse('file-exists', { message, hint }, { file: path, line: patch.at })
  }
  const updated = patch.hunks.length === 0 ? undefined : update(path, before, { patch, planning })
  if (updated?.kind === 'applied' && updated.doubts.length > 0) throw new Refused(updated.doubts)
  const { after, landed, applied } =
    updated?.kind === 'changed'
      ? updated
      : { after: before, landed: [], applied: patch.hunks.map(({ number }) => number) }
  return {
    change: { kind: 'rename', path, to, before, after, landed },
    alreadyApplied: applied.map((hunk) => ({ file: path, hunk })),
  }
}

type Updated = Exclude<UpdatedFile, { kind: 'refused' }>

function update(
  path: string,
  before: string,
  { patch, planning }: { patch: Delete | Update; planning: Planning },
): Updated {
  const blobs = patch.kind === 'update' && patch.blobs && { blobs: patch.blobs }
  const updated = planUpdate(path, before, { ...planning, hunks: patch.hunks, ...blobs })
  if (updated.kind === 'refused') throw new Refused(updated.diagnostics)
  return updated
}

async function find(
  patch: Delete | Update,
  { read }: PatchSource,
): Promise<{ path: string; before: string | undefined }> {
  const { path, orPath } = patch
  const before = await read(path)
  const other = before === undefined && orPath !== undefined ? await read(orPath) : undefined
  const found = other === undefined || orPath === undefined ? { path, before } : { path: orPath, before: other }
  if (patch.kind === 'delete' || patch.oldPath === undefined || patch.oldPath === found.path) return found
  const { oldPath } = patch
  if ((await read(oldPath)) === undefined && found.before !== undefined) return found
  const message = `The patch names one file ${oldPath} above and ${found.path} below, and does not say that it is renamed.`
  const hint = 'Use the same path in --- and +++, or add "rename from" and "rename to".'
  return refuse('malformed', { message, hint }, { file: found.path, line: patch.at })
}

async function missing({ path, at, kind }: Delete | Update, { similar }: PatchSource): Promise<never> {
  const [closest, ...others] = closestPaths(path, (await similar?.(path)) ?? [])
  const message = `${path} does not exist.${kind === 'delete' ? ' Perhaps it is deleted already.' : ''}`
  const hint = closest
    ? `Did you mean ${[closest, ...others].join(' or ')}?`
    : kind === 'delete'
      ? 'Leave it out of the patch, or give its right path.'
      : 'Give the right path, or create it with --- /dev/null or *** Add File.'
  return refuse('file-missing', { message, hint }, { file: path, line: at })
}
