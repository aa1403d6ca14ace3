/** How alike two lines have to be, best first. */
export const LEVELS = ['exact', 'trailing-space', 'indentation', 'punctuation'] as const
export type Level = (typeof LEVELS)[number]

/** Lines are alike at a level when their keys are the same. */
export function keyOf(level: Level, line: string): string {
  switch (level) {
    case 'exact':
      return line
    case 'trailing-space':
      return line.trimEnd()
    case 'indentation':
      return line.trim()
    case 'punctuation':
      return foldPunctuation(line).trimEnd()
    default:
      return level satisfies never
  }
}

/** The signs that models and editors write for plain ones: quotes, dashes, blanks; and composed letters. */
export function foldPunctuation(line: string): string {
  // Most lines are plain, and this is asked of every line of a file.
  if (!NOT_ASCII.test(line)) return line
  return line.normalize('NFC').replace(FOLDED, (sign) => FOLDS.get(sign) ?? '')
}

/** What a sign stands for among the plain ones, if it is one that is folded. */
export function plainOf(sign: string): string | undefined {
  return FOLDS.get(sign)
}

/** Those of the signs in these lines that are folded: also the parts of letters that are written in parts. */
export function foldedSigns(lines: readonly string[]): Set<string> {
  const isFolded = (sign: string) => FOLDS.has(sign) || PART_OF_LETTER.test(sign)
  return new Set(lines.flatMap((line) => (NOT_ASCII.test(line) ? [...line].filter(isFolded) : [])))
}

/** Whether a line has letters in parts (as macOS writes names) that most files have as one sign. */
export function isDecomposed(line: string): boolean {
  return NOT_ASCII.test(line) && line !== line.normalize('NFC')
}

const PART_OF_LETTER = /[\u0300-\u036f\u1100-\u11ff\u3099\u309a]/

const NOT_ASCII = /[^\0-\x7f]/

const FOLDS = new Map<string, string>()
for (const [plain, signs] of [
  ["'", '\u2018\u2019\u201a\u201b\u2032\u00b4'],
  ['"', '\u201c\u201d\u201e\u201f\u2033'],
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212'],
  ['...', '\u2026'],
  [' ', '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
  ['', '\u200b\u200c\u200d\u2060\ufeff'],
] as const)
  for (const sign of signs) FOLDS.set(sign, plain)

const FOLDED = new RegExp(`[${[...FOLDS.keys()].join('')}]`, 'g')
