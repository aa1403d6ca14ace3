const SIGNATURES: [bytes: number[], type: string][] = [
  [[0x89, 0x50, 0x4e, 0x47], 'PNG image'],
  [[0xff, 0xd8, 0xff], 'JPEG image'],
  [[0x47, 0x49, 0x46, 0x38], 'GIF image'],
  [[0x25, 0x50, 0x44, 0x46], 'PDF document'],
  [[0x50, 0x4b, 0x03, 0x04], 'ZIP archive'],
  [[0x1f, 0x8b], 'gzip archive'],
  [[0x7f, 0x45, 0x4c, 0x46], 'ELF program'],
  [[0xff, 0xfe], 'UTF-16 text'],
  [[0xfe, 0xff], 'UTF-16 text'],
]

/** What kind of content these bytes are, if it is none that can be shown as text. */
export function describeBinary(bytes: Uint8Array): string | undefined {
  const known = SIGNATURES.find(([signature]) => signature.every((byte, at) => bytes[at] === byte))
  if (known !== undefined) return known[1]
  return bytes.subarray(0, 8000).includes(0) ? 'binary' : undefined
}

/** Bytes as text, and whether they really were UTF-8. A byte-order mark is not part of the text. */
export function decodeText(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isUtf8: true }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { text: new TextDecoder('utf-8').decode(bytes), isUtf8: false }
  }
}
