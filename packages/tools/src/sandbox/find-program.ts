import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { PlainCommand } from './sandbox.ts'

interface Inside {
  readonly directory: { readonly temporary: string }
  readonly temporaryPlaces: readonly string[]
}

/**
 * The program of a command by its path inside, or why there is none: looked up before, as inside it could no longer be
 * told from a command that says so itself. Never a bare name, which the launching shell might know a program of its own by.
 */
export function findProgram({ program, cwd, env }: PlainCommand, inside: Inside): string | { code: string } {
  if (program.includes('/')) return check(resolve(cwd, program), inside)
  let code = 'ENOENT'
  for (const directory of (env['PATH'] ?? '').split(delimiter)) {
    const found = check(resolve(cwd, isAbsolute(directory) ? directory : `./${directory}`, program), inside)
    if (typeof found === 'string') return found
    if (found.code !== 'ENOENT') code = found.code
  }
  return { code }
}

function check(path: string, inside: Inside): string | { code: string } {
  try {
    const seen = outside(path, inside)
    if (!statSync(seen).isFile()) return { code: 'EACCES' }
    try {
      accessSync(seen, constants.X_OK)
      return path
    } catch {
      return { code: 'EACCES' }
    }
  } catch {
    // Not there, or in a directory that is closed to us.
    return { code: 'ENOENT' }
  }
}

// What is in the temporary directory inside lies elsewhere outside; a root may lie there, too, and is itself.
function outside(path: string, { directory, temporaryPlaces }: Inside): string {
  const place = temporaryPlaces.find((each) => path.startsWith(`${each}/`))
  if (place === undefined) return path
  const mine = join(directory.temporary, path.slice(place.length))
  return statSync(mine, { throwIfNoEntry: false })?.isFile() ? mine : path
}
