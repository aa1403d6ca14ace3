// The flags of England, Scotland and Wales are spelt with tag characters, which anywhere else hide text.
const TAGGED_FLAG = String.raw`\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}`
// Control characters, lone surrogates, and what reorders or hides text. Joiners stay: emoji and scripts need them.
const UNSAFE_SIGN = String.raw`\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|(?![\u200c\u200d])\p{Cf}`

/** Finds the signs that a terminal would obey or hide; a flag that holds such signs is found whole, to be left alone. */
export const UNSAFE_OR_FLAG = new RegExp(`${TAGGED_FLAG}|${UNSAFE_SIGN}`, 'gu')

const unsafe = new RegExp(`^(?:${UNSAFE_SIGN})$`, 'u')

/** Is this one sign that must not reach a terminal as it is? */
export const isUnsafe = (sign: string) => unsafe.test(sign)

/** Text on one line that a terminal cannot obey: what is not a sign to look at is spelt out. */
export function visible(text: string): string {
  return text.replace(UNSAFE_OR_FLAG, (found) => (isUnsafe(found) ? spellOut(found) : found))
}

/** Every sign of the text as its number: \x1b, \u200b, \u{e0001}. */
export function spellOut(text: string): string {
  return Array.from(text, spellSign).join('')
}

function spellSign(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (sign === '\n') return '\\n'
  if (sign === '\t') return '\\t'
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
