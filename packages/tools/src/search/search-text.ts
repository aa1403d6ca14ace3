import type { Masker } from '@maru/guard'
import type { Diagnostic } from '@maru/protocol'
import { approach } from '../file-access.ts'
import type { Workspace } from '../workspace.ts'
import { createBuiltInEngine } from './built-in-engine.ts'
import { type Candidates, createCandidates } from './candidates.ts'
import {
  type Engine,
  firstUsable,
  type Question,
  type Scope,
  type Searched,
  type Sighting,
  type Witness,
} from './engine.ts'
import { type FoundFile, lookInto } from './look-into.ts'
import { readPathFilter } from './path-filter.ts'
import { byWorth } from './rank.ts'
import { readExcludes } from './read-excludes.ts'
import { regexProblem } from './regex-problem.ts'
import type { Stop } from './ripgrep.ts'
import { createRipgrepEngine } from './ripgrep-engine.ts'
import { SafeTree } from './safe-tree.ts'
import { createSecretCheck, isSecret as isSecretFile } from './secret-files.ts'
import { shareLines } from './share-lines.ts'
import { DEFAULT_RESULTS } from './specs.ts'

export interface SearchArguments {
  readonly query: string
  readonly regex?: boolean
  readonly include?: string
  readonly exclude?: string
  readonly contextLines?: number
  readonly maxResults?: number
}

export interface SearchOptions {
  readonly signal: AbortSignal
  /** Without one, files that hold secrets are left out. */
  readonly masker?: Masker | undefined
  /** Tried in this order. */
  readonly engines?: readonly Engine[]
  readonly timeoutMs?: number
}

/** What was found: the best of it, and how much there is. */
export interface TextFound {
  readonly kind: 'found'
  readonly question: Question
  /** Best first, each with the lines that are shown. */
  readonly files: readonly FoundFile[]
  readonly total: { readonly matches: number; readonly lines: number; readonly files: number }
  /**
   * Files that are not part of the totals: with a match, but not text (those that are binary from their beginning are
   * passed over unseen); too large; not readable.
   */
  readonly skipped: { readonly binary: number; readonly large: number; readonly unreadable: number }
  /** Why the totals are less than what there is. */
  readonly stop?: Stop
}

export type SearchAnswer = TextFound | { kind: 'problem'; diagnostic: Diagnostic }

const TIMEOUT_MS = 20_000
const MAX_QUERY = 1_000
/** Files that are read, at least, before it is decided which are the best. */
const CANDIDATES = 120
const CANDIDATE_BYTES = 32 * 1024 * 1024

export const ENGINES: readonly Engine[] = [createRipgrepEngine(), createBuiltInEngine()]

/**
 * Searches the text files of a workspace. What an engine says is only where to look: every line that is given back was
 * read from a file that was reached from the root without following a link. Totals of files that were not looked into,
 * as there are too many, are the engine's: a process that swaps links at the right moment can make it count a file
 * outside, but never show a word of one.
 */
export async function searchText(
  workspace: Workspace,
  args: SearchArguments,
  { signal, masker, engines = ENGINES, timeoutMs = TIMEOUT_MS }: SearchOptions,
): Promise<SearchAnswer> {
  const question = { query: args.query, isRegex: args.regex ?? false }
  const filter = readPathFilter(args)
  if ('problem' in filter) return problem({ code: 'bad-glob', message: `A glob ${filter.problem}.`, hint: GLOB_HINT })
  const unfit = findProblem(question)
  if (unfit) return problem(unfit)
  const root = await approach(workspace, '.', 'read')
  if (root.kind === 'refused') return problem(root.diagnostic)
  return workspace.enter(root.place, async (lent) => {
    const tree = new SafeTree(lent)
    try {
      const rules = [filter.rules, readExcludes(tree)].join('\n')
      const scope: Scope = { root: lent, tree, rules, names: filter.names, signal, timeoutMs }
      let candidates = createCandidates(question.query, () => false)
      let secrets: Sighting[] = []
      const searched = await firstUsable(engines, (engine) => {
        // Anew for each: one that fails half-way may have counted already.
        const isSecret = createSecretCheck()
        candidates = createCandidates(question.query, (path) => filter.accepts(path) && !isSecret(path))
        secrets = []
        const seen = masker ? apart(candidates, secrets, filter.accepts) : candidates
        return engine.search(scope, question, seen)
      })
      if (searched.kind === 'refused') return problem(regexProblem(question.query, searched.words))
      return verify(searched, { tree, question, candidates, secrets, args, masker })
    } finally {
      tree.close()
    }
  })
}

interface Verification {
  readonly tree: SafeTree
  readonly question: Question
  readonly candidates: Candidates
  readonly secrets: readonly Sighting[]
  readonly masker: Masker | undefined
  readonly args: SearchArguments
}

// What an engine says of a secret file is not counted: its numbers are those of the values too.
function apart(candidates: Candidates, secrets: Sighting[], accepts: (path: string) => boolean): Witness {
  return {
    see: (path, matches, lines) =>
      isSecretFile(path) ? accepts(path) && secrets.length < MOST_SECRETS : candidates.see(path, matches, lines),
    keep: (sighting) => (isSecretFile(sighting.path) ? void secrets.push(sighting) : candidates.keep(sighting)),
  }
}

const MOST_SECRETS = 50

function verify(searched: Searched, { tree, question, candidates, secrets, masker, args }: Verification): TextFound {
  const total = { ...candidates.total }
  const files: FoundFile[] = []
  let { binary } = searched
  let room = CANDIDATE_BYTES
  const { maxResults = DEFAULT_RESULTS } = args
  const options = { question, contextLines: args.contextLines ?? 0, masker }
  for (const sighting of secrets) {
    const look = lookInto(tree, sighting, options)
    if (look.kind !== 'found') continue
    files.push(look.file)
    total.files++
    total.lines += look.file.lines
    total.matches += look.file.matches
  }
  for (const sighting of candidates.best(Math.max(CANDIDATES, maxResults))) {
    if (room <= 0) break
    const look = lookInto(tree, sighting, options)
    room -= look.bytes
    if (look.kind === 'found') {
      files.push(look.file)
      continue
    }
    total.files--
    total.lines -= sighting.lines
    total.matches -= sighting.matches
    if (look.kind === 'binary') binary++
  }
  return {
    kind: 'found',
    question,
    files: shareLines(files.sort(byWorth(question.query)), maxResults),
    total,
    skipped: { binary, large: searched.large, unreadable: searched.unreadable },
    ...(searched.stop && { stop: searched.stop }),
  }
}

const GLOB_HINT = 'Globs are separated by commas, as in "src/**, *.{ts,tsx}".'

function findProblem({ query, isRegex }: Question): Diagnostic | undefined {
  const what = isRegex ? 'regex' : 'query'
  if (query === '') return { code: 'bad-query', message: `The ${what} is empty.` }
  if (query.length > MAX_QUERY) {
    const message = `The ${what} is longer than ${MAX_QUERY} characters.`
    return { code: 'bad-query', message, hint: 'Search for a part of it that is rare.' }
  }
  if (/[\n\0]/.test(query) || (isRegex && /(?<!\\)(?:\\\\)*\\n/.test(query))) {
    const hint = 'Search goes line by line: look for what stands on one line.'
    return { code: 'bad-query', message: `The ${what} goes over more than one line.`, hint }
  }
  return undefined
}

function problem(diagnostic: Diagnostic): SearchAnswer {
  return { kind: 'problem', diagnostic }
}
