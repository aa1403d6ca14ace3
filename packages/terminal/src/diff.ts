import { type Budget, type Comparison, compareWords } from './diff/changed-words.ts'
import { type ChangeLine, type DiffLine, readDiff } from './diff/read-diff.ts'
import { isColoured } from './is-coloured.ts'
import { breakRuns, joinRow, type Run } from './rows.ts'
import type { TextStyle } from './text-style.ts'
import { escapeControls, expandTabs } from './visible.ts'
import { cutText } from './width.ts'

export interface DiffOptions {
  readonly style: TextStyle
  readonly width: number
  /** Leaves out what only frames the change; `lines` also which file it is, for those who have said so themselves. */
  readonly only?: 'files' | 'lines'
  /** At most so many lines, the one that says how much is hidden among them. */
  readonly maxLines?: number
  /** Says how many lines of the patch are not shown. */
  more?(hidden: number): string
}

const NARROWEST = 10
// A line of a patch that is longer is data, not code that anybody reads.
const LONGEST_COMPARED = 2_000
const MOST_CELLS = 2_000_000
const HANGING = 2

/** A patch as lines for the terminal: numbers, signs and colours; words that have changed in a line stand out. */
export function renderDiff(patch: string, { style, width: given, only, maxLines, more }: DiffOptions): string[] {
  const width = Math.max(NARROWEST, Math.floor(given))
  const read = readDiff(escapeControls(patch.replaceAll('\r\n', '\n')))
  const lines = only === undefined ? read : read.filter((line, at) => !isFrame(line, read[at + 1], only))
  const gutter = gutterOf(lines, width)
  // What would not be seen is not worked out.
  const compare = isColoured(style) ? createComparer(lines) : () => undefined
  const limit = Math.max(1, maxLines ?? Number.POSITIVE_INFINITY)
  const shown: string[] = []
  // Where each line of the patch begins, so that whole ones can make room for the note.
  const starts: number[] = []
  for (let at = 0; at < lines.length && shown.length <= limit; at++) {
    starts.push(shown.length)
    const line = lines[at]
    if (line) shown.push(...rowsOf(line, { style, width, gutter, comparison: compare(at) }))
  }
  if (shown.length <= limit) return shown
  let kept = starts.length
  while (kept > 0 && (starts[kept] ?? shown.length) > limit - 1) kept--
  const note = more?.(lines.length - kept) ?? `… +${lines.length - kept}`
  return [...shown.slice(0, starts[kept]), cutText(escapeControls(note).replaceAll(/[\n\t]/g, ' '), width)]
}

// Signs that begin and end a patch or a hunk without a place, the place of all the lines of a new file, and of two lines
// that name the same file the first.
function isFrame({ kind, text }: DiffLine, next: DiffLine | undefined, only: 'files' | 'lines'): boolean {
  if (kind === 'file') return only === 'lines' || (next?.kind === 'file' && isSameFile(text, next.text))
  if (kind === 'note') return text.startsWith('*** ')
  return kind === 'place' && /^@@(?:$| -0,0 )/.test(text)
}

function isSameFile(before: string, after: string): boolean {
  const [, old] = /^--- (?:a\/)?(.+)$/.exec(before) ?? []
  const [, fresh] = /^\+\+\+ (?:b\/)?(.+)$/.exec(after) ?? []
  return fresh !== undefined && (old === '/dev/null' || old === fresh)
}

interface RowOptions {
  readonly style: TextStyle
  readonly width: number
  readonly gutter: number
  readonly comparison: Comparison | undefined
}

function rowsOf(line: DiffLine, options: RowOptions): string[] {
  const { style, width } = options
  switch (line.kind) {
    case 'file':
      return breakRuns([{ text: expandTabs(line.text), paint: style.bold }], width)
    case 'place':
      return breakRuns([{ text: expandTabs(line.text), paint: style.cyan }], width)
    case 'note':
      return breakRuns([{ text: expandTabs(line.text), paint: style.dim }], width)
    default:
      return changeRows(line, options)
  }
}

const SIGNS = { same: ' ', removed: '-', added: '+' } as const

function changeRows(line: ChangeLine, { style, width, gutter, comparison }: RowOptions): string[] {
  const runs = runsOf(line, style, comparison)
  const number = gutter === 0 ? '' : `${String(line.number ?? '').padStart(gutter)} `
  const sign = paintOf(line.kind, style)?.(SIGNS[line.kind]) ?? SIGNS[line.kind]
  const room = width - number.length - 1
  const whole = breakRuns(runs, room)
  const [head = '', ...rest] = whole.length === 1 ? whole : breakRuns(runs, room - HANGING)
  // What goes on stands further in, so that it cannot be taken for a line of its own.
  const indent = ' '.repeat(number.length + 1 + HANGING)
  return [joinRow(style.dim(number) + sign, head, width), ...rest.map((row) => joinRow(indent, row, width))]
}

function paintOf(kind: ChangeLine['kind'], style: TextStyle): Run['paint'] {
  if (kind === 'same') return undefined
  return kind === 'added' ? style.green : style.red
}

function runsOf({ kind, text }: ChangeLine, style: TextStyle, comparison: Comparison | undefined): Run[] {
  const paint = paintOf(kind, style)
  const plain = expandTabs(text)
  const stretches = kind === 'added' ? comparison?.fresh : comparison?.old
  if (!paint || !stretches) return [{ text: plain, ...(paint && { paint }) }]
  return stretches.map(({ text: part, isChanged }) => ({
    text: part,
    paint: isChanged ? (word: string) => paint(style.inverse(word)) : paint,
  }))
}

/** As wide as the largest number, unless there is none, or no room. */
function gutterOf(lines: readonly DiffLine[], width: number): number {
  let largest = 0
  for (const line of lines) if ('number' in line) largest = Math.max(largest, line.number ?? 0)
  const cells = String(largest).length
  return largest === 0 || cells > width / 3 ? 0 : cells
}

/** Compares lines that have taken each other's place: the first that goes with the first that comes, and so on. */
function createComparer(lines: readonly DiffLine[]): (at: number) => Comparison | undefined {
  const budget: Budget = { cells: MOST_CELLS }
  const pairs = new Map<number, { old: string; fresh: string; comparison?: Comparison | undefined }>()
  for (let at = 0; at < lines.length; ) {
    const removed = countFrom(lines, at, 'removed')
    const added = countFrom(lines, at + removed, 'added')
    for (let index = at; index < at + Math.min(removed, added); index++) {
      const pair = { old: expandTabs(lines[index]?.text ?? ''), fresh: expandTabs(lines[index + removed]?.text ?? '') }
      pairs.set(index, pair)
      pairs.set(index + removed, pair)
    }
    at += Math.max(1, removed + added)
  }
  return (at) => {
    const pair = pairs.get(at)
    if (!pair || Math.max(pair.old.length, pair.fresh.length) > LONGEST_COMPARED) return undefined
    if (!('comparison' in pair)) pair.comparison = compareWords(pair.old, pair.fresh, budget)
    return pair.comparison
  }
}

function countFrom(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end++
  return end - start
}
