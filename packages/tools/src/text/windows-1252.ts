// What Windows put where Latin-1 has control characters; five places are empty, and bytes there mean that it is no text.
const EXTRA = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

const codes = new Map([...EXTRA].flatMap((character, index) => (character === '\0' ? [] : [[character, 0x80 + index]])))

/** Bytes as Windows-1252, which is Latin-1 as everyone writes it; nothing if one of them has no character. */
export function decodeWindows1252(bytes: Uint8Array): string | undefined {
  let isKnown = true
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (control) => {
      const character = EXTRA[control.charCodeAt(0) - 0x80] ?? '\0'
      if (character === '\0') isKnown = false
      return character
    })
  return isKnown ? text : undefined
}

/** The byte of a character, or nothing if there is none. */
export function windows1252ByteOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code
  return codes.get(character)
}
