import { lstatSync, readlinkSync } from 'node:fs'
import { type CommandPlace, judgeArgv, judgeCommand } from '@maru/guard'
import type { Access } from '@maru/protocol'

/** What the policy is told of a command: everything that its words say it would do. */
export interface CommandAccess {
  readonly access: Access[]
  /** Proven to change nothing, as long as its programs are the ones that its words name on any machine. */
  readonly isProven: boolean
  /** And as long as git runs nothing that its repository asks for. */
  readonly needsHarmlessGit: boolean
}

export interface JudgedCommand {
  /** A shell line, or a program with its arguments. */
  readonly line?: string
  readonly program: string
  readonly argv: readonly string[]
}

export async function readCommandAccess(
  { line, program, argv }: JudgedCommand,
  place: { root: string; cwd: string; home: string | undefined },
): Promise<CommandAccess> {
  const { root, cwd, home } = place
  const ground: CommandPlace = { root, cwd, readLink, ...(home !== undefined && { home }) }
  const judged = line === undefined ? await judgeArgv(program, argv, ground) : await judgeCommand(line, ground)
  const { accesses, usesGit } = judged
  const isProven = accesses.every((access) => access.kind !== 'run' || access.proven === 'read-only')
  if (!isProven || !usesGit || !goesElsewhere(accesses)) {
    return { access: accesses, isProven, needsHarmlessGit: isProven && usesGit }
  }
  // Git in another directory may find another repository, of which nothing is known: its code may run.
  return { access: accesses.map(asProjectCode), isProven: false, needsHarmlessGit: false }
}

function goesElsewhere(accesses: readonly Access[]): boolean {
  return accesses.some(
    (access) =>
      access.kind === 'run' &&
      (/^(cd|pushd)$/.test(access.program) || (access.program === 'git' && access.argv.includes('-C'))),
  )
}

function asProjectCode(access: Access): Access {
  if (access.kind !== 'run' || access.program !== 'git') return access
  const what = 'what the configuration of a repository elsewhere may name'
  return { ...access, proven: 'check', why: { code: 'project-script', program: 'git', what } }
}

function readLink(path: string): string | undefined {
  try {
    // Asked first: most are no links, and to read one that is none throws, which takes longer than all the rest.
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    // Out of reach, or gone meanwhile: either way it leads nowhere else.
    return undefined
  }
}
