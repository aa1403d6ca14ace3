import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Where sessions whose log is in the history keep what does not belong into it, each in a folder of its name. */
export function servedDirectory(home: string): string {
  return join(home, 'served')
}

const TREES = 'trees'

/** Notes which snapshots of work trees a session in the history holds: whoever sweeps has files alone to go by. */
export function noteTrees(home: string, id: string): (tree: string) => void {
  const folder = join(servedDirectory(home), id)
  let isMade = false
  return (tree) => {
    if (!isMade) mkdirSync(folder, { recursive: true, mode: 0o700 })
    isMade = true
    appendFileSync(join(folder, TREES), `${tree}\n`, { mode: 0o600 })
  }
}

/** Every snapshot that a session in the history holds. */
export function servedTrees(home: string): string[] {
  return servedIds(home).flatMap((id) => readLines(join(servedDirectory(home), id, TREES)))
}

/** The sessions that keep something there. */
export function servedIds(home: string): string[] {
  try {
    return readdirSync(servedDirectory(home))
  } catch {
    // Nobody was ever served from here.
    return []
  }
}

/** Takes away what a session kept there: all of it, or what may repeat a fact that was erased. */
export function forgetServed(home: string, id: string, { isWhole }: { isWhole: boolean }): void {
  const folder = join(servedDirectory(home), id)
  rmSync(isWhole ? folder : join(folder, 'raw'), { recursive: true, force: true })
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}
