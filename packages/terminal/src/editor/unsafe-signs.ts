import { spellOut, UNSAFE_SIGN } from '../printable.ts'

// The flags of England, Scotland and Wales are spelt with tag characters, which anywhere else hide text.
const TAGGED_FLAG = String.raw`\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}`

/** Finds the signs that a terminal would obey or hide; a flag that holds such signs is found whole, to be left alone. */
export const UNSAFE_OR_FLAG = new RegExp(`${TAGGED_FLAG}|${UNSAFE_SIGN}`, 'gu')

const unsafe = new RegExp(`^(?:${UNSAFE_SIGN})$`, 'u')

/** Is this one sign that must not reach a terminal as it is? */
export const isUnsafe = (sign: string) => unsafe.test(sign)

/** Text on one line that a terminal cannot obey: what is not a sign to look at is spelt out. */
export function visible(text: string): string {
  return text.replace(UNSAFE_OR_FLAG, (found) => (isUnsafe(found) ? spellOut(found) : found))
}
