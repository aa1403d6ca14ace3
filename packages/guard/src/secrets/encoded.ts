/** A text that stands encoded in another, and where each of its signs comes from. */
export interface Decoded {
  readonly text: string
  /** For each sign of `text` where it begins in the run, and one more for the end. */
  readonly map: readonly number[]
}

/** A run with its percent-encoded signs in place of their codes. */
export function decodePercent(run: string): Decoded | undefined {
  if (!run.includes('%') || !/%[0-9A-Fa-f]{2}/.test(run)) return undefined
  const map: number[] = []
  let text = ''
  for (let at = 0; at < run.length; ) {
    map.push(at)
    const code = run[at] === '%' ? Number.parseInt(run.slice(at + 1, at + 3), 16) : Number.NaN
    const isCode = /^%[0-9A-Fa-f]{2}/.test(run.slice(at, at + 3))
    text += isCode ? String.fromCharCode(code) : run[at]
    at += isCode ? 3 : 1
  }
  map.push(run.length)
  return { text, map }
}

const LONGEST = 16_384

/** What a run of base64 or of hexadecimal digits says, if that is text. */
export function decodeRun(run: string): string | undefined {
  if (run.length < 20 || (fromBase64(run.slice(0, 8), 4) === undefined && !/^[0-9A-Fa-f]{16}/.test(run)))
    return undefined
  const hex = /^(?:[0-9a-f]{2}){16,}$|^(?:[0-9A-F]{2}){16,}$/.test(run.slice(0, LONGEST)) ? fromHex(run) : undefined
  return hex ?? fromBase64(run)
}

function fromHex(run: string): string | undefined {
  let text = ''
  for (let at = 0; at + 1 < Math.min(run.length, LONGEST); at += 2) {
    const code = Number.parseInt(run.slice(at, at + 2), 16)
    if (!isPrintable(code)) return undefined
    text += String.fromCharCode(code)
  }
  return text
}

const VALUES = new Int8Array(128).fill(-1)
for (const [value, sign] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  VALUES[sign.charCodeAt(0)] = value
}
VALUES[45] = 62
VALUES[95] = 63

function fromBase64(run: string, least = 12): string | undefined {
  let text = ''
  let bits = 0
  let held = 0
  for (let at = 0; at < Math.min(run.length, LONGEST); at++) {
    const code = run.charCodeAt(at)
    if (code === 61) break
    const value = code < 128 ? (VALUES[code] ?? -1) : -1
    if (value < 0) return undefined
    held = ((held << 6) | value) & 0xffffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >> bits) & 0xff
    if (!isPrintable(byte)) return undefined
    text += String.fromCharCode(byte)
  }
  return text.length >= least ? text : undefined
}

function isPrintable(code: number): boolean {
  return (code >= 32 && code < 127) || code === 10 || code === 13 || code === 9
}
