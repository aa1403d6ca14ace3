import type { Stop } from './ripgrep.ts'
import type { SafeTree } from './safe-tree.ts'

/** What is searched for, and how it is written. */
export interface Question {
  readonly query: string
  readonly isRegex: boolean
}

/** Where an engine looks. */
export interface Scope {
  /** The root, lent by the workspace. */
  readonly root: string
  readonly tree: SafeTree
  /** Rules in the words of `.gitignore`, for the whole tree, that decide where no file in the tree does. */
  readonly rules: string
  /** Globs of which the name of a file has to fit one; all files if there are none. */
  readonly names: readonly string[]
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** A line that holds a match. `column`, from 0, counts the bytes of the line in UTF-8, or in CP949 in such a file. */
export interface Place {
  readonly line: number
  readonly column?: number
}

/** A file in which an engine saw something: a candidate, not yet verified. */
export interface Sighting {
  readonly path: string
  readonly matches: number
  readonly lines: number
  /** The first lines with matches, at most `limit`. */
  places(limit: number): Place[]
}

/** Who is told of what an engine sees. There may be a hundred thousand files, so most are only counted. */
export interface Witness {
  /** Counts a file, and says whether it is worth to be kept. */
  see(path: string, matches: number, lines: number): boolean
  keep(sighting: Sighting): void
}

interface Found {
  /** Files and directories that could not be read, or whose names are no text. */
  readonly unreadable: number
  readonly stop?: Stop
}

/** `paths`: one text, each path begun by `./` and ended by a NUL: as strings they take longer than to be found. */
export type Listed = { kind: 'listed'; paths: string } & Found
export type Searched = { kind: 'searched'; binary: number; large: number } & Found
export type Refused = { kind: 'refused'; words: string }
export type Unusable = { kind: 'unusable'; why: string }

/**
 * Finds files and text in a tree. An engine may be led outside by whoever swaps links under its feet: what it gives are
 * numbers and names to look at, never text to show.
 */
export interface Engine {
  list(scope: Scope): Promise<Listed | Unusable>
  search(scope: Scope, question: Question, witness: Witness): Promise<Searched | Refused | Unusable>
}

/** Engines in the order in which they are tried: the first that can be used answers. */
export async function firstUsable<Answer extends { kind: string }>(
  engines: readonly Engine[],
  ask: (engine: Engine) => Promise<Answer | Unusable>,
): Promise<Answer> {
  for (const engine of engines) {
    const answer = await ask(engine)
    if (!isUnusable(answer)) return answer
  }
  throw new Error('no search engine can be used, not even our own')
}

function isUnusable(answer: { kind: string }): answer is Unusable {
  return answer.kind === 'unusable'
}
