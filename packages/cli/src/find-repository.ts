import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The git root around a directory, or the directory itself where there is no git; nothing where it is none. */
export function findRepository(start: string): string | undefined {
  const first = resolve(start)
  if (!isDirectory(first)) return undefined
  for (let here = first; ; here = dirname(here)) {
    // A file in work trees and submodules, a directory elsewhere.
    if (existsSync(join(here, '.git'))) return here
    if (dirname(here) === here) return first
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Missing, unreachable, or no path at all: for the caller it is the same.
    return false
  }
}
