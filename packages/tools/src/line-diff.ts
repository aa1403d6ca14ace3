import { splitLines } from './number-lines.ts'

/** A unified diff of one file, and how many lines it adds and takes away. */
export interface LineDiff {
  readonly text: string
  readonly changed: number
}

const CONTEXT = 3
// Above this many cells the middle is shown as one block: the table would cost more than it explains.
const MAX_CELLS = 1_000_000

type Line = { sign: ' ' | '-' | '+'; text: string }

/** Compares two texts line by line. No `before` means that the file is new, no `after` that it goes away. */
export function diffLines(path: string, before: string | undefined, after: string | undefined): LineDiff {
  const lines = compare(linesOf(before ?? ''), linesOf(after ?? ''))
  const changed = lines.filter(({ sign }) => sign !== ' ').length
  const header = [
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
    `+++ ${after === undefined ? '/dev/null' : `b/${path}`}`,
  ]
  return { text: [...header, ...hunksOf(lines)].join('\n'), changed }
}

// A last line without its newline differs from one with it, and the diff says so as everyone does.
function linesOf(text: string): string[] {
  const lines = splitLines(text)
  if (text === '' || text.endsWith('\n')) return lines
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`]
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const middle = compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return [...marked(' ', before.slice(0, start)), ...middle, ...marked(' ', before.slice(before.length - end))]
}

function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > MAX_CELLS) return [...marked('-', before), ...marked('+', after)]
  const width = after.length + 1
  // common[i * width + j]: the longest common subsequence of before[i…] and after[j…].
  const common = new Uint32Array((before.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const old = before[i]
    const fresh = after[j]
    if (old !== undefined && old === fresh) {
      lines.push({ sign: ' ', text: old })
      i++
      j++
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: old })
      i++
    } else {
      lines.push({ sign: '+', text: fresh ?? '' })
      j++
    }
  }
  return lines
}

function marked(sign: Line['sign'], texts: readonly string[]): Line[] {
  return texts.map((text) => ({ sign, text }))
}

function hunksOf(lines: readonly Line[]): string[] {
  const shown = new Set<number>()
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue
    for (let near = index - CONTEXT; near <= index + CONTEXT; near++) shown.add(near)
  }
  const printed: string[] = []
  let old = 1
  let fresh = 1
  let hunk: Line[] = []
  let place = { old, fresh }
  const close = () => {
    if (hunk.length === 0) return
    printed.push(headOf(hunk, place), ...hunk.map(({ sign, text }) => sign + text))
    hunk = []
  }
  for (const [index, line] of lines.entries()) {
    if (!shown.has(index)) close()
    else {
      if (hunk.length === 0) place = { old, fresh }
      hunk.push(line)
    }
    if (line.sign !== '+') old++
    if (line.sign !== '-') fresh++
  }
  close()
  return printed
}

function headOf(hunk: readonly Line[], { old, fresh }: { old: number; fresh: number }): string {
  const removed = hunk.filter(({ sign }) => sign !== '+').length
  const added = hunk.filter(({ sign }) => sign !== '-').length
  const side = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`
  return `@@ -${side(old, removed)} +${side(fresh, added)} @@`
}
