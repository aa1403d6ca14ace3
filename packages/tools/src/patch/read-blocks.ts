import type { FilePatch, Hunk, HunkLine } from './patch.ts'
import { refuse } from './refuse.ts'

/** The first line of a search/replace block. */
export const BLOCK = /^ {0,3}(?:<{5,9}|-{5,9}) ?(?:SEARCH|ORIGINAL)\b[ >]*(.*)$/

const END = /^ {0,3}(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED)\b.*$/
const DIVIDER = /^ {0,3}(={5,9})\s*$/
const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/
// Between the two sides lines are compared up to here; beyond, all but their common ends counts as changed.
const MAX_CELLS = 40_000

/** Reads blocks of SEARCH and REPLACE, each below the path of its file or below another block of it. */
export function readBlocks(
  lines: readonly string[],
  { path, skip }: { path?: string; skip(line: string, at: number): void },
): FilePatch[] {
  const files = new Map<string, { at: number; hunks: Hunk[] }>()
  let current = path
  let from = 0
  for (let at = 0; at < lines.length; at++) {
    const opening = BLOCK.exec(lines[at] ?? '')
    if (!opening) {
      skip(lines[at] ?? '', at)
      continue
    }
    current = pathAbove(lines, { from, at }) ?? asPath(opening[1] ?? '') ?? current
    if (current === undefined) {
      const hint = 'Put the path of the file on the line above SEARCH.'
      return refuse('no-path', { message: 'A block does not say which file it changes.', hint }, { line: at + 1 })
    }
    const { old, fresh, start, end } = readBlock(lines, at)
    const file = files.get(current) ?? { at: at + 1, hunks: [] }
    files.set(current, file)
    const header = start === undefined ? undefined : { oldStart: start }
    file.hunks.push({
      number: file.hunks.length + 1,
      at: at + 1,
      anchors: [],
      lines: compareSides(old, fresh),
      ...(header && { header }),
    })
    from = end + 1
    at = end
  }
  return [...files].map(([path, { at, hunks }]) => {
    const mayCreate = hunks.length === 1 && hunks[0]?.lines.every(({ sign }) => sign === '+')
    return { kind: 'update', path, at, hunks, ...(mayCreate && { mayCreate }) }
  })
}

function readBlock(lines: readonly string[], opening: number) {
  let end = opening + 1
  while (end < lines.length && !END.test(lines[end] ?? '') && !BLOCK.test(lines[end] ?? '')) end++
  if (!END.test(lines[end] ?? '')) {
    const message = `The block at line ${opening + 1} has no REPLACE line: its end is missing.`
    refuse('truncated', { message, hint: 'Send the whole patch again.' }, { line: opening + 1 })
  }
  const length = /[<-]{5,9}/.exec(lines[opening] ?? '')?.[0].length
  const dividers: { row: number; length: number }[] = []
  for (let row = opening + 1; row < end; row++) {
    const divider = DIVIDER.exec(lines[row] ?? '')
    if (divider) dividers.push({ row, length: divider[1]?.length ?? 0 })
  }
  const alike = dividers.filter((divider) => divider.length === length)
  const [divider, ...others] = alike.length > 0 ? alike : dividers
  if (divider === undefined || others.length > 0) {
    const message = `The block at line ${opening + 1} has ${divider ? 'several' : 'no'} ======= lines.`
    const hint = 'Use one, of the same length as the signs before SEARCH, and longer than any in the text.'
    return refuse('malformed', { message, hint }, { line: opening + 1 })
  }
  const [, start] = /^:start_line: *(\d+)\s*$/.exec(lines[opening + 1] ?? '') ?? []
  let first = opening + 1
  while (first < divider.row && /^(?::(?:start|end)_line:.*|-{5,9})\s*$/.test(lines[first] ?? '') && start) first++
  const side = (from: number, to: number) =>
    lines.slice(from, to).map((text, index) => ({ text, at: from + index + 1 }))
  return {
    old: side(first, divider.row),
    fresh: side(divider.row + 1, end),
    start: start === undefined ? undefined : Number(start),
    end,
  }
}

// The nearest line that can be a path, not counting blank lines and fences.
function pathAbove(lines: readonly string[], { from, at }: { from: number; at: number }): string | undefined {
  for (let row = at - 1; row >= Math.max(from, at - 4); row--) {
    const line = lines[row] ?? ''
    if (line.trim() === '') continue
    const [, info = ''] = /^\s{0,3}(?:`{3,}|~{3,})[\w+-]*[ :](.*)$/.exec(line) ?? []
    if (!FENCE.test(line)) return asPath(line)
    if (asPath(info) !== undefined) return asPath(info)
  }
  return undefined
}

/** The path that a line is, without what Markdown puts around it. */
function asPath(line: string): string | undefined {
  const path = line
    .slice(0, 500)
    .trim()
    .replace(/^(?:#+ +|\d+\. +|[*-] +)?(?:(?:file|path|filename)\s*[:=]\s*)?/i, '')
    .replace(/^[`*"'[(]+|[`*"'\]):]+$/g, '')
  if (path === '' || path.endsWith('.') || /[<>|?*"]/.test(path)) return undefined
  const looksLikeOne = !/\s/.test(path) || /^[^\s/]+( [^\s/]+)*\/.*\.\w+$|^[^/]*\.\w+$/.test(path)
  return looksLikeOne ? path : undefined
}

type Side = readonly { text: string; at: number }[]

// What stands on both sides is context, which is then taken from the file and not from here.
function compareSides(old: Side, fresh: Side): HunkLine[] {
  const shorter = Math.min(old.length, fresh.length)
  let start = 0
  while (start < shorter && old[start]?.text === fresh[start]?.text) start++
  let tail = 0
  while (tail < shorter - start && old.at(-1 - tail)?.text === fresh.at(-1 - tail)?.text) tail++
  const marked = (sign: HunkLine['sign'], lines: Side): HunkLine[] => lines.map((line) => ({ sign, ...line }))
  return [
    ...marked(' ', old.slice(0, start)),
    ...compareMiddle(old.slice(start, old.length - tail), fresh.slice(start, fresh.length - tail)),
    ...marked(' ', old.slice(old.length - tail)),
  ]
}

function compareMiddle(old: Side, fresh: Side): HunkLine[] {
  const width = fresh.length + 1
  const cells = (old.length + 1) * width
  const lines: HunkLine[] = []
  const common = new Uint16Array(cells > MAX_CELLS ? 0 : cells)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; common.length > 0 && i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i]?.text === fresh[j]?.text ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  let i = 0
  let j = 0
  while (i < old.length || j < fresh.length) {
    const left = old[i]
    const right = fresh[j]
    if (left && right && common.length > 0 && left.text === right.text) {
      lines.push({ sign: ' ', ...left })
      i++
      j++
    } else if (left && (!right || common.length === 0 || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', ...left })
      i++
    } else if (right) {
      lines.push({ sign: '+', ...right })
      j++
    }
  }
  return lines
}
