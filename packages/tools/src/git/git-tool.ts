import type { Masker, Masking } from '@maru/guard'
import type { Json, Prepared, Tool, ToolContext, ToolResult, ToolSpec } from '@maru/protocol'
import { accessTo, approach } from '../file-access.ts'
import { type ObjectSchema, readArguments } from '../read-arguments.ts'
import { failure, INTERRUPTED, refusal } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { type GitProblem, type Repository, withRepository } from './run-git.ts'

/** Where the git tools look. */
export interface GitPlace {
  readonly workspace: Workspace
  /** The directory that `workspace` was made for. */
  readonly root: string
  /** Says where the user's own git settings are: `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly masking?: Masking
}

/** What a git tool asks of a repository. `path` is below the root, or the root itself as `.`. */
export interface GitQuestion<Options> {
  readonly path: string
  readonly options: Options
  readonly signal: AbortSignal
  readonly masker: Masker | undefined
}

interface GitToolPlan<Options> {
  readonly spec: ToolSpec & { readonly schema: ObjectSchema }
  ask(repository: Repository, question: GitQuestion<Options>): Promise<ToolResult | GitProblem>
}

/** A tool that asks a repository something about a path in it, and changes nothing. */
export function createGitTool<Options>(place: GitPlace, { spec, ask }: GitToolPlan<Options>): Tool {
  return {
    spec,
    async prepare(args: Json): Promise<Prepared> {
      const read = readArguments<Options & { path?: string }>(spec.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const way = await approach(place.workspace, read.args.path ?? '.', 'read')
      if (way.kind === 'refused') return refusal(way.diagnostic, way.access)
      const { path } = way.place
      const run = async ({ signal }: ToolContext): Promise<ToolResult> => {
        if (signal.aborted) return failure(INTERRUPTED)
        const { root, environment, masking } = place
        const masker = await masking?.load()
        const result = await withRepository(root, { signal, environment }, (repository) =>
          ask(repository, { path, options: read.args, signal, masker }),
        )
        return 'kind' in result ? failure(result.diagnostic) : result
      }
      return { access: [accessTo(way.place, 'read', way.mark)], basis: [], run }
    },
  }
}

/** A pathspec that means this very path, whatever signs are in it. */
export function literally(path: string): string {
  return path === '.' ? '.' : `:(literal)${path}`
}
