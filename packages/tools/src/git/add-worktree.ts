import type { Diagnostic } from '@maru/protocol'
import { findGit, PROGRAM_PLACES } from './find-git.ts'
import { findRepository } from './find-repository.ts'
import { openHarmlessGit } from './run-git.ts'
import { spawnBounded } from './spawn-bounded.ts'

/** What came of it; `none`: there is no repository with a commit, so that there can be no second work tree of it. */
export type Worktree = { kind: 'added' } | { kind: 'none' } | { kind: 'problem'; diagnostic: Diagnostic }

const LIMIT = 64 * 1024
const TIMEOUT_MS = 60_000

/**
 * Adds a work tree to the repository at `root`, at its present commit, without a branch and without its files: the
 * index knows them, whoever calls writes them. Nothing of what the repository asks for is run, be it a hook, a filter or
 * a monitor.
 */
export async function addWorktree(root: string, directory: string, signal: AbortSignal): Promise<Worktree> {
  const program = await findGit()
  const found = await findRepository(root)
  if (program === undefined || found.kind === 'none') return { kind: 'none' }
  if (found.kind === 'refused') return { kind: 'problem', diagnostic: found.diagnostic }
  const git = await openHarmlessGit(root, { signal, isHeld: true })
  const run = async (cwd: string, ...argv: string[]) => {
    const env = { ...git.environment, ...PLAIN }
    return spawnBounded({ program, argv, cwd, env, limit: LIMIT, timeoutMs: TIMEOUT_MS, signal })
  }
  try {
    const head = await run(root, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
    if (head.kind === 'ended' && head.exit === 1) return { kind: 'none' }
    const steps = [
      [root, 'worktree', 'add', '--detach', '--no-checkout', '--quiet', directory],
      [directory, 'read-tree', 'HEAD'],
    ] as const
    for (const [cwd, ...argv] of steps) {
      const end = await run(cwd, ...argv)
      if (end.kind === 'ended' && end.exit === 0) continue
      const said = end.kind === 'ended' ? end.stderr.trim().split('\n').slice(-3).join(' ').slice(0, 500) : end.kind
      return { kind: 'problem', diagnostic: { code: 'git-failed', message: `git ${argv[0]} failed: ${said}` } }
    }
    return { kind: 'added' }
  } finally {
    await git.dispose()
  }
}

// Nothing of the caller's own comes along.
const PLAIN = {
  PATH: PROGRAM_PLACES.join(process.platform === 'win32' ? ';' : ':'),
  HOME: '/nonexistent',
  LC_ALL: 'C',
}
