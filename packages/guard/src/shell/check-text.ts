import type { Context } from './context.ts'

const MAX_LENGTH = 4_000

const PLAIN = /^[\t\n -~]*$/
// What a person does not see, or sees as something else: controls, odd blanks, direction marks, fillers, and the sign
// that stands for what is not known.
const ODD = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC]/u
// So much white space is there to push something out of sight.
const GAP = /[ \t]{40}|\n{20}/

/** Finds what speaks against a line before it is parsed. */
export function checkText(line: string, context: Context): void {
  if (line.length > MAX_LENGTH) context.doubt('limit', 'long')
  const odd = PLAIN.test(line) ? undefined : [...line].find((sign) => !' \t\n'.includes(sign) && ODD.test(sign))
  if (odd !== undefined) context.doubt('odd-characters', `U+${codeOf(odd)}`)
  if (GAP.test(line)) context.doubt('odd-characters', 'a gap')
}

function codeOf(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
