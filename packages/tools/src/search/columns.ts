import type { Encoding } from '../text/read-text.ts'

/** How many bytes stand before a character of a line, as an engine counts them: UTF-16 is read as UTF-8. */
export function byteAt(line: string, index: number, encoding: Encoding): number {
  return bytesOf(line.slice(0, index), encoding)
}

/** The character at a byte, the other way round; the end of the line if it is shorter. */
export function indexAt(line: string, byte: number, encoding: Encoding): number {
  let index = 0
  let bytes = 0
  for (const character of line) {
    if (bytes >= byte) break
    bytes += bytesOf(character, encoding)
    index += character.length
  }
  return index
}

function bytesOf(text: string, encoding: Encoding): number {
  switch (encoding) {
    case 'utf-8':
    case 'utf-16le':
    case 'utf-16be':
      return Buffer.byteLength(text)
    case 'cp949':
      return text.length + (text.match(/\P{ASCII}/gu)?.length ?? 0)
    case 'windows-1252':
      return text.length
    default:
      return encoding satisfies never
  }
}
