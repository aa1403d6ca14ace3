import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import type { Environment } from '../environment.ts'

/** Where a program lies. A PATH entry that is relative or inside the repository could be anybody's, and is skipped. */
export async function findProgram(name: string, env: Environment, repo: string): Promise<string | undefined> {
  for (const directory of (env['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(directory) || isInside(repo, directory)) continue
    const path = join(directory, name)
    if (await isExecutable(path)) return path
  }
  return undefined
}

export type ProgramResult = { readonly ok: true; readonly stdout: string } | { readonly ok: false; reason: string }

/** Runs a program away from any repository, with nothing of our environment but PATH. */
export function runProgram(path: string, args: readonly string[], signal: AbortSignal): Promise<ProgramResult> {
  const options = {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LC_ALL: 'C' },
    encoding: 'utf8',
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024,
    signal,
  } as const
  return new Promise((resolve) => {
    execFile(path, [...args], options, (error, stdout, stderr) => {
      if (!error) resolve({ ok: true, stdout })
      else resolve({ ok: false, reason: stderr.trim().split('\n')[0] || error.message.split('\n')[0] || 'failed' })
    })
  })
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    // Not there, or not for us: the next entry may have it.
    return false
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
