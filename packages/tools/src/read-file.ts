import { TEXT_LIMIT } from '@maru/agent'
import type { Masker, Masking } from '@maru/guard'
import type { Diagnostic, Prepared, Tool, ToolContext, ToolResult } from '@maru/protocol'
import { keptCallOf } from './command/keep-output.ts'
import { accessTo, approach } from './file-access.ts'
import { numberLines } from './number-lines.ts'
import { badArguments, readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'
import { showText } from './secret-text.ts'
import { specs } from './specs.ts'
import { ENCODING_NAMES } from './text/encode-text.ts'
import { type FileContent, readText } from './text/read-text.ts'
import type { Look, Workspace } from './workspace.ts'

type Range = { startLine?: number; endLine?: number }

export interface ReadFileOptions {
  /** Looked at with each call. */
  readonly canSee?: boolean
  readonly masking?: Masking | undefined
}

/** The tool that shows a file: numbered lines, every cut stated, what is no text described; images to who can see. */
export function createReadFile(workspace: Workspace, options: ReadFileOptions = {}): Tool {
  return {
    spec: specs.ReadFile,
    async prepare(args) {
      const read = readArguments<{ path: string } & Range>(specs.ReadFile.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const { path, startLine = 1, endLine } = read.args
      if (endLine !== undefined && endLine < startLine) return refusal(badArguments('endLine is before startLine.'))
      const callId = keptCallOf(path)
      if (callId !== undefined) return prepareKept(path, callId, read.args)
      const way = await approach(workspace, path, 'read')
      if (way.kind === 'refused') return refusal(way.diagnostic, way.access)
      const { place, mark } = way
      return {
        access: [accessTo(place, 'read', mark)],
        basis: [],
        run: async ({ signal, keep }) => {
          if (signal.aborted) return failure(INTERRUPTED)
          const masker = await options.masking?.load()
          const canSee = options.canSee === true
          return show(await workspace.look(place), { path: place.path, range: read.args, canSee, keep, masker })
        },
      }
    },
  }
}

// It came from a call that was judged when it was made: there is nothing new to ask about.
function prepareKept(path: string, callId: string, range: Range): Prepared {
  return {
    access: [],
    basis: [],
    async run({ signal, kept }) {
      if (signal.aborted) return failure(INTERRUPTED)
      const bytes = await kept(callId)
      const content = bytes && readText(bytes)
      if (content)
        return content.kind === 'binary'
          ? described({ path, kind: 'binary', bytes: bytes.length }, '')
          : showLines(content, path, range)
      const hint = `Only long outputs are kept, under the name that their result says; a file of this name is ./${path}.`
      return failure({ code: 'not-found', message: `No output of a call ${callId} is kept.`, hint })
    },
  }
}

async function show(look: Look, { path, range, canSee, keep, masker }: Showing): Promise<ToolResult> {
  switch (look.kind) {
    case 'problem':
    case 'absent':
      return failure(look.diagnostic)
    case 'huge':
      return described({ path, kind: 'huge', bytes: look.size }, 'Use RunCommand with head, tail, sed -n or grep.')
    case 'file': {
      const content = readText(look.bytes)
      if (content.kind !== 'binary')
        return showLines({ ...content, text: showText(content.text, path, masker) }, path, range)
      const { mediaType } = content
      const data = { path, kind: mediaType ?? 'binary', bytes: look.bytes.length }
      if (!canSee || mediaType === undefined || !VISIBLE.has(mediaType)) {
        return described(data, 'Its content is not shown as text.')
      }
      return { ok: true, data, parts: [{ type: 'image', mediaType, blob: await keep(look.bytes, path) }] }
    }
    default:
      return look satisfies never
  }
}

interface Showing {
  path: string
  range: Range
  canSee: boolean
  keep: ToolContext['keep']
  masker: Masker | undefined
}

// What every vendor's models take.
const VISIBLE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function described(data: { path: string; kind: string; bytes: number }, hint: string): ToolResult {
  const message = `${data.path} is ${data.kind === 'huge' ? 'too large to show' : `not text (${data.kind})`}.`
  return { ok: true, data, diagnostics: [{ code: 'described', message, hint }] }
}

type Shown = Extract<FileContent, { text: string }>

function showLines(content: Shown, path: string, { startLine, endLine }: Range): ToolResult {
  const { text, encoding } = content
  const numbered = numberLines(text, {
    ...(startLine !== undefined && { first: startLine }),
    ...(endLine !== undefined && { last: endLine }),
    limit: TEXT_LIMIT - path.length,
  })
  if (numbered.kind === 'beyond') {
    const hint = `Give a startLine of at most ${numbered.total}.`
    return failure({ code: 'out-of-range', message: `${path} has ${numbered.total} lines.`, hint })
  }
  const { first, last, total } = numbered
  const lines = total === 0 ? 'empty file' : `${first}-${last} of ${total}`
  return {
    ok: true,
    data: {
      path,
      lines,
      ...(encoding !== 'utf-8' && { encoding: ENCODING_NAMES[encoding] }),
      ...(text.includes('\r\n') && { lineEnds: 'CRLF' }),
    },
    stdout: numbered.text,
    ...(content.kind === 'damaged' && { diagnostics: [damaged(path, content.reason)] }),
  }
}

function damaged(path: string, reason: string): Diagnostic {
  const message = `${path} ${reason}; what could not be read is shown as \uFFFD.`
  return { code: 'damaged-text', message, hint: 'Do not write it back; change it with a command.' }
}
