import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'

// Where a system keeps its programs. PATH is not asked: an entry of it may be anybody's.
const DIRECTORIES = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin', '/usr/sbin', '/sbin']

/** A program of the system, by its real path: one that nobody but its owner and root could have put there. */
export function findSystemProgram(
  name: string,
  { roots, directories = DIRECTORIES }: { roots: readonly string[]; directories?: readonly string[] },
): string | undefined {
  for (const directory of directories) {
    const path = resolveProgram(`${directory}/${name}`)
    if (path !== undefined && !roots.some((root) => isWithin(root, path)) && isTrusted(path)) return path
  }
  return undefined
}

/** Whether `path` is `root` or below it. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function resolveProgram(path: string): string | undefined {
  try {
    const real = realpathSync.native(path)
    accessSync(real, constants.X_OK)
    return statSync(real).isFile() ? real : undefined
  } catch {
    // Not there, or not for us: the next directory may have it.
    return undefined
  }
}

// Whoever could write the file or its directory could be inside a sandbox that this very program is to hold.
function isTrusted(path: string): boolean {
  return [path, dirname(path)].every((each) => {
    const stats = statSync(each)
    return stats.uid === 0 ? !isOpen(stats) : isReadOnlyStore(each)
  })
}

const isOpen = ({ mode }: Stats) => (mode & 0o022) !== 0 && (mode & 0o1000) === 0

// In a user namespace, or where a package store belongs to another user, root may look like nobody.
function isReadOnlyStore(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch {
    return true
  }
}
