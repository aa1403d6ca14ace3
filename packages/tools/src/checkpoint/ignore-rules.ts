import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { openRepository, type Repository } from '../git/run-git.ts'
import type { Root } from '../walk.ts'
import { readSmall } from './read-bounded.ts'

/** Says what is none of our business. Asked only about names that are new. */
export interface IgnoreRules {
  /**
   * Which of `paths` are ignored; a directory ends in a slash. All are below `owner`, the nearest directory above them
   * that is a repository of its own ('' for the root); all names are relative to the root.
   */
  ignored(owner: string, paths: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>
  /** Forgets what was read: a `.gitignore` has changed. */
  refresh(): void
  close(): Promise<void>
}

export interface RulesOptions {
  readonly root: Root
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A directory of ours, where what is needed meanwhile goes with the session should nobody tidy up. */
  readonly scratch: string
}

/** Rules as git has them where there is a repository, and as `.gitignore` files say elsewhere. */
export function createIgnoreRules({ root, environment, scratch }: RulesOptions): IgnoreRules {
  const repositories = new Map<string, Promise<Repository | undefined>>()
  const plain = createPlainRules(root)
  const repositoryOf = (owner: string, signal: AbortSignal) => {
    let opened = repositories.get(owner)
    if (opened === undefined) {
      opened = openAt(join(root.path, owner), { isRoot: owner === '', environment, scratch, signal })
      repositories.set(owner, opened)
    }
    return opened
  }
  return {
    async ignored(owner, paths, signal) {
      const repository = await repositoryOf(owner, signal)
      const found = repository && (await askGit(repository, below(owner, paths), signal))
      if (found !== undefined) return new Set([...found].map((path) => above(owner, path)))
      // Whatever git stumbles over today, it will tomorrow: a pipe in place of a file, a work tree it does not know.
      if (!signal.aborted) {
        repositories.set(owner, Promise.resolve(undefined))
        await repository?.close()
      }
      return plain.ignored(owner, paths)
    },
    refresh: plain.refresh,
    async close() {
      for (const opened of repositories.values()) await (await opened)?.close()
      repositories.clear()
    },
  }
}

async function openAt(
  path: string,
  { isRoot, ...options }: Omit<RulesOptions, 'root'> & { isRoot: boolean; signal: AbortSignal },
): Promise<Repository | undefined> {
  const repository = await openRepository(path, options)
  if ('kind' in repository) return undefined
  if (isRoot || repository.place.prefix === '') return repository
  await repository.close()
  return undefined
}

const TIMEOUT_MS = 5_000

// Patterns first, without the index: git compares every path with every entry of it. What is tracked is never ignored,
// so those few that match are then looked up among what is tracked and matches as well.
async function askGit(
  repository: Repository,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  // A name that begins with a colon would be read as more than a name.
  const stdin = paths.map((path) => `./${path}\0`).join('')
  const asked = ['check-ignore', '--no-index', '--stdin', '-z']
  const end = await repository.run(asked, { signal, stdin, timeoutMs: TIMEOUT_MS })
  if (end.kind === 'problem' || end.isCut) return undefined
  const matched = names(end.stdout).map((name) => name.slice(2))
  if (matched.length === 0) return new Set()
  const listed = await repository.run(['ls-files', '-z', '-c', '-i', '--exclude-standard'], {
    signal,
    timeoutMs: TIMEOUT_MS,
  })
  if (listed.kind === 'problem') return undefined
  const tracked = new Set(names(listed.stdout).flatMap(withFolders))
  return new Set(matched.filter((path) => !tracked.has(path)))
}

function names(stdout: Buffer): string[] {
  return stdout.toString().split('\0').filter(Boolean)
}

function withFolders(path: string): string[] {
  const ends = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))
  return [path, ...ends]
}

function below(owner: string, paths: readonly string[]): string[] {
  return owner === '' ? [...paths] : paths.map((path) => path.slice(owner.length + 1))
}

function above(owner: string, path: string): string {
  return owner === '' ? path : `${owner}/${path}`
}

// Without git nobody has said what can be made again; these can, and are larger than all the rest.
const ALWAYS = [
  ...['node_modules/', '.venv/', 'venv/', '__pycache__/', '.tox/', '.mypy_cache/', '.pytest_cache/', '.ruff_cache/'],
  ...['.gradle/', '.DS_Store'],
]

function createPlainRules(root: Root) {
  let files = new Map<string, Ignore | undefined>()
  const always = ignore().add(ALWAYS)
  const rulesIn = (directory: string): Ignore | undefined => {
    if (!files.has(directory)) {
      const text = readSmall(root, directory === '' ? [] : directory.split('/'), '.gitignore')
      files.set(directory, text === undefined ? undefined : ignore().add(text))
    }
    return files.get(directory)
  }
  // The nearest file that says anything about a path decides.
  const isIgnored = (owner: string, path: string): boolean => {
    const parts = path.replace(/\/$/, '').split('/')
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const directory = parts.slice(0, depth).join('/')
      if (directory.length < owner.length) break
      const verdict = rulesIn(directory)?.test(directory === '' ? path : path.slice(directory.length + 1))
      if (verdict?.ignored) return true
      if (verdict?.unignored) return false
    }
    return always.ignores(path)
  }
  return {
    ignored: (owner: string, paths: readonly string[]) => new Set(paths.filter((path) => isIgnored(owner, path))),
    refresh() {
      files = new Map()
    },
  }
}
