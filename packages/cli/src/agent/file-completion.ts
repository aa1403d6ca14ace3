import type { Completion } from '@maru/terminal'
import { printable } from '../terminal/printable.ts'

const SHOWN = 50

/** Lists files once, and again when the list has become old. */
export interface FileCompletion {
  complete(prefix: string, signal: AbortSignal): Promise<readonly Completion[]>
}

export interface FileSource {
  list(signal: AbortSignal): Promise<string[]>
  now(): number
}

const FRESH_MS = 10_000

/** What `@` offers. An old list answers at once while a new one is made. */
export function createFileCompletion({ list, now }: FileSource): FileCompletion {
  let known: { at: number; paths: Promise<string[]> } | undefined
  const refresh = () => {
    // Not the signal of one completion: the list is for the next ones too.
    const paths = list(new AbortController().signal)
    const before = known
    known = { at: now(), paths: before ? paths.catch(() => before.paths) : paths }
    return before?.paths ?? paths
  }
  return {
    async complete(prefix, signal) {
      const paths = await (known && now() - known.at < FRESH_MS ? known.paths : refresh())
      if (signal.aborted) return []
      return rankPaths(paths, prefix).map((path) => ({ label: printable(path), insert: `@${quoted(path)} ` }))
    },
  }
}

// A path with a blank would end at it.
function quoted(path: string): string {
  return /\s/.test(path) ? `"${path}"` : path
}

/**
 * Paths that fit what was typed, best first: those with it in the name, then in the path, then those that have its letters
 * in order. Capitals count only where they were typed.
 */
export function rankPaths(paths: readonly string[], typed: string): string[] {
  const isExact = /\p{Lu}/u.test(typed)
  const wanted = isExact ? typed : typed.toLowerCase()
  const ranked: { path: string; rank: number }[] = []
  for (const path of paths) {
    const rank = rankOf(isExact ? path : path.toLowerCase(), wanted)
    if (rank !== undefined) ranked.push({ path, rank })
  }
  ranked.sort(
    (one, other) => one.rank - other.rank || one.path.length - other.path.length || compare(one.path, other.path),
  )
  return ranked.slice(0, SHOWN).map(({ path }) => path)
}

// The smaller the better; nothing where it does not fit.
function rankOf(path: string, wanted: string): number | undefined {
  if (wanted === '') return path.split('/').length
  const name = path.lastIndexOf('/') + 1
  if (path.startsWith(wanted, name)) return 0
  if (path.startsWith(wanted)) return 1
  if (path.indexOf(wanted, name) >= 0) return 2
  if (path.includes(wanted)) return 3
  return isSubsequence(wanted, path) ? 4 : undefined
}

function isSubsequence(letters: string, text: string): boolean {
  let at = -1
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
