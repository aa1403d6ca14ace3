export interface PathsOptions {
  readonly signal: AbortSignal
  /** At most so many. */
  readonly limit: number
}

const TIMEOUT_MS = 10_000

/**
 * The files of a folder that no ignore rule leaves out, as paths from it: names to offer to a person, nothing more. Gives
 * none where they cannot be listed.
 */
export async function listPaths(root: string, { signal, limit }: PathsOptions): Promise<string[]> {
  const [{ createWorkspace }, { approach }, { firstUsable }, { ENGINES }, { SafeTree }, { readExcludes }] =
    await Promise.all([
      import('../workspace.ts'),
      import('../file-access.ts'),
      import('./engine.ts'),
      import('./search-text.ts'),
      import('./safe-tree.ts'),
      import('./read-excludes.ts'),
    ])
  const workspace = createWorkspace(root)
  const way = await approach(workspace, '.', 'read')
  if (way.kind === 'refused') return []
  const found = await workspace.enter(way.place, async (lent) => {
    const tree = new SafeTree(lent)
    try {
      const scope = { root: lent, tree, rules: readExcludes(tree), names: [], signal, timeoutMs: TIMEOUT_MS }
      return await firstUsable(ENGINES, (engine) => engine.list(scope))
    } finally {
      tree.close()
    }
  })
  return found.kind === 'listed' ? firstPaths(found.paths, limit) : []
}

// One text, each path begun by `./` and ended by a NUL.
function firstPaths(text: string, limit: number): string[] {
  const paths: string[] = []
  for (let at = 0; at < text.length && paths.length < limit; ) {
    const end = text.indexOf('\0', at)
    if (end < 0) break
    paths.push(text.slice(at + 2, end))
    at = end + 1
  }
  return paths
}
