import type { Hunk, HunkHeader, HunkLine } from './patch.ts'

const NUMBERS = /^@@+ *-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))? *@@+ ?(.*)$/
const WITHOUT_NUMBERS = /^@@+ ?(?:(.*?) ?@@+(?: (.*))?|(.*))$/

/** A line that opens a hunk: its numbers if it has them, and what stands beside them. */
export function readHunkHeader(line: string): { header?: HunkHeader; section: string } {
  // Beyond this it is no header that anybody wrote, and expressions should not have to look.
  const short = line.slice(0, 2_000)
  const numbers = NUMBERS.exec(short)
  if (numbers) {
    const [, oldStart, oldCount, newStart, newCount, section = ''] = numbers
    const header = {
      oldStart: Number(oldStart),
      newStart: Number(newStart),
      ...(oldCount !== undefined && { oldCount: Number(oldCount) }),
      ...(newCount !== undefined && { newCount: Number(newCount) }),
    }
    return { header, section }
  }
  const [, inside, behind, rest] = WITHOUT_NUMBERS.exec(short) ?? []
  const section = [behind, inside, rest].find((text) => text !== undefined && /\w/.test(text)) ?? ''
  return { section }
}

/** A line of a hunk's body. What has no sign is taken for context that has lost it. */
export function readHunkLine(written: string, at: number): HunkLine {
  const sign = written[0]
  if (sign === '+' || sign === '-' || sign === ' ') return { sign, text: written.slice(1), at }
  return { sign: ' ', text: written, at, isLoose: true }
}

/** How many lines of the old and of the new file these are. */
export function countLines(lines: readonly HunkLine[]): { old: number; new: number } {
  let added = 0
  let removed = 0
  for (const { sign } of lines) {
    if (sign === '+') added++
    else if (sign === '-') removed++
  }
  return { old: lines.length - added, new: lines.length - removed }
}

/** Whether a hunk adds or takes away anything. */
export function changesSomething({ lines }: Pick<Hunk, 'lines'>): boolean {
  return lines.some(({ sign }) => sign !== ' ')
}

/** Lines at the end that may be context without signs, or only what was written behind the patch. */
export function looseTail(lines: readonly HunkLine[]): number {
  let count = 0
  while (lines.at(-1 - count)?.isLoose) count++
  return count
}
