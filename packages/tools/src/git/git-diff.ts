import { TEXT_LIMIT } from '@maru/agent'
import type { Tool, ToolResult } from '@maru/protocol'
import { isSecret } from '../search/secret-files.ts'
import { type FileStat, fitDiff, parseNumstat, renderStats } from './fit-diff.ts'
import { createGitTool, type GitPlace, type GitQuestion, literally } from './git-tool.ts'
import { maskDiff } from './mask-diff.ts'
import type { GitProblem, Repository } from './run-git.ts'
import { gitSpecs } from './specs.ts'

const DEFAULT_LIMIT = 400

type Options = { staged?: boolean; limit?: number }

/** The tool that shows what has changed, file by file. */
export function createGitDiff(place: GitPlace): Tool {
  return createGitTool<Options>(place, {
    spec: gitSpecs.GitDiff,
    ask: askDiff,
  })
}

const PLAIN = [
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--ignore-submodules=dirty', '--relative'],
  ...['-M', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/', '--diff-algorithm=histogram'],
]
const PATCH_LIMIT = 2 * 1024 * 1024

async function askDiff(
  repository: Repository,
  { path, options, signal, masker }: GitQuestion<Options>,
): Promise<ToolResult | GitProblem> {
  const which = ['diff', ...(options.staged ? ['--cached'] : []), ...PLAIN]
  const counted = await repository.run([...which, '--numstat', '-z', '--', literally(path)], { signal })
  if (counted.kind === 'problem') return counted
  const stats = parseNumstat(counted.stdout.toString())
  if (stats.length === 0) return nothing(options, path)
  const patch = await repository.run([...which, '-U3', '--', literally(path)], { signal, limit: PATCH_LIMIT })
  if (patch.kind === 'problem') return patch
  const { limit = DEFAULT_LIMIT } = options
  const secrets = stats.filter((stat) => isSecret(stat.path) || isSecret(stat.from ?? '')).map((stat) => stat.path)
  const masked = maskDiff(patch.stdout.toString(), masker)
  return render(stats, { patch: masked, secrets, isMasked: masker !== undefined, limit, isCut: patch.isCut })
}

function nothing({ staged }: Options, path: string): ToolResult {
  const where = path === '.' ? '' : ` in ${path}`
  const stdout = staged ? `Nothing is staged${where}.` : `Nothing has changed${where} that is not staged.`
  return { ok: true, data: { files: 0 }, stdout }
}

interface Patch {
  patch: string
  secrets: readonly string[]
  isMasked: boolean
  limit: number
  isCut: boolean
}

function render(stats: readonly FileStat[], { patch, secrets, isMasked, limit, isCut }: Patch): ToolResult {
  const summary = renderStats(stats)
  const shown = fitDiff(patch, { lines: limit, characters: TEXT_LIMIT - summary.length - 600, isCut })
  const named = secrets.slice(0, 10).join(', ')
  const hidden = isMasked
    ? { code: 'secret-masked', message: `The values in ${named} are masked: they are secret.` }
    : { code: 'secret-not-shown', message: `What has changed in ${named} is not shown: it holds secrets.` }
  return {
    ok: true,
    data: {
      files: stats.length,
      added: stats.reduce((sum, { added }) => sum + added, 0),
      removed: stats.reduce((sum, { removed }) => sum + removed, 0),
    },
    stdout: `${summary}\n${shown}`.trimEnd(),
    ...(secrets.length > 0 && { diagnostics: [hidden] }),
  }
}
