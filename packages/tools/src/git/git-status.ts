import type { Tool, ToolResult } from '@maru/protocol'
import { createGitTool, type GitPlace, type GitQuestion, literally } from './git-tool.ts'
import { parseStatus, type Status, type StatusEntry } from './parse-status.ts'
import type { GitProblem, Repository } from './run-git.ts'
import { gitSpecs } from './specs.ts'

const DEFAULT_LIMIT = 50

type Options = { limit?: number }

/** The tool that says which branch this is and what has changed. */
export function createGitStatus(place: GitPlace): Tool {
  return createGitTool<Options>(place, {
    spec: gitSpecs.GitStatus,
    ask: askStatus,
  })
}

// Submodules are not entered: they have a configuration of their own.
const ARGS = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignore-submodules=dirty']

async function askStatus(
  repository: Repository,
  { path, options, signal }: GitQuestion<Options>,
): Promise<ToolResult | GitProblem> {
  const end = await repository.run([...ARGS, '--find-renames', '--', literally(path)], { signal })
  if (end.kind === 'problem') return end
  const status = parseStatus(end.stdout.toString(), repository.place.prefix)
  const { branch, staged, changed, conflicted, untracked } = status
  const counts = {
    staged: staged.length,
    changed: changed.length,
    conflicted: conflicted.length,
    untracked: untracked.length,
  }
  const cut = { code: 'incomplete', message: 'There is more than could be read; ask about one directory.' }
  return {
    ok: true,
    data: { branch: branch ?? null, ...counts },
    stdout: renderStatus(status, options.limit ?? DEFAULT_LIMIT),
    ...(end.isCut && { diagnostics: [cut] }),
  }
}

/** The status in words: the branch, then each kind of change with its paths. */
export function renderStatus(status: Status, limit: number): string {
  const groups = [
    renderGroup('conflicted', status.conflicted, limit),
    renderGroup('staged', status.staged, limit),
    renderGroup('changed, not staged', status.changed, limit),
    renderGroup('untracked', status.untracked, limit),
  ].flat()
  return [renderBranch(status), ...(groups.length > 0 ? groups : ['nothing has changed'])].join('\n')
}

function renderBranch({ branch, commit, upstream, ahead, behind }: Status): string {
  const where = branch === undefined ? `HEAD is detached at ${commit?.slice(0, 10)}` : `on branch ${branch}`
  if (commit === undefined) return `${where}, no commit yet`
  if (upstream === undefined) return where
  const distance = [ahead > 0 ? `${ahead} ahead of` : '', behind > 0 ? `${behind} behind` : ''].filter(Boolean)
  return `${where}, ${distance.length > 0 ? distance.join(' and ') : 'level with'} ${upstream}`
}

function renderGroup(title: string, entries: readonly StatusEntry[], limit: number): string[] {
  if (entries.length === 0) return []
  const rest = entries.length - limit
  return [
    `${title} (${entries.length}):`,
    ...entries.slice(0, limit).map((entry) => `  ${renderEntry(entry)}`),
    ...(rest > 0 ? [`  [… ${rest} more; ask about one directory, or give a higher limit]`] : []),
  ]
}

function renderEntry({ change, path, from, isSubmodule }: StatusEntry): string {
  const name = `${from === undefined ? '' : `${from} → `}${path}${isSubmodule ? ' (submodule)' : ''}`
  return change === 'new' && from === undefined ? `new ${name}` : `${change} ${name}`
}
