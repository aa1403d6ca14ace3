// Control characters, lone surrogates, and what reorders or hides text. Joiners stay: emoji and scripts need them.
const unsafe = /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|(?![\u200c\u200d])\p{Cf}/gu

/** Text from files or programs, safe for a terminal: escape sequences and invisible characters become visible. */
export function printable(text: string, { keepLines = false }: { keepLines?: boolean } = {}): string {
  return text.replace(unsafe, (sign) => (keepLines && (sign === '\n' || sign === '\t') ? sign : escaped(sign)))
}

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escaped(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  const named = NAMED[sign]
  if (named) return named
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
