import { endOfSequence } from './escape-sequence.ts'
import { isWide } from './wide-ranges.ts'

const ESC = 0x1b

/** How many cells the text takes. Escape sequences take none, control characters neither: tabs must have been expanded. */
export function widthOf(text: string): number {
  let width = 0
  let lastSequence = 0
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i)
    if (code === ESC) {
      i = endOfSequence(text, i)
      lastSequence = i
    } else if (code < 0x7f) {
      if (code >= 0x20) width++
      i++
    } else {
      const end = endOfForeign(text, i)
      // An ASCII sign can carry what follows it: an accent, or a keycap ("1" + U+FE0F + U+20E3). It was counted already.
      const from = i > lastSequence && text.charCodeAt(i - 1) >= 0x20 ? i - 1 : i
      width += widthOfForeign(text, from, end) - (i - from)
      i = end
    }
  }
  return width
}

/** What a person calls characters. For text without escape sequences. */
export function graphemesOf(text: string): string[] {
  if (isSimple(text)) return text.split('')
  return Array.from(segmenter().segment(text), (part) => part.segment)
}

/** The cells of one grapheme, as most terminals draw it. */
export function widthOfGrapheme(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0
  if (grapheme.length === (code > 0xffff ? 2 : 1)) return widthOfCodePoint(code)
  // U+FE0F asks for the picture, U+200D joins several to one: both are as wide as a picture.
  if (grapheme.includes('\ufe0f') || /\u200d\p{Extended_Pictographic}/u.test(grapheme)) return 2
  let width = 0
  for (const sign of grapheme) width += widthOfCodePoint(sign.codePointAt(0) ?? 0)
  return Math.min(width, 2)
}

/** Where the run of signs beyond ASCII that begins at `at` ends. */
export function endOfForeign(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text.charCodeAt(end) >= 0x7f) end++
  return end
}

/** Whether every UTF-16 unit between the two places is a grapheme of its own; decides without a segmenter. */
export function isSimple(text: string, from = 0, to = text.length): boolean {
  for (let i = from; i < to; i++) {
    if (widthOfSimple(text.charCodeAt(i)) < 0) return false
  }
  return true
}

/** Graphemes, when `isSimple` says no. Made once: it costs as much as a thousand uses. */
export function segmenter(): Intl.Segmenter {
  cached ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return cached
}

let cached: Intl.Segmenter | undefined

function widthOfForeign(text: string, from: number, to: number): number {
  let width = 0
  for (let i = from; i < to; i++) {
    const simple = widthOfSimple(text.charCodeAt(i))
    if (simple < 0) return widthOfRun(text.slice(from, to))
    width += simple
  }
  return width
}

// The same few emoji stand in every frame, and a segmenter costs microseconds each time.
const known = new Map<string, number>()
const MOST_KNOWN = 1000

function widthOfRun(run: string): number {
  const before = known.get(run)
  if (before !== undefined) return before
  let width = 0
  for (const { segment } of segmenter().segment(run)) width += widthOfGrapheme(segment)
  if (known.size >= MOST_KNOWN) known.clear()
  if (run.length <= 32) known.set(run, width)
  return width
}

/**
 * 1 or 2 for signs that never join with a neighbour of the same kind and are common; -1 for all that needs a closer look.
 * Everything that is drawn in any case is among them: the first segmenter takes longer than all else in a first frame.
 */
function widthOfSimple(code: number): number {
  if (code < 0x7f) return code >= 0x20 ? 1 : -1
  if (code >= 0xac00 && code <= 0xd7a3) return 2
  if (code < 0x300) return code > 0xa0 && code !== 0xad ? 1 : -1
  if (code >= 0x4e00 && code <= 0x9fff) return 2
  if (code >= 0x2010 && code <= 0x2027) return 1
  if (code >= 0x2030 && code <= 0x203b) return 1
  if (code >= 0x2200 && code <= 0x22ff) return 1
  if (code >= 0x2500 && code <= 0x25f8) return 1
  if (code >= 0x2713 && code <= 0x2718) return 1
  if (code >= 0x2800 && code <= 0x28ff) return 1
  if (code >= 0x2190 && code <= 0x21ff) return 1
  if (code >= 0x3001 && code <= 0x3029) return 2
  if (code >= 0x3041 && code <= 0x3096) return 2
  if (code >= 0x30a0 && code <= 0x30ff) return 2
  if (code >= 0x3131 && code <= 0x318e) return 2
  if (code >= 0xff01 && code <= 0xff60) return 2
  return -1
}

// Marks, invisible format signs, line and paragraph separators. The soft hyphen and the Arabic number signs are of the
// kind Cf as well, but terminals draw them.
const INVISIBLE = /^(?![\u00ad\u0600-\u0605\u06dd])[\p{Mn}\p{Me}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u

function widthOfCodePoint(code: number): number {
  if (code >= 0x20 && code < 0x7f) return 1
  // Vowels and final consonants of a syllable that is written as jamo: the initial consonant has the two cells.
  if ((code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7ff)) return 0
  if (INVISIBLE.test(String.fromCodePoint(code))) return 0
  return isWide(code) ? 2 : 1
}
