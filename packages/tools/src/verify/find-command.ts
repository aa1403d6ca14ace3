import type { Diagnostic } from '@maru/protocol'
import type { Workspace } from '../workspace.ts'
import { chooseProfile, findProfiles } from './find-profiles.ts'
import { readManifests } from './manifest.ts'
import { isPathLike, type Profile, type ProfileKind } from './profile.ts'

/** What is about to be run, and how its output is read. */
export interface Command {
  readonly profile: Pick<Profile, 'kind' | 'name' | 'format'>
  /** What a shell is given to read, where somebody wrote it. */
  readonly line?: string
  readonly program: string
  readonly argv: readonly string[]
  readonly cwd: string
}

/** What a call asks for, and where the answer is looked for. */
export interface Wanted {
  readonly kind: ProfileKind
  readonly filter: string | undefined
  readonly path: string
  /** A shell line that runs the tests, instead of what is found. */
  readonly testCommand: string | undefined
}

/** What to run for it, or why nothing can be. */
export async function findCommand(
  workspace: Workspace,
  { filter, kind, path, testCommand }: Wanted,
): Promise<Command | Diagnostic> {
  if (kind === 'test' && testCommand !== undefined) return configured(testCommand, filter)
  const start = filter !== undefined && path === '.' ? await directoryOf(workspace, filter) : path
  const profile = chooseProfile(findProfiles(await readManifests(workspace, start), kind), filter)
  if (profile === undefined) return noProfile(kind)
  const { program, argv, cwd } = profile
  if (filter === undefined) return { profile, program, argv, cwd }
  const narrowed = profile.narrow?.(filter.startsWith(`${cwd}/`) ? filter.slice(cwd.length + 1) : filter)
  if (narrowed === undefined) return cannotNarrow(profile.name)
  return { profile, program: narrowed.program ?? program, argv: narrowed.argv, cwd }
}

// A file that is named from the root is tested by the package that it is in.
async function directoryOf(workspace: Workspace, filter: string): Promise<string> {
  if (!isPathLike(filter)) return '.'
  const place = await workspace.locate(filter.replace(/::.*$/s, ''))
  return place.where === 'inside' ? place.parts.slice(0, -1).join('/') || '.' : '.'
}

function configured(line: string, filter: string | undefined): Command | Diagnostic {
  if (filter !== undefined && !line.includes('{filter}')) return cannotNarrow('the configured test command')
  const whole = line.replaceAll('{filter}', filter === undefined ? '' : quote(filter))
  const profile = { kind: 'test', name: 'the configured test command', format: 'any' } as const
  return { profile, line: whole, program: '/bin/bash', argv: ['--noprofile', '--norc', '-c', whole], cwd: '.' }
}

const NAMES: Record<ProfileKind, string> = { test: 'tests', lint: 'linter', types: 'type checker' }

function noProfile(kind: ProfileKind): Diagnostic {
  const hint = 'Give the path of a package in it, run it with RunCommand, or have testCommand set in maru.json.'
  return { code: 'no-profile', message: `No ${NAMES[kind]} that could be run was found here.`, hint }
}

function cannotNarrow(name: string): Diagnostic {
  const message = `${name} cannot be narrowed down with filter.`
  return { code: 'no-filter', message, hint: 'Run it whole, or run a single test with RunCommand.' }
}

/** A word as a shell reads it back. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
