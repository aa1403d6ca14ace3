import { cp949 } from './cp949.ts'
import { knownKindOf } from './known-kind.ts'
import { type LineEnd, lineEndsOf } from './line-ends.ts'
import { decodeUtf16, guessUtf16, type Utf16 } from './utf-16.ts'
import { decodeWindows1252 } from './windows-1252.ts'

/** Encodings that are read and written. `windows-1252` is the last resort: Latin-1, and no more than a guess. */
export type Encoding = 'utf-8' | Utf16 | 'cp949' | 'windows-1252'

/** How a text stands in its file: enough to write it back in the same way. */
export interface TextForm {
  readonly encoding: Encoding
  /** Whether a byte-order mark stands before the text; it is never part of the text. */
  readonly bom: boolean
}

/**
 * What the bytes of a file are. `text` loses nothing: encoded again as it was, it gives the same bytes. `damaged` can be
 * shown, with U+FFFD for what could not be read, and must not be written back. `reason` completes "it …".
 */
export type FileContent =
  | ({ kind: 'text'; text: string; eol: LineEnd; finalNewline: boolean } & TextForm)
  | { kind: 'damaged'; text: string; encoding: Encoding; reason: string }
  | { kind: 'binary'; mediaType?: string; reason: string }

/** Reads the bytes of a file as text, or says why they are none. */
export function readText(bytes: Uint8Array): FileContent {
  const mark = findMark(bytes)
  if (mark === 'utf-32') return binary('is UTF-32, which is not supported')
  if (mark !== undefined) return readMarked(bytes, mark)
  if (!bytes.includes(0)) {
    const text = decodeUtf8(bytes)
    if (text !== undefined) return written(text, { encoding: 'utf-8', bom: false })
  }
  const known = knownKindOf(bytes)
  if (known) return { kind: 'binary', mediaType: known.mediaType, reason: `is ${known.name}` }
  if (bytes.includes(0)) {
    const guess = guessUtf16(bytes)
    return guess ? written(guess.text, { encoding: guess.encoding, bom: false }) : binary('holds NUL bytes')
  }
  return readLegacy(bytes)
}

function readLegacy(bytes: Uint8Array): FileContent {
  const korean = cp949()?.decode(bytes)
  if (korean?.isLikely) return written(korean.text, { encoding: 'cp949', bom: false })
  const torn = new TextDecoder('utf-8').decode(bytes)
  if (isMostlyReadable(torn, bytes)) return damaged(torn, 'utf-8')
  const latin = isMostlyAscii(bytes) ? decodeWindows1252(bytes) : undefined
  if (latin === undefined) return binary('is in no encoding that is known')
  return written(latin, { encoding: 'windows-1252', bom: false })
}

function findMark(bytes: Uint8Array): 'utf-8' | Utf16 | 'utf-32' | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32' : 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? 'utf-32' : undefined
}

function readMarked(bytes: Uint8Array, encoding: 'utf-8' | Utf16): FileContent {
  const rest = bytes.subarray(encoding === 'utf-8' ? 3 : 2)
  const text = encoding === 'utf-8' ? decodeUtf8(rest) : decodeUtf16(rest, encoding)
  if (text === undefined) return damaged(new TextDecoder(encoding, { ignoreBOM: true }).decode(rest), encoding)
  return written(text, { encoding, bom: true })
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function written(text: string, form: TextForm): FileContent {
  const problem = findControls(text)
  return problem ? binary(problem) : { kind: 'text', text, ...form, ...lineEndsOf(text) }
}

function damaged(text: string, encoding: Encoding): FileContent {
  const problem = findControls(text)
  return problem ? binary(problem) : { kind: 'damaged', text, encoding, reason: `is not wholly valid ${encoding}` }
}

function binary(reason: string): FileContent {
  return { kind: 'binary', reason }
}

// A log with colours or a form feed is text; a tenth of other control characters is not.
function findControls(text: string): string | undefined {
  if (text.includes('\0')) return 'holds NUL characters'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const controls = text.match(/[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0
  return controls * 10 > text.length ? 'holds mostly control characters' : undefined
}

// A file that was torn or spliced is still mostly characters of several bytes, which no other encoding gives by chance.
function isMostlyReadable(text: string, bytes: Uint8Array): boolean {
  const own = Buffer.from(bytes).toString('latin1').split('\xef\xbf\xbd').length - 1
  const lost = (text.match(/\uFFFD/g)?.length ?? 0) - own
  const read = text.match(/[^\0-\x7f\uFFFD]/gu)?.length ?? 0
  return read >= lost * 2
}

function isMostlyAscii(bytes: Uint8Array): boolean {
  let high = 0
  for (const byte of bytes) if (byte >= 0x80) high++
  return high * 10 <= bytes.length * 3
}
