import { access, constants } from 'node:fs/promises'
import { posix, win32 } from 'node:path'

// Where systems and their package managers put programs. The user's PATH may lead into a workspace, these do not.
const UNIX = ['/usr/bin', '/usr/local/bin', '/bin', '/opt/homebrew/bin', '/opt/local/bin', '/run/current-system/sw/bin']
const WINDOWS = ['C:\\Program Files\\Git\\cmd', 'C:\\Program Files (x86)\\Git\\cmd']

const isWindows = process.platform === 'win32'

/** The directories that git, and what git needs, is looked for in. */
export const PROGRAM_PLACES: readonly string[] = isWindows ? WINDOWS : UNIX

let found: Promise<string | undefined> | undefined

/** The system's git, or nothing where there is none. */
export function findGit(): Promise<string | undefined> {
  found ??= firstProgram()
  return found
}

async function firstProgram(): Promise<string | undefined> {
  for (const place of PROGRAM_PLACES) {
    const path = isWindows ? win32.join(place, 'git.exe') : posix.join(place, 'git')
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
