import { visible } from './unsafe-signs.ts'

// Noncharacters, which Unicode sets aside for a program's own use: a chip stands in the text as a number between them.
const OPEN = '\uFDD0'
const CLOSE = '\uFDD1'
const MOST_LINES = 3
const MOST_SIGNS = 300
// A longer line is laid out anew too slowly at each key.
const LONGEST_LINE = 20_000

/** Finds the chips in a text; their number is the first group. */
export const CHIP = /\uFDD0(\d+)\uFDD1/g

export interface PasteChips {
  /** What goes into the text for what was pasted: itself when it is short, else a chip. */
  fold(pasted: string): string
  /** Text from elsewhere as it goes in: only lines too long to be edited become chips. */
  foldLines(text: string): string
  /** The text with everything in place that was pasted. */
  expand(text: string): string
  /** How the chip looks. */
  labelOf(number: number): string
  /** Forgets what none of these texts holds. */
  keepOnly(texts: Iterable<string>): void
}

/** Keeps long pastes out of the text that is edited; `describe` says how one is shown. */
export function createPasteChips(describe: (lines: number, number: number) => string): PasteChips {
  const pastes = new Map<number, { text: string; label: string }>()
  let newest = 0

  const chipFor = (text: string) => {
    newest += 1
    pastes.set(newest, { text, label: visible(describe(countLines(text), newest)) || '…' })
    return `${OPEN}${newest}${CLOSE}`
  }

  return {
    fold(pasted) {
      const text = cleaned(pasted)
      return text.length > MOST_SIGNS || countLines(text) > MOST_LINES ? chipFor(text) : text
    },
    foldLines(text) {
      const clean = cleaned(text)
      if (clean.length <= LONGEST_LINE) return clean
      return clean
        .split('\n')
        .map((line) => (line.length > LONGEST_LINE ? chipFor(line) : line))
        .join('\n')
    },
    expand: (text) =>
      text.includes(OPEN) ? text.replace(CHIP, (_, number) => pastes.get(Number(number))?.text ?? '') : text,
    labelOf: (number) => pastes.get(number)?.label ?? '…',
    keepOnly(texts) {
      const used = new Set<number>()
      for (const text of texts) {
        if (!text.includes(OPEN)) continue
        for (const [, number] of text.matchAll(CHIP)) used.add(Number(number))
      }
      for (const number of pastes.keys()) if (!used.has(number)) pastes.delete(number)
    },
  }
}

// Terminals send a carriage return for each line that is pasted.
function cleaned(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\uFDD0\uFDD1]/g, '\uFFFD')
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
