import { release, totalmem } from 'node:os'

const GIGABYTE = 1024 ** 3

/** What one command may use up. */
export interface Limits {
  readonly processes: number
  /** Of one file that it writes. */
  readonly fileBytes: number
  /** Of one process. */
  readonly dataBytes: number
}

/** Far above what work needs, and below what takes the machine down. */
export function defaultLimits(): Limits {
  return { processes: 4096, fileBytes: 32 * GIGABYTE, dataBytes: Math.max(4 * GIGABYTE, totalmem()) }
}

/** Names a file that the scripts below make when the command has left processes behind. */
export const LEFT_VARIABLE = 'MARU_LEFT'

export interface LaunchOptions {
  readonly limits: Limits
  /** Whether the processes in /proc are the command's own. */
  readonly seesOwnProcesses: boolean
}

/**
 * What a bash that runs a line reads first, by `BASH_ENV`. So it needs no process of its own, and the line stays as it was
 * approved. At the end it looks for processes that are left; the first one and the shell itself are always there.
 */
export function bashPrelude({ limits, seesOwnProcesses }: LaunchOptions): string {
  const look = `trap "set -- \\$? /proc/[0-9]*; ((\\$# > 3)) && : >| '$${LEFT_VARIABLE}'; exit \\$1" EXIT`
  return `unset BASH_ENV
{
${seesOwnProcesses ? `${look}\n` : ''}unset ${LEFT_VARIABLE}
${limitLines(limits).join('\n')}
} 2> /dev/null
`
}

/**
 * A shell line that does the same for any other program, which it is given as arguments. It stays until the program ends,
 * also when the whole group is told to, so that the program has its time. Its own words about a child that was killed are
 * not the program's, and are not heard.
 */
export function launchScript({ limits, seesOwnProcesses }: LaunchOptions): string {
  return [
    'exec 5>&2 2>/dev/null',
    'trap : TERM INT HUP QUIT',
    `left=$${LEFT_VARIABLE}; unset ${LEFT_VARIABLE}`,
    ...limitLines(limits),
    '( exec 2>&5 5>&-; exec "$@" )',
    'code=$?',
    ...(seesOwnProcesses ? ['set -- /proc/[0-9]*; [ $# -gt 2 ] && : > "$left"'] : []),
    'exit $code',
  ].join('\n')
}

function limitLines({ processes, fileBytes, dataBytes }: Limits): string[] {
  return [
    'ulimit -c 0',
    // Bash counts in other units than its elder, unless asked to be like it.
    `if [ -n "$BASH_VERSION" ]; then ulimit -f ${Math.floor(fileBytes / 1024)}; else ulimit -f ${Math.floor(fileBytes / 512)}; fi`,
    `ulimit -d ${Math.floor(dataBytes / 1024)}`,
    // Its letter differs, too.
    ...(countsByNamespace(release()) ? [`ulimit -u ${processes} || ulimit -p ${processes}`] : []),
  ]
}

// Before, the limit was on all processes of the user, of which there may be many outside.
function countsByNamespace(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10))
  return major > 5 || (major === 5 && minor >= 14)
}
