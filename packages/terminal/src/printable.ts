/** Control characters, lone surrogates, and what reorders or hides text. Joiners stay: emoji and scripts need them. */
export const UNSAFE_SIGN = String.raw`\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|(?![\u200c\u200d])\p{Cf}`

// Most text is: it need not wait for the other expression, which takes longer to make than to use.
const PLAIN = /^[ -~]*$/
let unsafe: RegExp | undefined

/** Text from files or programs, safe for a terminal: escape sequences and invisible characters become visible. */
export function printable(text: string, { keepLines = false }: { keepLines?: boolean } = {}): string {
  if (PLAIN.test(text)) return text
  unsafe ??= new RegExp(UNSAFE_SIGN, 'gu')
  return text.replace(unsafe, (sign) => (keepLines && (sign === '\n' || sign === '\t') ? sign : spellOut(sign)))
}

/** Every sign of the text as its name or number: \n, \x1b, \u200b, \u{e0001}. */
export function spellOut(text: string): string {
  return Array.from(text, spellSign).join('')
}

const NAMED: { readonly [sign: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function spellSign(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  const named = NAMED[sign]
  if (named !== undefined) return named
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
