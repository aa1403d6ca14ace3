import type { Diagnostic, Tool, ToolResult } from '@maru/protocol'
import { accessTo, approach } from '../file-access.ts'
import { readArguments } from '../read-arguments.ts'
import { failure, INTERRUPTED, refusal } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { type ListAnswer, type ListArguments, listFiles } from './list-files.ts'
import { renderList } from './render-list.ts'
import { incomplete, unreadableFiles } from './shortfalls.ts'
import { searchSpecs } from './specs.ts'

/** The tool that lists files: sorted paths, large folders as one line, true totals. */
export function createListFiles(workspace: Workspace): Tool {
  return {
    spec: searchSpecs.ListFiles,
    async prepare(args) {
      const read = readArguments<ListArguments>(searchSpecs.ListFiles.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const way = await approach(workspace, read.args.path ?? '.', 'read')
      if (way.kind === 'refused') return refusal(way.diagnostic, way.access)
      return {
        // Names are not what a folder of secrets hides.
        access: [accessTo(way.place, 'read', undefined)],
        basis: [],
        run: async ({ signal }) => {
          if (signal.aborted) return failure(INTERRUPTED)
          return resultOf(await listFiles(workspace, read.args, { signal }), read.args)
        },
      }
    },
  }
}

function resultOf(answer: ListAnswer, { glob }: ListArguments): ToolResult {
  if (answer.kind === 'problem') return failure(answer.diagnostic)
  if (answer.stop === 'abort') return failure(INTERRUPTED)
  const { path, total, isIgnored, unreadable, stop } = answer
  const diagnostics: Diagnostic[] = []
  if (stop) diagnostics.push(incomplete(stop))
  if (isIgnored) {
    diagnostics.push({
      code: 'ignored-folder',
      message: `${path} is left out by an ignore rule; listed because it was named.`,
    })
  }
  if (unreadable > 0) diagnostics.push(unreadableFiles(unreadable))
  if (total.files === 0) {
    const message = glob === undefined ? `There are no files in ${path}.` : `No file in ${path} fits the glob.`
    const hint = 'Ignored files, links and empty folders are not listed.'
    diagnostics.push({ code: 'nothing-found', message, hint })
  }
  return {
    ok: true,
    data: { path, files: total.files, folders: total.folders },
    ...(total.files > 0 && { stdout: renderList(answer) }),
    ...(diagnostics.length > 0 && { diagnostics }),
  }
}
