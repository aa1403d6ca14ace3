/**
 * Decodes UTF-8 that comes in pieces. A character that is not whole yet is held back, so that each piece can be decoded
 * as a whole: a TextDecoder in its own streaming mode takes five times as long and gives wider, slower strings.
 */
export function createUtf8Decoder(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let held = new Uint8Array(0)
  let isFirst = true

  return (bytes) => {
    const all = held.length === 0 ? bytes : join(held, bytes)
    const end = all.length - unfinished(all)
    held = all.slice(end)
    const text = decoder.decode(all.subarray(0, end))
    if (!isFirst || text === '') return text
    isFirst = false
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }
}

function join(before: Uint8Array, after: Uint8Array): Uint8Array {
  const all = new Uint8Array(before.length + after.length)
  all.set(before)
  all.set(after, before.length)
  return all
}

/** How many bytes at the end are the beginning of a character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    // 10xxxxxx goes on with a character; anything else begins one, and says how long it is.
    if (byte >> 6 === 0b10) continue
    const length = byte >> 5 === 0b110 ? 2 : byte >> 4 === 0b1110 ? 3 : byte >> 3 === 0b11110 ? 4 : 1
    return length > back ? back : 0
  }
  return 0
}
