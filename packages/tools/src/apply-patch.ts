import { changesScripts, isInsideGit, type Mark, type Masker, type Masking } from '@maru/guard'
import type { Access, Diagnostic, FileChange, Json, Prepared, Tool, ToolResult } from '@maru/protocol'
import { accessTo, approach } from './file-access.ts'
import { ABSENT, hashOf } from './hash.ts'
import { diffLines } from './line-diff.ts'
import type { PatchPlan, PlannedChange } from './patch/patch.ts'
import { planPatch } from './patch/plan-patch.ts'
import { limitPreview } from './preview.ts'
import { readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'
import { restoreText, showText } from './secret-text.ts'
import { specs } from './specs.ts'
import { encodeText } from './text/encode-text.ts'
import { readText, type TextForm } from './text/read-text.ts'
import { type FileEdit, hardLinked, type Inside, type Workspace } from './workspace.ts'

/** The tool that changes files by a patch, as models write them: exactly, or not at all. */
export function createApplyPatch(workspace: Workspace, masking?: Masking): Tool {
  return {
    spec: specs.ApplyPatch,
    async prepare(args) {
      const read = readArguments<{ patch: string }>(specs.ApplyPatch.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      return preparePatch(workspace, read.args.patch, await masking?.load())
    },
  }
}

/** Works out what a patch does; whoever may, runs it. */
/**
 * With a masker, the patch is laid on the files as the model has seen them: what it did not change comes back exactly.
 */
export async function preparePatch(workspace: Workspace, patch: string, masker?: Masker): Promise<Prepared> {
  const files = new OpenFiles(workspace, masker)
  const plan = await planPatch(masker?.maskKnown(patch) ?? patch, { read: (path) => files.read(path) })
  if (files.problems.length > 0) return refuse(files.problems, files.refused)
  if (!plan.ok) return refuse(plan.diagnostics)
  const changes: Change[] = []
  for (const change of plan.changes) {
    const made = await toEdits(change, files)
    if ('problem' in made) return refuse([made.problem], files.refused)
    changes.push(made)
  }
  const edits = changes.flatMap(({ edits: own }) => own)
  const previews = changes.map(({ change, mark }) => previewOf(change, { mark, masker }))
  const lines = previews.reduce((sum, { changed }) => sum + changed, 0)
  return {
    access: [...changes.flatMap(({ access }) => access), { kind: 'reach', files: changes.length, lines }],
    preview: { kind: 'diff', text: limitPreview(previews.map(({ text }) => text).join('\n')) },
    basis: edits.map(({ basis }) => basis),
    canStage: true,
    async run(context) {
      if (context.signal.aborted) return failure(INTERRUPTED)
      // As it was, for whoever wants it back.
      const kept = Promise.all(files.contents().map(({ content, path }) => context.keep(content, path)))
      const changed = await workspace.change(edits, Promise.all([kept, context.recorded]))
      if (changed.kind === 'problem') return failure(changed.diagnostic)
      if (changed.kind === 'stale') return failure(stale(changed.path))
      const made = edits.map((edit) => toFileChange(edit, files))
      return { ok: true, data: describe(plan), stdout: showLanded(plan), files: made }
    },
  }
}

interface Change {
  change: PlannedChange
  edits: FileEdit[]
  access: Access[]
  mark: Mark | undefined
}

interface OpenFile {
  place: Inside
  mark: Mark | undefined
  basis: string
  form: TextForm
  mode?: number
  content?: Uint8Array
  /** Its text as it is, where `read` gives it masked. */
  text?: string
}

const NEW_FILE: TextForm = { encoding: 'utf-8', bom: false }

/** The files of one patch, as the patch names them. What stands in the way of one is kept: it is the true cause. */
class OpenFiles {
  readonly problems: Diagnostic[] = []
  readonly refused: Access[] = []
  readonly masker: Masker | undefined
  readonly #workspace: Workspace
  readonly #open = new Map<string, OpenFile>()

  constructor(workspace: Workspace, masker?: Masker) {
    this.#workspace = workspace
    this.masker = masker
  }

  async read(path: string): Promise<string | undefined> {
    const place = await this.#approach(path)
    if (!place) return undefined
    const look = await this.#workspace.look(place.place)
    switch (look.kind) {
      case 'absent':
        this.#open.set(path, { ...place, basis: ABSENT, form: NEW_FILE })
        return undefined
      case 'problem':
        return this.#refuse(look.diagnostic)
      case 'huge':
        return this.#refuse({
          code: 'too-large',
          message: `${path} is too large to be patched.`,
          hint: 'Use a command.',
        })
      case 'file':
        break
      default:
        return look satisfies never
    }
    if (look.stats.nlink > 1) return this.#refuse(hardLinked(path).diagnostic)
    const content = readText(look.bytes)
    if (content.kind !== 'text') {
      const hint = 'Only text can be patched; change it with a command.'
      return this.#refuse({ code: 'not-text', message: `${path} ${content.reason}.`, hint })
    }
    this.#open.set(path, {
      ...place,
      basis: look.hash,
      form: content,
      mode: look.stats.mode & 0o7777,
      content: look.bytes,
      text: content.text,
    })
    return showText(content.text, place.place.path, this.masker)
  }

  /** Those that are there, as they are. */
  contents(): { path: string; content: Uint8Array }[] {
    return [...this.#open.values()].flatMap(({ place, content }) => (content ? [{ path: place.path, content }] : []))
  }

  modeOf(path: string): number | undefined {
    return [...this.#open.values()].find(({ place }) => place.path === path)?.mode
  }

  /** One that the plan changes; looked at now, if the plan had no need to. */
  async get(path: string): Promise<OpenFile | undefined> {
    if (!this.#open.has(path)) await this.read(path)
    return this.#open.get(path)
  }

  async #approach(path: string): Promise<{ place: Inside; mark: Mark | undefined } | undefined> {
    const way = await approach(this.#workspace, path, 'write')
    if (way.kind === 'refused') {
      this.refused.push(...way.access)
      return this.#refuse(way.diagnostic)
    }
    if (!isInsideGit(way.place.path)) return way
    this.refused.push(accessTo(way.place, 'write', 'protected'))
    const message = `${path} is part of .git, which file tools never write.`
    return this.#refuse({ code: 'git-internal', message, hint: 'Use git commands through RunCommand.' })
  }

  #refuse(diagnostic: Diagnostic): undefined {
    this.problems.push(diagnostic)
    return undefined
  }
}

async function toEdits(change: PlannedChange, files: OpenFiles): Promise<Change | { problem: Diagnostic }> {
  const file = await files.get(change.path)
  if (!file) return { problem: files.problems.at(-1) ?? noPlace(change.path) }
  const { place, basis, form, mode } = file
  const target = change.kind === 'rename' ? await files.get(change.to) : undefined
  if (change.kind === 'rename' && !target) return { problem: files.problems.at(-1) ?? noPlace(change.to) }
  const { path } = target?.place ?? place
  const { text: before } = file
  const real =
    change.kind === 'delete' ? { text: undefined } : restoreText(change.after, { path, before, masker: files.masker })
  if ('problem' in real) return real
  const after = real.text
  const mark = file.mark ?? (changesScripts(change.path, before, after) ? 'protected' : undefined)
  if (change.kind === 'delete' || after === undefined) {
    return { change, mark, edits: [{ place, basis }], access: [accessTo(place, 'delete', mark)] }
  }
  const content = encodeText(after, form)
  if ('problem' in content) return content
  if (change.kind !== 'rename' || !target) {
    const isNew = change.kind === 'create'
    const edit = { place, basis, content, ...(isNew && change.isExecutable && { mode: 0o777 }) }
    return { change, mark, edits: [edit], access: [accessTo(place, basis === ABSENT ? 'create' : 'write', mark)] }
  }
  return {
    change,
    mark: mark ?? target.mark,
    edits: [
      { place: target.place, basis: target.basis, content, ...(mode !== undefined && { mode }) },
      { place, basis },
    ],
    access: [accessTo(target.place, 'create', target.mark), accessTo(place, 'delete', mark)],
  }
}

function noPlace(path: string): Diagnostic {
  return { code: 'bad-path', message: `${path} cannot be used.` }
}

// A preview is stored with the question; what is secret stays out of it.
function previewOf(
  change: PlannedChange,
  { mark, masker }: { mark: Mark | undefined; masker: Masker | undefined },
): { text: string; changed: number } {
  const path = change.kind === 'rename' ? change.to : change.path
  const before = change.kind === 'create' ? undefined : change.before
  const after = change.kind === 'delete' ? undefined : showText(change.after, path, masker)
  const { text, changed } = diffLines(path, before, after)
  const renamed = change.kind === 'rename' ? `rename ${change.path} to ${change.to}\n` : ''
  return { text: mark === 'secret' && !masker ? `${path}: ${changed} lines change.` : renamed + text, changed }
}

function describe({ changes, alreadyApplied }: PatchPlan): Json {
  return {
    files: changes.map((change) => ({
      [change.kind]: change.kind === 'rename' ? `${change.path} -> ${change.to}` : change.path,
      ...tolerances(change),
    })),
    ...(alreadyApplied.length > 0 && {
      alreadyApplied: alreadyApplied.map(({ file, hunk }) => (hunk === undefined ? file : `${file}, hunk ${hunk}`)),
    }),
  }
}

function tolerances(change: PlannedChange): { tolerated?: string[] } {
  const used = change.kind === 'delete' ? [] : [...new Set(change.landed.flatMap((landed) => landed.tolerances))]
  return used.length > 0 ? { tolerated: used } : {}
}

function showLanded({ changes }: PatchPlan): string {
  return changes
    .flatMap((change) => {
      if (change.kind === 'delete') return []
      const path = change.kind === 'rename' ? change.to : change.path
      return change.landed.map(({ first, last, lines }) => `${path} ${first}-${last}:\n${lines}`)
    })
    .join('\n')
}

function toFileChange({ place, basis, content }: FileEdit, files: OpenFiles): FileChange {
  const mode = files.modeOf(place.path)
  return {
    path: place.path,
    ...(basis !== ABSENT && { before: basis }),
    ...(basis !== ABSENT && mode !== undefined && { mode }),
    ...(content && { after: hashOf(content) }),
  }
}

function stale(path: string): Diagnostic {
  const message = `${path} is no longer what it was when this patch was prepared; nothing was changed.`
  return { code: 'changed-since', message, hint: 'Read the file again and send the patch anew.' }
}

function refuse(diagnostics: readonly Diagnostic[], access: Access[] = []): Prepared {
  return {
    access,
    basis: [],
    run: async (): Promise<ToolResult> => ({ ok: false, diagnostics: [...diagnostics] }),
  }
}
