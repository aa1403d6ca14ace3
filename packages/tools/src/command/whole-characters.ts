const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Bytes of UTF-8 without half a character at their end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--
  const first = bytes[start] ?? 0
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start >= 0 && bytes.length - start < size ? bytes.subarray(0, start) : bytes
}

/** Bytes of UTF-8, in one part or several, without half a character at their beginning. */
export function fromCharacter(parts: Buffer[]): Buffer[] {
  const rest = [...parts]
  for (let dropped = 0; dropped < 3 && isContinuation(rest[0]?.[0]); dropped++) {
    const [first = Buffer.alloc(0), ...others] = rest
    rest.splice(0, rest.length, ...(first.length > 1 ? [first.subarray(1)] : []), ...others)
  }
  return rest
}
