import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '@maru/protocol'
import { diagnose } from '../file-problem.ts'
import { findGit, PROGRAM_PLACES } from './find-git.ts'
import { type FoundRepository, findRepository, type RepositoryPlace } from './find-repository.ts'
import { parseSettings, pickSafe, type Setting } from './safe-config.ts'
import { type BoundedEnd, spawnBounded } from './spawn-bounded.ts'
import { makeStandIn } from './stand-in.ts'

export interface GitOptions {
  readonly signal: AbortSignal
  readonly stdin?: Uint8Array | string
  /** Bytes of output that are kept; default 8 MB. */
  readonly limit?: number
  readonly timeoutMs?: number
}

export type GitProblem = { kind: 'problem'; diagnostic: Diagnostic }
/** What git said; a failure of git itself is a problem only where its exit code is above 1. */
export type GitOutput = { kind: 'ended'; exit: number; stdout: Buffer; isCut: boolean }
export type GitEnd = GitOutput | GitProblem

/** A repository that is being read; it runs nothing that the repository asks for. */
export interface Repository {
  readonly place: RepositoryPlace
  /** Runs git in the directory that the repository was opened for. */
  run(args: readonly string[], options: GitOptions): Promise<GitEnd>
  close(): Promise<void>
}

export interface OpenOptions {
  readonly signal: AbortSignal
  /**
   * Says where the user's own git settings are: of those, as of the repository's, only what describes files is used.
   */
  readonly environment?: Environment
  /** A directory for what is needed while it is open; the system's for temporary files, if none is given. */
  readonly scratch?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const LIMIT = 8 * 1024 * 1024
const TIMEOUT_MS = 20_000
const NONE = process.platform === 'win32' ? 'NUL' : '/dev/null'

/** Runs git once in the repository that `root` is in: hardened, bounded, reading only. */
export function runGit(root: string, args: readonly string[], options: GitOptions): Promise<GitEnd> {
  return withRepository(root, { signal: options.signal }, (repository) => repository.run(args, options))
}

/** Lends the repository that `root` is in. */
export async function withRepository<Value>(
  root: string,
  options: OpenOptions,
  use: (repository: Repository) => Promise<Value>,
): Promise<Value | GitProblem> {
  const repository = await openRepository(root, options)
  if ('kind' in repository) return repository
  try {
    return await use(repository)
  } finally {
    await repository.close()
  }
}

/** Opens the repository that `root` is in, with its settings as they are now. */
export async function openRepository(root: string, options: OpenOptions): Promise<Repository | GitProblem> {
  const program = await findGit()
  if (program === undefined) return problem(NO_GIT)
  const found = await findRepository(root).catch((error: unknown) => gone(error, root))
  if (found.kind === 'none') return problem(NO_REPOSITORY)
  if (found.kind === 'refused') return problem(found.diagnostic)
  const { place } = found
  const settings = await readSettings(program, place, options)
  if ('kind' in settings) return settings
  const standIn = await makeStandIn(place, { settings, scratch: options.scratch })
  return {
    place,
    async run(args, own) {
      const { limit = LIMIT, timeoutMs = TIMEOUT_MS } = own
      const env = { ...QUIET, ...standIn.environment }
      const end = await spawnBounded({ ...own, program, argv: [...BELT, ...args], cwd: root, env, limit, timeoutMs })
      return judge(end, args, timeoutMs)
    },
    close: standIn.dispose,
  }
}

/** Variables under which a git that somebody else starts runs nothing that a repository asks for. */
export interface HarmlessGit {
  readonly environment: Readonly<Record<string, string>>
  dispose(): Promise<void>
}

/** The same for a command that reads a repository by its own git: the one that `directory` is in, or none at all. */
export async function openHarmlessGit(
  directory: string,
  options: OpenOptions & { isHeld?: boolean },
): Promise<HarmlessGit> {
  const { PATH: _path, HOME: _home, LC_ALL: _lang, ...quiet } = QUIET
  // Without the option that goes with it, an empty program would be run, in vain; the stand-in names none at all.
  const settings = BELT.filter((word) => word.includes('=') && word !== 'diff.external=')
  const belt = Object.fromEntries(
    settings.flatMap((setting, index) => {
      const at = setting.indexOf('=')
      return [
        [`GIT_CONFIG_KEY_${index}`, setting.slice(0, at)],
        [`GIT_CONFIG_VALUE_${index}`, setting.slice(at + 1)],
      ]
    }),
  )
  const environment = { ...quiet, ...belt, GIT_CONFIG_COUNT: String(settings.length) }
  // A sandbox holds the little that these leave, and would not find the stand-in.
  if (options.isHeld === true) return { environment, dispose: async () => undefined }
  const found = await findRepository(directory).catch((error: unknown) => gone(error, directory))
  const program = await findGit()
  // A repository that is not what it says is none.
  if (found.kind !== 'repository' || program === undefined) {
    return { environment: { ...environment, GIT_DIR: '/nonexistent' }, dispose: async () => undefined }
  }
  const own = await readSettings(program, found.place, options)
  const standIn = await makeStandIn(found.place, { settings: 'kind' in own ? [] : own, scratch: options.scratch })
  return { environment: { ...environment, ...standIn.environment }, dispose: standIn.dispose }
}

// `git config --list` reads the configuration and runs none of it: the one command that may see it.
async function readSettings(
  program: string,
  { gitDir, top }: RepositoryPlace,
  { signal, environment = {} }: OpenOptions,
): Promise<Setting[] | GitProblem> {
  const env: Record<string, string> = { ...QUIET, GIT_DIR: gitDir, GIT_WORK_TREE: top }
  const { HOME, XDG_CONFIG_HOME } = environment
  if (HOME !== undefined) {
    // The user's own settings, and the system's, count as well: line ends on Windows come from there.
    for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM']) delete env[name]
    Object.assign(env, { HOME, ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }) })
  }
  const argv = ['--no-pager', 'config', '--list', '--includes', '-z']
  const end = await spawnBounded({ program, argv, cwd: top, env, signal, limit: LIMIT, timeoutMs: TIMEOUT_MS })
  const judged = judge(end, ['config'], TIMEOUT_MS)
  if (judged.kind === 'problem') return judged
  const all = parseSettings(judged.stdout.toString())
  const excludes = await excludesFile(all, { HOME, XDG_CONFIG_HOME })
  return [...pickSafe(all), ...(excludes === undefined ? [] : [['core.excludesfile', excludes] as const])]
}

async function excludesFile(
  settings: readonly Setting[],
  { HOME, XDG_CONFIG_HOME }: Environment,
): Promise<string | undefined> {
  const home = HOME ?? '/nonexistent'
  const named = settings.findLast(([key]) => key === 'core.excludesfile')?.[1]
  const path = named?.replace(/^~(?=\/)/, home) ?? join(XDG_CONFIG_HOME ?? join(home, '.config'), 'git/ignore')
  // A pipe or a device would be waited for.
  const isFile = await lstat(path).then(
    (entry) => entry.isFile() && entry.size < 1024 * 1024,
    () => false,
  )
  return isFile ? path : undefined
}

function gone(error: unknown, root: string): FoundRepository {
  return { kind: 'refused', diagnostic: diagnose(error, root) }
}

function judge(end: BoundedEnd, args: readonly string[], timeoutMs: number): GitEnd {
  const what = `git ${args[0]}`
  switch (end.kind) {
    case 'ended':
      if (end.exit > 1 && !end.isCut) return problem(failed(what, end.stderr))
      return { kind: 'ended', exit: end.exit, stdout: end.stdout, isCut: end.isCut }
    case 'stopped':
      if (end.why === 'abort') return problem({ code: 'interrupted', message: `${what} was interrupted.` })
      return problem({ code: 'timeout', message: `${what} was not done after ${timeoutMs / 1000} s and was ended.` })
    case 'not-started':
      return problem({ code: 'not-started', message: `git could not be started (${end.code}).` })
    default:
      return end satisfies never
  }
}

function failed(what: string, stderr: string): Diagnostic {
  const message = stderr.trim().split('\n').slice(-3).join(' ').slice(0, 500)
  return { code: 'git-failed', message: `${what} failed: ${message || 'it did not say why'}` }
}

function problem(diagnostic: Diagnostic): GitProblem {
  return { kind: 'problem', diagnostic }
}

const NO_GIT: Diagnostic = { code: 'no-git', message: 'git is not installed in any of the usual places.' }
const NO_REPOSITORY: Diagnostic = {
  code: 'no-repository',
  message: 'The workspace is not in a git repository.',
  hint: 'Its files can be listed, read and searched all the same.',
}

// Nothing is inherited: half of git's variables name a program.
const QUIET = {
  PATH: PROGRAM_PLACES.join(process.platform === 'win32' ? ';' : ':'),
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: NONE,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'false',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
}

// The stand-in holds none of what these switch off; they hold should git ever find another way to it.
const BELT = [
  '--no-pager',
  ...[
    'core.fsmonitor=false',
    `core.hooksPath=${NONE}`,
    `core.attributesFile=${NONE}`,
    'core.quotePath=false',
    'diff.external=',
    // Else a diff writes the times it has seen into the user's index, whatever GIT_OPTIONAL_LOCKS says.
    'diff.autoRefreshIndex=false',
    'gpg.program=false',
    'log.showSignature=false',
    'safe.bareRepository=explicit',
    'protocol.allow=never',
    'submodule.recurse=false',
    'status.submoduleSummary=false',
    'color.ui=false',
    'column.ui=never',
  ].flatMap((setting) => ['-c', setting]),
]
