import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Remembered } from './capture.ts'
import type { SeenDirectory, Stamp } from './seen.ts'

// Which files were read before, so that the next process need not read them again. A cache: without it, or with half of
// it, everything is only slower.
const NAME = 'stats'

type Line = [path: string, hash: string, ctime: number, mtime: number, size: number, ino: number, mode: number]

/** What an earlier process left. */
export async function loadStats(store: string): Promise<Remembered> {
  const text = readText(join(store, NAME))
  const entries = text.split('\n').flatMap((line) => {
    if (!line.endsWith(']')) return []
    const [path, hash, ctime, mtime, size, ino, mode] = JSON.parse(line) as Line
    const stamp: Stamp = { ctime, mtime, size, ino, mode, isSettled: true }
    return [[path, { hash, stamp }] as const]
  })
  return new Map(entries)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Leaves what was seen for the next process. */
export async function saveStats(store: string, top: SeenDirectory): Promise<void> {
  const lines: string[] = []
  collect(top, '', lines)
  const temporary = join(store, `${NAME}-${randomBytes(4).toString('hex')}`)
  try {
    await writeFile(temporary, lines.join(''), { mode: 0o600 })
    await rename(temporary, join(store, NAME))
  } catch {
    // A full disk, say: nothing is lost that cannot be found again.
    await rm(temporary, { force: true })
  }
}

function collect(directory: SeenDirectory, prefix: string, lines: string[]): void {
  for (const [name, entry] of directory.entries) {
    if (entry.kind === 'directory') collect(entry.directory, `${prefix}${name}/`, lines)
    else if (entry.node.kind === 'file' && entry.stamp?.isSettled) {
      const { ctime, mtime, size, ino, mode } = entry.stamp
      const line: Line = [prefix + name, entry.node.hash, ctime, mtime, size, ino, mode]
      lines.push(`${JSON.stringify(line)}\n`)
    }
  }
}
