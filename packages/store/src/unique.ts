/**
 * Hexadecimal digits that no one else has. Unique, never secret: ids and names of files need no more, and what makes
 * secrets takes milliseconds to load, for which a first request would wait.
 */
export function uniqueHex(digits: number): string {
  let hex = ''
  while (hex.length < digits) {
    hex += Math.floor(Math.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0')
  }
  return hex.slice(0, digits)
}
