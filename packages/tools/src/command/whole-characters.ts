const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Bytes of UTF-8 without half a character at their end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--
  const first = bytes[start] ?? 0
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start >= 0 && bytes.length - start < size ? bytes.subarray(0, start) : bytes
}

/** Bytes of UTF-8 without half a character at their beginning. */
export function fromCharacter(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return bytes.subarray(start)
}
