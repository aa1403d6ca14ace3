import type { Context } from './context.ts'

const MAX_LENGTH = 4_000

const PLAIN = /^[\t\n -~]*$/
// So much white space is there to push something out of sight.
const GAP = /[ \t]{40}|\n{20}/

/** Finds what speaks against a line before it is parsed. */
export function checkText(line: string, context: Context): void {
  if (line.length > MAX_LENGTH) context.doubt('limit', 'long')
  const hidden = PLAIN.test(line) ? undefined : findHidden(line)
  if (hidden !== undefined) context.doubt('odd-characters', `U+${codeOf(hidden)}`)
  if (GAP.test(line)) context.doubt('odd-characters', 'a gap')
}

// What a person does not see, or sees as something else: controls, odd blanks, direction marks, fillers, and the sign
// that stands for what is not known. Few lines need it, and its classes take a while to build.
function findHidden(line: string): string | undefined {
  const hidden = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC]/u
  return [...line].find((sign) => !' \t\n'.includes(sign) && hidden.test(sign))
}

function codeOf(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
