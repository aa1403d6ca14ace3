import { changesScripts, isInsideGit, type Mark } from '@maru/guard'
import type { Hash, Prepared, Preview, Tool, ToolResult } from '@maru/protocol'
import { decodeText, describeBinary } from './describe-bytes.ts'
import { accessTo, approach } from './file-access.ts'
import { ABSENT, hashOf } from './hash.ts'
import { diffLines } from './line-diff.ts'
import { splitLines } from './number-lines.ts'
import { limitPreview } from './preview.ts'
import { readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'
import { specs } from './specs.ts'
import { hardLinked, type Inside, type Look, type Workspace } from './workspace.ts'

type Before = Extract<Look, { kind: 'file' | 'absent' }>

/** The tool that writes a file whole: shown as a diff first, then put in place in one step. */
export function createWriteFile(workspace: Workspace): Tool {
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
      return prepareWrite(workspace, { place, mark, before, content: read.args.content })
    },
  }
}

interface Write {
  place: Inside
  mark: Mark | undefined
  before: Before
  content: string
}

function prepareWrite(workspace: Workspace, { place, mark, before, content }: Write): Prepared {
  const basis = before.kind === 'file' ? before.hash : ABSENT
  const old = before.kind === 'file' ? decodeText(before.bytes).text : undefined
  const judged = mark ?? (changesScripts(place.path, old, content) ? 'protected' : undefined)
  const { preview, lines } = previewOf(place.path, { mark, before, content })
  return {
    access: [accessTo(place, before.kind === 'file' ? 'write' : 'create', judged), { kind: 'reach', files: 1, lines }],
    preview,
    basis: [basis],
    async run(context) {
      if (context.signal.aborted) return failure(INTERRUPTED)
      // As it was, for whoever wants it back.
      if (before.kind === 'file') await context.keep(before.bytes, place.path)
      return write(workspace, place, { before, content })
    },
  }
}

async function write(
  workspace: Workspace,
  place: Inside,
  { before, content }: { before: Before; content: string },
): Promise<ToolResult> {
  const { path } = place
  const basis = before.kind === 'file' ? before.hash : ABSENT
  const bytes = Buffer.from(content)
  const changed = await workspace.change([{ place, basis, content: bytes }])
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
        data: { path, created: basis === ABSENT, lines: splitLines(content).length },
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

function previewOf(
  path: string,
  { mark, before, content }: Pick<Write, 'mark' | 'before' | 'content'>,
): { preview: Preview; lines: number } {
  const kind = before.kind === 'file' ? describeBinary(before.bytes) : undefined
  const old = before.kind === 'file' ? decodeText(before.bytes).text : undefined
  const { text, changed } = diffLines(path, kind === undefined ? old : '', content)
  // A preview is stored with the question; what is secret stays out of it.
  if (mark === 'secret') return { preview: { kind: 'text', text: `${path}: ${changed} lines change.` }, lines: changed }
  const note =
    kind === undefined || before.kind !== 'file' ? '' : `${path} was ${kind}, ${before.bytes.length} bytes.\n`
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
