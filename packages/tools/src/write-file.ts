import { changesScripts, isInsideGit, type Mark, type Masker, type Masking } from '@maru/guard'
import type { Prepared, Preview, Tool, ToolResult } from '@maru/protocol'
import { accessTo, approach } from './file-access.ts'
import { ABSENT, hashOf } from './hash.ts'
import { diffLines } from './line-diff.ts'
import { splitLines } from './number-lines.ts'
import { limitPreview } from './preview.ts'
import { readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'
import { restoreText, showText } from './secret-text.ts'
import { specs } from './specs.ts'
import { encodeText } from './text/encode-text.ts'
import { type FileContent, readText } from './text/read-text.ts'
import { hardLinked, type Inside, type Look, type Workspace } from './workspace.ts'

type Before = Extract<Look, { kind: 'file' | 'absent' }>

/** The tool that writes a file whole: shown as a diff first, then put in place in one step. */
export function createWriteFile(workspace: Workspace, masking?: Masking): Tool {
  return {
    spec: specs.WriteFile,
    async prepare(args) {
      const read = readArguments<{ path: string; content: string }>(specs.WriteFile.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const way = await approach(workspace, read.args.path, 'write')
      if (way.kind === 'refused') return refusal(way.diagnostic, way.access)
      const { place, mark } = way
      if (isInsideGit(place.path)) return refuseGit(place)
      const before = await workspace.look(place)
      if (before.kind === 'problem') return refusal(before.diagnostic)
      if (before.kind === 'huge') return refuseHuge(place)
      if (before.kind === 'file' && before.stats.nlink > 1) return refusal(hardLinked(place.path).diagnostic)
      const masker = await masking?.load()
      return prepareWrite(workspace, { place, mark, before, content: read.args.content, masker })
    },
  }
}

interface Write {
  place: Inside
  mark: Mark | undefined
  before: Before
  content: string
  masker: Masker | undefined
}

function prepareWrite(workspace: Workspace, { place, mark, before, content, masker }: Write): Prepared {
  const basis = before.kind === 'file' ? before.hash : ABSENT
  const old = before.kind === 'file' ? readText(before.bytes) : undefined
  const { path } = place
  const real = restoreText(content, { path, before: old?.kind === 'binary' ? '' : old?.text, masker })
  if ('problem' in real) return refusal(real.problem)
  const text = old?.kind === 'text' && old.eol === 'crlf' ? real.text.replaceAll(/\r?\n/g, '\r\n') : real.text
  const bytes = encodeText(text, old?.kind === 'text' ? old : { encoding: 'utf-8', bom: false })
  if ('problem' in bytes) return refusal(bytes.problem)
  const was = old?.kind === 'text' ? old.text : undefined
  const judged = mark ?? (changesScripts(place.path, was, text) ? 'protected' : undefined)
  const { preview, lines } = previewOf(path, { mark, before, old, text, masker })
  return {
    access: [accessTo(place, before.kind === 'file' ? 'write' : 'create', judged), { kind: 'reach', files: 1, lines }],
    preview,
    basis: [basis],
    canStage: true,
    async run(context) {
      if (context.signal.aborted) return failure(INTERRUPTED)
      // As it was, for whoever wants it back.
      const kept = before.kind === 'file' ? context.keep(before.bytes, place.path) : undefined
      const recorded = Promise.all([kept, context.recorded])
      return write(workspace, place, { before, bytes, lines: splitLines(text).length, recorded })
    },
  }
}

async function write(
  workspace: Workspace,
  place: Inside,
  { before, bytes, lines, recorded }: { before: Before; bytes: Uint8Array; lines: number; recorded: Promise<unknown> },
): Promise<ToolResult> {
  const { path } = place
  const basis = before.kind === 'file' ? before.hash : ABSENT
  const changed = await workspace.change([{ place, basis, content: bytes }], recorded)
  switch (changed.kind) {
    case 'problem':
      return failure(changed.diagnostic)
    case 'stale':
      return failure({
        code: 'changed-since',
        message: `${path} is no longer what it was when this change was prepared; nothing was written.`,
        hint: 'Read the file again, then write it with both changes.',
      })
    case 'done':
      return {
        ok: true,
        data: { path, created: basis === ABSENT, lines },
        files: [
          {
            path,
            ...(before.kind === 'file' && { before: before.hash, mode: before.stats.mode & 0o7777 }),
            after: hashOf(bytes),
          },
        ],
      }
    default:
      return changed satisfies never
  }
}

interface Previewed extends Pick<Write, 'mark' | 'before' | 'masker'> {
  old: FileContent | undefined
  text: string
}

function previewOf(
  path: string,
  { mark, before, old, text: now, masker }: Previewed,
): { preview: Preview; lines: number } {
  const show = (shown: string) => showText(shown, path, masker)
  const was = old?.kind === 'binary' ? '' : old?.text
  const { text, changed } = diffLines(path, was === undefined ? undefined : show(was), show(now))
  // A preview is stored with the question; what is secret stays out of it.
  if (mark === 'secret' && !masker)
    return { preview: { kind: 'text', text: `${path}: ${changed} lines change.` }, lines: changed }
  const isKnown = old === undefined || old.kind === 'text' || before.kind !== 'file'
  const note = isKnown ? '' : `${path} ${old.reason}, ${before.bytes.length} bytes; it is replaced.\n`
  return { preview: { kind: 'diff', text: limitPreview(note + text) }, lines: changed }
}

function refuseGit(place: Inside): Prepared {
  const hint = 'Use git commands through RunCommand.'
  const diagnostic = {
    code: 'git-internal',
    message: `${place.path} is part of .git, which file tools never write.`,
    hint,
  }
  return refusal(diagnostic, [accessTo(place, 'write', 'protected')])
}

function refuseHuge(place: Inside): Prepared {
  const hint = 'Change it with a command, or write a new file.'
  return refusal({ code: 'too-large', message: `${place.path} is too large to be replaced whole.`, hint })
}
