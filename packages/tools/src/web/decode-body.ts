import { cp949 } from '../text/cp949.ts'
import { readText } from '../text/read-text.ts'
import { decodeWindows1252 } from '../text/windows-1252.ts'

/** How far into a page a declaration of its encoding is looked for. */
const PRESCAN = 4096

/** The text of a body. A byte-order mark wins, then the server's word, then the page's own, then what the bytes look like. */
export function decodeBody(bytes: Uint8Array, declared: string | undefined): string {
  const label = labelOfMark(bytes) ?? knownLabel(declared) ?? knownLabel(labelInPage(bytes))
  return label === undefined ? guess(bytes) : decodeAs(bytes, label)
}

/** The `charset` of a content type. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? '')?.[1]
}

function labelOfMark([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined
}

function labelInPage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, PRESCAN)).toString('latin1')
  // Elsewhere, a tag is something that the text speaks of.
  if (!/^\s*</.test(head)) return undefined
  const tag = head.match(/<meta\s[^>]{0,500}|^<\?xml\s[^>]{0,200}/gi)?.find((each) => /charset|encoding/i.test(each))
  const label = /(?:charset|encoding)\s*=\s*["']?\s*([\w:-]+)/i.exec(tag ?? '')?.[1]
  // It was found by reading bytes one by one, so it cannot be true.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** The one name of an encoding that is known here by many. */
function knownLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function decodeAs(bytes: Uint8Array, label: string): string {
  // Node's own tables lack what browsers mean by these two names.
  if (label === 'euc-kr') return decodeKorean(bytes)
  if (label === 'windows-1252') return decodeWindows1252(bytes) ?? Buffer.from(bytes).toString('latin1')
  return new TextDecoder(label).decode(bytes)
}

function decodeKorean(bytes: Uint8Array): string {
  // A body that was cut may end in half a character.
  const whole = cp949()?.decode(bytes) ?? cp949()?.decode(bytes.subarray(0, -1))
  return whole?.text ?? new TextDecoder('euc-kr').decode(bytes)
}

function guess(bytes: Uint8Array): string {
  try {
    // As a stream, so that half a character at the end is no error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  const content = readText(bytes)
  return content.kind === 'binary' ? new TextDecoder('utf-8').decode(bytes) : content.text
}
