import { beginning, TEXT_LIMIT } from '@maru/agent'
import type { Tool, ToolResult } from '@maru/protocol'
import { createGitTool, type GitPlace, type GitQuestion, literally } from './git-tool.ts'
import type { GitProblem, Repository } from './run-git.ts'
import { gitSpecs } from './specs.ts'

const DEFAULT_LIMIT = 20

type Options = { limit?: number }

/** The tool that lists the latest commits with their messages. */
export function createGitLog(place: GitPlace): Tool {
  return createGitTool<Options>(place, {
    spec: gitSpecs.GitLog,
    ask: askLog,
  })
}

const FIELDS = ['%h', '%as', '%an', '%D', '%B'].join('%x1f')
const PLAIN = [
  '--no-show-signature',
  '--no-notes',
  '--no-mailmap',
  '--encoding=UTF-8',
  '--decorate=short',
  '--no-patch',
]

async function askLog(
  repository: Repository,
  { path, options, signal }: GitQuestion<Options>,
): Promise<ToolResult | GitProblem> {
  const head = await repository.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { signal })
  if (head.kind === 'problem') return head
  if (head.exit !== 0) return { ok: true, data: { commits: 0 }, stdout: 'There is no commit yet.' }
  const limit = options.limit ?? DEFAULT_LIMIT
  const scope = path === '.' && repository.place.prefix === '' ? [] : [literally(path)]
  // One more than asked for tells whether there are more.
  const args = ['log', '-z', `--format=${FIELDS}`, `--max-count=${limit + 1}`, ...PLAIN, '--', ...scope]
  const end = await repository.run(args, { signal })
  if (end.kind === 'problem') return end
  const commits = end.stdout.toString().split('\0').filter(Boolean)
  if (commits.length === 0) return { ok: true, data: { commits: 0 }, stdout: `No commit touches ${path}.` }
  const rendered = renderLog(commits.slice(0, limit))
  const more = commits.length > rendered.count ? ['[older commits are not shown]'] : []
  return { ok: true, data: { commits: rendered.count }, stdout: [rendered.text, ...more].join('\n') }
}

/** Commits, each as one line and its message below, as many as fit. */
export function renderLog(commits: readonly string[]): { text: string; count: number } {
  const shown: string[] = []
  let length = 0
  for (const commit of commits) {
    const text = renderCommit(commit)
    if (length + text.length > TEXT_LIMIT - 100) break
    shown.push(text)
    length += text.length + 1
  }
  return { text: shown.join('\n'), count: shown.length }
}

const SUBJECT_LIMIT = 300
const BODY_LINES = 8

function renderCommit(commit: string): string {
  const [hash, day, author, refs, ...message] = commit.split('\x1f')
  const [subject = '', ...body] = message.join(' ').trim().split('\n')
  const lines = body
    .join('\n')
    .trim()
    .split('\n')
    .filter((line, at, all) => line !== '' || all[at - 1] !== '')
  const kept = lines[0] === '' ? [] : lines.slice(0, BODY_LINES).map((line) => `    ${beginning(line, SUBJECT_LIMIT)}`)
  const rest = lines.length - BODY_LINES
  const where = refs ? ` (${beginning(refs, SUBJECT_LIMIT)})` : ''
  return [
    `${hash} ${day} ${beginning(author ?? '', 100)}${where}: ${beginning(subject, SUBJECT_LIMIT)}`,
    ...kept,
    ...(rest > 0 ? [`    [… ${rest} more lines]`] : []),
  ].join('\n')
}
