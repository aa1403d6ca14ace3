import type { IndentKind } from './indent-style.ts'
import type { HunkLine } from './patch.ts'

/** How a line of the patch and the line of the file that it stands for are indented. */
export interface IndentPair {
  readonly patch: string
  readonly file: string
}

type Mapper = (indent: string) => string

/**
 * How the added lines have to be indented for the file, learned from the lines that stand in both; nothing if that can be
 * understood in more than one way. Some models indent all lines in another way than the file, some only the old ones.
 */
export function mapIndentation(
  pairs: readonly IndentPair[],
  { lines, isIndentedWith }: { lines: readonly HunkLine[]; isIndentedWith(kind: IndentKind): boolean },
): Mapper | undefined {
  const known = new Map<string, string>()
  for (const { patch, file } of pairs) {
    if ((known.get(patch) ?? file) !== file) return undefined
    known.set(patch, file)
  }
  const added = lines.filter(({ sign }) => sign === '+').map(({ text }) => indentOf(text))
  const changed = pairs.filter(({ patch, file }) => patch !== file)
  if (changed.length === 0 || isAboutIndentation(lines, known)) return undefined
  if (changed.every(({ patch, file }) => patch.startsWith('\t') && !file.includes('\t')))
    return fromTabs(pairs, { added, isIndentedWith })
  if (changed.every(({ patch, file }) => !patch.includes('\t') && file.startsWith('\t')))
    return toTabs(pairs, { added, isIndentedWith })
  return shift(pairs, lines)
}

// A patch that turns blanks into tabs means its own, and cannot be taken for one that got them wrong.
function isAboutIndentation(lines: readonly HunkLine[], known: ReadonlyMap<string, string>): boolean {
  const step = [...known.values()].reduce((common, { length }) => greatestDivisor(common, length), 0)
  // What the same run of changes takes away, by its words.
  const removed = new Map<string, string>()
  for (const { sign, text } of lines) {
    const after = indentOf(text)
    const before = removed.get(text.trim())
    if (sign === ' ') removed.clear()
    else if (sign === '-') {
      if (/\w/.test(text)) removed.set(text.trim(), after)
    } else if (before && after && before.includes('\t') !== after.includes('\t')) {
      if (after === known.get(before) || (!after.includes('\t') && after.length % step !== 0)) return true
    }
  }
  return false
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/** The blanks that a line begins with. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}

const keep: Mapper = (indent) => indent

function fromTabs(pairs: readonly IndentPair[], { added, isIndentedWith }: Added): Mapper | undefined {
  const width = widthOfTab(pairs.map(({ patch, file }) => ({ tabbed: patch, spaced: file })))
  if (width === undefined) return undefined
  const tabbed = added.filter((indent) => indent.includes('\t'))
  if (tabbed.length === 0) return keep
  // Where the file has both, or the patch, both may be meant.
  if (isIndentedWith('tabs')) return undefined
  if (added.some((indent) => !indent.includes('\t') && indent.length >= width)) return undefined
  if (tabbed.some((indent) => !/^\t* *$/.test(indent))) return undefined
  return (indent) => indent.replaceAll('\t', ' '.repeat(width))
}

type Added = { added: readonly string[]; isIndentedWith(kind: IndentKind): boolean }

function toTabs(pairs: readonly IndentPair[], { added, isIndentedWith }: Added): Mapper | undefined {
  const width = widthOfTab(pairs.map(({ patch, file }) => ({ tabbed: file, spaced: patch })))
  if (width === undefined) return undefined
  const spaced = added.filter((indent) => !indent.includes('\t') && indent.length >= width)
  if (spaced.length === 0) return keep
  if (isIndentedWith('blanks')) return undefined
  if (added.some((indent) => indent.includes('\t'))) return undefined
  // A single blank behind the tabs is how comments are aligned; more could be half a step or alignment.
  const known = new Set(pairs.map(({ patch }) => patch))
  if (spaced.some((indent) => indent.length % width > 1 && !known.has(indent))) return undefined
  return (indent) => '\t'.repeat(Math.floor(indent.length / width)) + ' '.repeat(indent.length % width)
}

// How many blanks a tab is, if all pairs say the same.
function widthOfTab(pairs: readonly { tabbed: string; spaced: string }[]): number | undefined {
  let width: number | undefined
  for (const { tabbed, spaced } of pairs) {
    if (!/^\t* *$/.test(tabbed) || !/^ *$/.test(spaced)) return undefined
    const tabs = tabbed.lastIndexOf('\t') + 1
    if (tabs === 0 && tabbed !== spaced) return undefined
    if (tabs === 0) continue
    const own = (spaced.length - (tabbed.length - tabs)) / tabs
    if (own < 1 || !Number.isInteger(own) || (width ?? own) !== own) return undefined
    width = own
  }
  return width
}

// All lines are further in, or further out, by the same blanks.
function shift(pairs: readonly IndentPair[], lines: readonly HunkLine[]): Mapper | undefined {
  const [first] = pairs
  if (!first) return undefined
  const isDeeper = first.file.length > first.patch.length
  const [longer, shorter] = isDeeper ? [first.file, first.patch] : [first.patch, first.file]
  const by = longer.slice(0, longer.length - shorter.length)
  const move: Mapper = (indent) => (isDeeper ? by + indent : indent.slice(by.length))
  const isMoved = ({ patch, file }: IndentPair) => move(patch) === file && (isDeeper || patch.startsWith(by))
  if (!pairs.every(isMoved)) return undefined
  const blocks = addedBlocks(lines)
  // A line of blanks alone may have been an empty one, moved like the rest.
  if (blocks.length === 0) return lines.some(({ sign, text }) => sign === '+' && text !== '') ? undefined : keep
  const farthestOut = pairs.reduce(
    (least, pair) => Math.min(least, Math.max(pair.patch.length, pair.file.length)),
    longer.length,
  )
  const verdicts = new Set(blocks.map((block) => verdictOf(block, { move, isDeeper, farthestOut })))
  verdicts.delete('unclear')
  if (verdicts.size !== 1) return undefined
  if (verdicts.has('kept')) return keep
  const isLongEnough = (line: HunkLine) => isDeeper || line.text.trim() === '' || indentOf(line.text).startsWith(by)
  return lines.every((line) => line.sign !== '+' || isLongEnough(line)) ? move : undefined
}

type AddedBlock = { added: string; replaced?: string }

// The first of each run of added lines that is not blank, with the first of those that the run replaces.
function addedBlocks(lines: readonly HunkLine[]): AddedBlock[] {
  const blocks: AddedBlock[] = []
  for (const [at, { sign, text }] of lines.entries()) {
    if (sign !== '+' || text.trim() === '') continue
    let run = at
    while (lines[run - 1]?.sign === '+' && lines[run - 1]?.text.trim() === '') run--
    if (lines[run - 1]?.sign === '+') continue
    let start = run
    while (lines[start - 1]?.sign === '-') start--
    const replaced = start < run ? lines[start]?.text : undefined
    blocks.push({ added: indentOf(text), ...(replaced?.trim() && { replaced: indentOf(replaced) }) })
  }
  return blocks
}

/**
 * A line that replaces another is as far in as that one: as the patch has it, or as the file has it. A line that is
 * farther out than anything around it in the file was written the patch's way, and the other way round.
 */
function verdictOf(
  { added, replaced }: AddedBlock,
  { move, isDeeper, farthestOut }: { move: Mapper; isDeeper: boolean; farthestOut: number },
): 'moved' | 'kept' | 'unclear' {
  if (replaced !== undefined && added === replaced) return 'moved'
  if (replaced !== undefined && added === move(replaced)) return 'kept'
  if (added.length < farthestOut) return isDeeper ? 'moved' : 'kept'
  return 'unclear'
}
