const ESC = 0x1b
const BEL = 0x07

/** Where the escape sequence that begins at `at` ends; a broken one is its ESC alone, so that no text is hidden by it. */
export function endOfSequence(text: string, at: number): number {
  const kind = text.charCodeAt(at + 1)
  if (kind === 0x5b) return endOfCsi(text, at)
  if (kind === 0x5d) return endOfOsc(text, at)
  return at + 1
}

function endOfCsi(text: string, at: number): number {
  for (let i = at + 2; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x40 && code <= 0x7e) return i + 1
    if (code < 0x20 || code > 0x7e) break
  }
  return at + 1
}

function endOfOsc(text: string, at: number): number {
  for (let i = at + 2; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BEL) return i + 1
    if (code === ESC) return text.charCodeAt(i + 1) === 0x5c ? i + 2 : at + 1
    if (code < 0x20) break
  }
  return at + 1
}

/** The text without its escape sequences. */
export function withoutSequences(text: string): string {
  let plain = ''
  for (let i = 0; i < text.length; ) {
    const next = text.indexOf('\x1b', i)
    if (next < 0) return plain + text.slice(i)
    plain += text.slice(i, next)
    i = endOfSequence(text, next)
  }
  return plain
}
