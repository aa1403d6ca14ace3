/** Which byte of a pair comes first. */
export type Utf16 = 'utf-16le' | 'utf-16be'

/** UTF-16 as text, or nothing if it is not well formed. A mark at the beginning is left to the caller. */
export function decodeUtf16(bytes: Uint8Array, encoding: Utf16): string | undefined {
  if (bytes.length % 2 !== 0) return undefined
  const copy = Buffer.from(bytes)
  const text = (encoding === 'utf-16le' ? copy : copy.swap16()).toString('utf16le')
  return /\p{Surrogate}/u.test(text) ? undefined : text
}

/** A text as UTF-16; lone surrogates are the caller's to refuse. */
export function encodeUtf16(text: string, encoding: Utf16): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16le' ? bytes : bytes.swap16()
}

/**
 * UTF-16 without a mark, where one order gives words and the other does not: every character assigned and none of them
 * a control, and a good part of them plain letters, blanks or Hangul. Numbers of two bytes seldom look like that.
 */
export function guessUtf16(bytes: Uint8Array): { text: string; encoding: Utf16 } | undefined {
  const readings = (['utf-16le', 'utf-16be'] as const).flatMap((encoding) => {
    const text = decodeUtf16(bytes, encoding)
    return text !== undefined && looksWritten(text) ? [{ text, encoding }] : []
  })
  return readings.length === 1 ? readings[0] : undefined
}

function looksWritten(text: string): boolean {
  if (text.length < 4 || /[^\P{C}\t\n\f\r\p{Cf}]/u.test(text)) return false
  const plain = text.match(/[\t\n\r -~\p{Script=Hangul}]/gu)?.length ?? 0
  return plain * 2 >= text.length && /[\t\n\r -~]/.test(text)
}
