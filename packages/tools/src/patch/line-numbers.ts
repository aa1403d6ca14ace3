import type { Hunk, HunkLine } from './patch.ts'

// What stands between a number and its line; which of them was meant, the file says.
const SEPARATORS = ['\t', ': ', ' | ', '|', ':']

/**
 * The hunk without the numbers of lines that were copied into it with what stood there (`12\tfoo`, `12: foo`), in each way
 * to understand them. They are only taken for that where each old line has one and they count on; added lines have them
 * all or none.
 */
export function withoutLineNumbers(hunk: Hunk): Hunk[] {
  return SEPARATORS.flatMap((separator) => {
    const bare = withoutNumbers(hunk, separator)
    return bare ? [bare] : []
  })
}

function withoutNumbers(hunk: Hunk, separator: string): Hunk | undefined {
  const old = hunk.lines.filter(({ sign }) => sign !== '+')
  const numbers = old.map(({ text }) => numberOf(text, separator)?.number)
  const [first] = numbers
  if (first === undefined || old.length < 2) return undefined
  if (numbers.some((number, at) => number !== first + at)) return undefined
  const added = hunk.lines.filter(({ sign }) => sign === '+')
  const isAll = added.every(({ text }) => numberOf(text, separator))
  if (!isAll && added.some(({ text }) => numberOf(text, separator))) return undefined
  const bare = (line: HunkLine): HunkLine => {
    const numbered = line.sign === '+' && !isAll ? undefined : numberOf(line.text, separator)
    return numbered ? { ...line, text: numbered.rest } : line
  }
  return { ...hunk, lines: hunk.lines.map(bare), isNumbered: true }
}

function numberOf(text: string, separator: string): { number: number; rest: string } | undefined {
  const [, blanks = '', digits] = /^( *)(\d{1,7})(?!\d)/.exec(text) ?? []
  if (digits === undefined) return undefined
  const behind = text.slice(blanks.length + digits.length)
  const number = Number(digits)
  // Behind the number of a blank line the separator is often cut short.
  if (separator.startsWith(behind)) return { number, rest: '' }
  return behind.startsWith(separator) ? { number, rest: behind.slice(separator.length) } : undefined
}
