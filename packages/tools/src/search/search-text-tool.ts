import { TEXT_LIMIT } from '@maru/agent'
import type { Masking } from '@maru/guard'
import type { Diagnostic, Tool, ToolResult } from '@maru/protocol'
import { readArguments } from '../read-arguments.ts'
import { failure, INTERRUPTED, refusal } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { renderSearch } from './render-search.ts'
import { type SearchAnswer, type SearchArguments, searchText, type TextFound } from './search-text.ts'
import { incomplete, largeFiles, unreadableFiles } from './shortfalls.ts'
import { searchSpecs } from './specs.ts'

/** The tool that finds text: lines with numbers, by file, the best files first. */
export function createSearchText(workspace: Workspace, masking?: Masking): Tool {
  return {
    spec: searchSpecs.SearchText,
    async prepare(args) {
      const read = readArguments<SearchArguments>(searchSpecs.SearchText.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      return {
        access: [{ kind: 'read', path: '.', where: 'inside' }],
        basis: [],
        run: async ({ signal }) => {
          if (signal.aborted) return failure(INTERRUPTED)
          const masker = await masking?.load()
          return resultOf(await searchText(workspace, read.args, { signal, masker }), read.args)
        },
      }
    },
  }
}

function resultOf(answer: SearchAnswer, args: SearchArguments): ToolResult {
  if (answer.kind === 'problem') return failure(answer.diagnostic)
  if (answer.stop === 'abort') return failure(INTERRUPTED)
  const { total, skipped, stop } = answer
  const diagnostics: Diagnostic[] = []
  if (stop) diagnostics.push(incomplete(stop))
  if (skipped.unreadable > 0) diagnostics.push(unreadableFiles(skipped.unreadable))
  if (skipped.large > 0) diagnostics.push(largeFiles(skipped.large))
  if (total.files === 0) diagnostics.push(nothingFound(answer, args))
  return {
    ok: true,
    data: { ...total, ...(skipped.binary > 0 && { binaryFiles: skipped.binary }) },
    ...(total.files > 0 && { stdout: renderSearch(answer, TEXT_LIMIT) }),
    ...(diagnostics.length > 0 && { diagnostics }),
  }
}

function nothingFound({ question, skipped }: TextFound, { include, exclude }: SearchArguments): Diagnostic {
  const binary = skipped.binary > 0 ? ` Files that are no text have it: ${skipped.binary}.` : ''
  return { code: 'nothing-found', message: `No matches.${binary}`, hint: hintFor() }

  function hintFor(): string {
    if (!question.isRegex && /\\[wdsb.()[\]]|\.\*|\.\+|\[[^\]]+\][*+]|\w\|\w|^\^|\$$/.test(question.query)) {
      return 'The query was taken as it is; set regex to true if it is one.'
    }
    if (include !== undefined || exclude !== undefined) {
      return 'Try without include and exclude. Ignored files are not searched, also when they are included.'
    }
    return 'Case matters: with regex, (?i) before the query ignores it. Or search for a part of it.'
  }
}
