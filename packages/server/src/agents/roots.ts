import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, sep } from 'node:path'

/** Where an agent would work, if that is a folder in, or below, one that the server was given; as it really is on the disk. */
export async function findRoot(roots: readonly string[], repo: string): Promise<string | undefined> {
  if (!isAbsolute(repo) || repo.includes('\0')) return undefined
  const path = await resolve(repo)
  if (path === undefined || !(await isFolder(path))) return undefined
  for (const root of roots) {
    const real = await resolve(root)
    if (real === undefined) continue
    if (path === real || path.startsWith(real.endsWith(sep) ? real : real + sep)) return path
  }
  return undefined
}

// What cannot be looked at is no place to work in, whatever the reason.
function resolve(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true
}
