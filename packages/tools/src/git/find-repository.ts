import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '@maru/protocol'

/** A repository around a directory, found without asking git, which would believe what it finds there. */
export interface RepositoryPlace {
  /** The top of the work tree: the directory that holds `.git`. */
  readonly top: string
  readonly gitDir: string
  /** Where refs, objects and configuration are: `gitDir` but in a linked work tree. */
  readonly commonDir: string
  /** The asked directory below `top`, with forward slashes and one at its end; empty at the top. */
  readonly prefix: string
}

export type FoundRepository =
  | { kind: 'repository'; place: RepositoryPlace }
  | { kind: 'none' }
  | { kind: 'refused'; diagnostic: Diagnostic }

/**
 * Finds the repository that `directory` is in. A `.git` that leads to a place outside is believed only if that place
 * says the same: a linked work tree or a submodule does, somebody else's repository does not.
 */
export async function findRepository(directory: string): Promise<FoundRepository> {
  const start = await realpath(directory)
  for (let top = start; ; top = dirname(top)) {
    const entry = await lstat(join(top, '.git')).catch(() => undefined)
    if (entry !== undefined) return judge(top, start)
    if (dirname(top) === top) return { kind: 'none' }
  }
}

async function judge(top: string, start: string): Promise<FoundRepository> {
  const gitDir = await gitDirOf(top)
  if (gitDir === undefined) return elsewhere(top, 'is no repository that belongs to this directory')
  const commonDir = await commonDirOf(gitDir, top)
  if (commonDir === undefined) return elsewhere(top, 'takes its content from a repository that does not know it')
  const stray = await findStray(gitDir, commonDir)
  if (stray !== undefined) return elsewhere(top, `has a link that leads elsewhere (${stray})`)
  const inner = relative(top, start).split(sep).join('/')
  return { kind: 'repository', place: { top, gitDir, commonDir, prefix: inner === '' ? '' : `${inner}/` } }
}

function elsewhere(top: string, what: string): FoundRepository {
  const hint = 'If it is as the person wants it, use git through RunCommand.'
  return { kind: 'refused', diagnostic: { code: 'git-elsewhere', message: `${join(top, '.git')} ${what}.`, hint } }
}

async function gitDirOf(top: string): Promise<string | undefined> {
  const path = join(top, '.git')
  const entry = await lstat(path)
  if (entry.isDirectory()) return path
  if (entry.isSymbolicLink()) return insideOf(top, path)
  if (!entry.isFile() || entry.size > 4096) return undefined
  const target = /^gitdir: (.+?)\r?\n?$/.exec(await readFile(path, 'utf8'))?.[1]
  const gitDir = target && (await real(resolve(top, target)))
  if (!gitDir) return undefined
  const isOwn = isBelow(top, gitDir) || (await pointsBack(gitDir, top))
  return isOwn ? gitDir : undefined
}

// A linked work tree has its address in the file `gitdir`, a submodule in its configuration.
async function pointsBack(gitDir: string, top: string): Promise<boolean> {
  const back = (await smallText(join(gitDir, 'gitdir')))?.trim()
  if (back) return (await real(resolve(gitDir, back))) === join(top, '.git')
  const config = await smallText(join(gitDir, 'config'))
  const worktree = config && /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(config)?.[1]
  return Boolean(worktree) && (await real(resolve(gitDir, String(worktree)))) === top
}

async function commonDirOf(gitDir: string, top: string): Promise<string | undefined> {
  const named = (await smallText(join(gitDir, 'commondir')))?.trim()
  if (named === undefined) return gitDir
  const common = await real(resolve(gitDir, named))
  if (common === undefined) return undefined
  const isItsWorktree = dirname(await realpath(gitDir)) === join(common, 'worktrees')
  return isItsWorktree || isBelow(top, common) ? common : undefined
}

// Parts of a git directory that are links, as an archive can bring them, would show another repository's history here.
async function findStray(gitDir: string, commonDir: string): Promise<string | undefined> {
  const homes = [await realpath(gitDir), await realpath(commonDir)]
  const parts = [
    ...['HEAD', 'index'].map((name) => join(gitDir, name)),
    ...['refs', 'packed-refs', 'reftable', 'objects', 'info', 'shallow'].map((name) => join(commonDir, name)),
  ]
  for (const part of parts) {
    const target = await real(part)
    if (target !== undefined && !homes.some((home) => isBelow(home, target))) return basename(part)
  }
  // Objects borrowed from elsewhere are harmless as long as no ref is: nobody can guess a hash.
  const borrows = (await smallText(join(commonDir, 'objects/info/alternates'))) !== undefined
  if (!borrows) return undefined
  const refs = await readdir(join(commonDir, 'refs'), { recursive: true, withFileTypes: true }).catch(() => [])
  return refs.some((entry) => entry.isSymbolicLink()) ? 'refs' : undefined
}

async function insideOf(top: string, path: string): Promise<string | undefined> {
  const target = await real(path)
  return target !== undefined && isBelow(top, target) ? target : undefined
}

function isBelow(home: string, path: string): boolean {
  return path === home || path.startsWith(home.endsWith(sep) ? home : home + sep)
}

function real(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

// Read only if it is a file: opening a pipe would wait for ever.
async function smallText(path: string): Promise<string | undefined> {
  const entry = await lstat(path).catch(() => undefined)
  if (!entry?.isFile() || entry.size > 1024 * 1024) return undefined
  return readFile(path, 'utf8').catch(() => undefined)
}
