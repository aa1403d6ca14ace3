import type { Masker } from '@maru/guard'
import { showText } from '../secret-text.ts'
import { type FileContent, readText } from '../text/read-text.ts'
import { MAX_FILE_BYTES } from '../workspace.ts'
import { indexAt } from './columns.ts'
import { cutAround, LINE_WIDTH } from './cut-line.ts'
import type { Place, Question, Sighting } from './engine.ts'
import { isDefinition, isWholeWord } from './judge-line.ts'
import type { Ranked } from './rank.ts'
import type { SafeTree } from './safe-tree.ts'
import { isSecret } from './secret-files.ts'
import { translateRegex } from './translate-regex.ts'

/** A line as it is shown: long ones are cut around the match, and say so. */
export interface FoundLine {
  readonly number: number
  readonly text: string
  readonly isMatch: boolean
}

/** A line with a match, and its neighbours. */
export interface FoundPlace {
  readonly line: FoundLine
  readonly before: readonly FoundLine[]
  readonly after: readonly FoundLine[]
  readonly isDefinition: boolean
}

/** A file with matches, read from the workspace itself. */
export interface FoundFile extends Ranked {
  readonly matches: number
  /** The first of its matching lines; none of a file that is too large to be read. */
  readonly places: readonly FoundPlace[]
  /** Bytes of a file that is too large to be read. */
  readonly tooLarge?: number
}

/** `unlike`: the file does not hold what the engine said. */
export type LookedInto = { bytes: number } & (
  | { kind: 'found'; file: FoundFile }
  | { kind: 'binary' | 'gone' | 'unlike' }
)

const MAX_PLACES = 1_000

interface LookOptions {
  readonly question: Question
  readonly contextLines: number
  readonly masker?: Masker | undefined
}

/** Reads a file in which an engine saw something, and finds there what it saw. */
export function lookInto(tree: SafeTree, sighting: Sighting, options: LookOptions): LookedInto {
  const { path, matches, lines } = sighting
  const { masker } = options
  const isHidden = isSecret(path)
  const file = isHidden && !masker ? undefined : tree.read(path, MAX_FILE_BYTES)
  if (file === undefined || (isHidden && file.kind === 'huge')) return { kind: 'gone', bytes: 0 }
  const base = { path, matches, lines, hasDefinition: false, hasWord: true }
  if (file.kind === 'huge') return { kind: 'found', bytes: 0, file: { ...base, places: [], tooLarge: file.size } }
  const bytes = file.bytes.length
  const content = readText(file.bytes)
  if (content.kind === 'binary') return { kind: 'binary', bytes }
  const text =
    isHidden || /PRIVATE KEY|Private-Lines/.test(content.text) ? showText(content.text, path, masker) : content.text
  const seen = sighting.places(MAX_PLACES)
  const places = placesIn({ ...content, text }, isHidden ? seen.filter(seenMasked(text, options)) : seen, options)
  if (places.length === 0) return { kind: 'unlike', bytes }
  return {
    kind: 'found',
    bytes,
    file: {
      ...base,
      ...(isHidden && { matches: places.length, lines: places.length }),
      hasDefinition: places.some(({ isDefinition }) => isDefinition),
      hasWord: places.some(({ hasWord }) => hasWord),
      places,
    },
  }
}

// Whether a line of a secret file says what was asked for without its values: else each search would be a guess at them.
function seenMasked(text: string, { question: { query, isRegex } }: LookOptions): (place: Place) => boolean {
  const lines = text.split('\n')
  const translated = isRegex ? translateRegex(query) : undefined
  return ({ line }) => {
    const shown = (lines[line - 1] ?? '').slice(0, LONGEST_TRIED)
    if (!translated) return shown.includes(query)
    return translated.kind === 'regex' && new RegExp(translated.regex).test(shown)
  }
}

const LONGEST_TRIED = 2_000

function placesIn(
  { text, encoding }: Exclude<FileContent, { kind: 'binary' }>,
  places: readonly Place[],
  { question, contextLines, masker }: LookOptions,
): (FoundPlace & { hasWord: boolean })[] {
  const lines = text.split('\n')
  const lineAt = (number: number) => (lines[number - 1] ?? '').replace(/\r$/, '')
  // Before it is cut: half of a key looks like none.
  const shownAt = (line: string) => (line.length > LINE_WIDTH && masker ? masker.mask(line) : line)
  const context = (from: number, to: number) => {
    const shown: FoundLine[] = []
    for (let number = Math.max(from, 1); number <= Math.min(to, lines.length); number++) {
      // A final newline ends the last line and begins none.
      if (number === lines.length && lines[number - 1] === '') break
      shown.push({ number, text: cutAround(shownAt(lineAt(number)), 0), isMatch: false })
    }
    return shown
  }
  return places.flatMap(({ line: number, column }) => {
    const line = lineAt(number)
    const match = matchIn(line, question, column === undefined ? undefined : indexAt(line, column, encoding))
    if (match === undefined || number > lines.length) return []
    return {
      line: { number, text: cutAround(shownAt(line), match.start), isMatch: true },
      before: context(number - contextLines, number - 1),
      after: context(number + 1, number + contextLines),
      isDefinition: isDefinition(line, match),
      hasWord: isWholeWord(line, match),
    }
  })
}

// A literal is looked for again: bytes that an engine took for it can be halves of other characters. Of a regex only
// its beginning is known, which is enough to cut and to rank by.
function matchIn(line: string, { query, isRegex }: Question, index = 0): { start: number; end: number } | undefined {
  if (isRegex) return { start: index, end: index + (/^[\p{L}\p{N}_]*/u.exec(line.slice(index))?.[0].length ?? 0) }
  const start = line.indexOf(query)
  return start < 0 ? undefined : { start, end: start + query.length }
}
