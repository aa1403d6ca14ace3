import { graphemesOf } from '../width.ts'

/** A stretch of a line, and whether the other line lacks it. */
export interface Stretch {
  readonly text: string
  readonly isChanged: boolean
}

/** What two lines have to say about each other; undefined where they have too little in common. */
export type Comparison = { readonly old: readonly Stretch[]; readonly fresh: readonly Stretch[] }

/** How many cells comparisons may still fill; shared by all pairs of a patch, so that a long one cannot take long. */
export interface Budget {
  cells: number
}

const LONGEST = 400

/** Compares two lines word by word. Signs of scripts without blanks are words of their own. */
export function compareWords(old: string, fresh: string, budget: Budget): Comparison | undefined {
  if (budget.cells <= 0) return undefined
  const one = tokensOf(old)
  const other = tokensOf(fresh)
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const kept = keptIn(one.slice(start, one.length - end), other.slice(start, other.length - end), budget)
  const isSame = (from: ReadonlySet<number>, tokens: readonly string[]) => (index: number) =>
    index < start || index >= tokens.length - end || from.has(index - start)
  const oldLine = stretches(one, isSame(kept.one, one))
  const freshLine = stretches(other, isSame(kept.other, other))
  return isTelling(oldLine) && isTelling(freshLine) ? { old: oldLine, fresh: freshLine } : undefined
}

// Where most of a line has changed, it is another line, and words that happen to be in both say nothing.
function isTelling(line: readonly Stretch[]): boolean {
  let same = 0
  let changed = 0
  for (const { text, isChanged } of line) {
    const length = text.trim().length
    if (isChanged) changed += length
    else same += length
  }
  return same > 0 && changed <= same * 2
}

function keptIn(one: readonly string[], other: readonly string[], budget: Budget) {
  const kept = { one: new Set<number>(), other: new Set<number>() }
  const cells = (one.length + 1) * (other.length + 1)
  if (one.length > LONGEST || other.length > LONGEST) return kept
  budget.cells -= cells
  const width = other.length + 1
  // common[i * width + j]: the longest common subsequence of one[i…] and other[j…].
  const common = new Uint16Array(cells)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      common[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) {
      kept.one.add(i++)
      kept.other.add(j++)
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return kept
}

function stretches(tokens: readonly string[], isSame: (index: number) => boolean): Stretch[] {
  const line: Stretch[] = []
  for (const [index, text] of tokens.entries()) {
    const isChanged = !isSame(index)
    const last = line.at(-1)
    if (last?.isChanged === isChanged) line[line.length - 1] = { text: last.text + text, isChanged }
    else line.push({ text, isChanged })
  }
  return line
}

const ASCII = /^[\x20-\x7e]*$/
const LETTER = /^[\p{L}\p{N}_$]/u
const ALONE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

function tokensOf(line: string): string[] {
  if (ASCII.test(line)) return line.match(/[\w$]+|[^\w$]/g) ?? []
  const tokens: string[] = []
  let word = ''
  for (const grapheme of graphemesOf(line)) {
    if (LETTER.test(grapheme) && !ALONE.test(grapheme)) {
      word += grapheme
      continue
    }
    if (word !== '') tokens.push(word)
    word = ''
    tokens.push(grapheme)
  }
  if (word !== '') tokens.push(word)
  return tokens
}
