import { TEXT_LIMIT } from '@maru/agent'
import type { Prepared, Tool, ToolResult } from '@maru/protocol'
import { keptCallOf } from './command/keep-output.ts'
import { decodeText, describeBinary } from './describe-bytes.ts'
import { accessTo, approach } from './file-access.ts'
import { numberLines } from './number-lines.ts'
import { badArguments, readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'
import { specs } from './specs.ts'
import type { Look, Workspace } from './workspace.ts'

type Range = { startLine?: number; endLine?: number }

/** The tool that shows a file: numbered lines, every cut stated, what is no text described. */
export function createReadFile(workspace: Workspace): Tool {
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
        run: async ({ signal }) => {
          if (signal.aborted) return failure(INTERRUPTED)
          return show(await workspace.look(place), place.path, read.args)
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
      if (bytes !== undefined) return showText(bytes, path, range)
      const hint = `Only long outputs are kept, under the name that their result says; a file of this name is ./${path}.`
      return failure({ code: 'not-found', message: `No output of a call ${callId} is kept.`, hint })
    },
  }
}

function show(look: Look, path: string, range: Range): ToolResult {
  switch (look.kind) {
    case 'problem':
    case 'absent':
      return failure(look.diagnostic)
    case 'huge':
      return described({ path, kind: 'huge', bytes: look.size }, 'Use RunCommand with head, tail, sed -n or grep.')
    case 'file': {
      const type = describeBinary(look.bytes)
      if (type === undefined) return showText(look.bytes, path, range)
      return described({ path, kind: type, bytes: look.bytes.length }, 'Its content is not shown as text.')
    }
    default:
      return look satisfies never
  }
}

function described(data: { path: string; kind: string; bytes: number }, hint: string): ToolResult {
  const message = `${data.path} is ${data.kind === 'huge' ? 'too large to show' : `not text (${data.kind})`}.`
  return { ok: true, data, diagnostics: [{ code: 'described', message, hint }] }
}

function showText(bytes: Uint8Array, path: string, { startLine, endLine }: Range): ToolResult {
  const { text, isUtf8 } = decodeText(bytes)
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
  const notUtf8 = {
    code: 'not-utf8',
    message: `${path} is not UTF-8; bytes that could not be read are shown as \uFFFD.`,
    hint: 'Do not write it back with WriteFile.',
  }
  return {
    ok: true,
    data: { path, lines, ...(text.includes('\r\n') && { lineEnds: 'CRLF' }) },
    stdout: numbered.text,
    ...(!isUtf8 && { diagnostics: [notUtf8] }),
  }
}
