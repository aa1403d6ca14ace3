import type { Json, Part } from '@maru/protocol'

/**
 * What a text is made of, in units that are near a token each for the vendors' tokenizers: Hangul syllables, runs of them,
 * Latin words, and everything else (digits, punctuation, line ends, other scripts).
 */
export type Measure = [syllables: number, hangulRuns: number, words: number, rest: number]

export const NOTHING: Readonly<Measure> = [0, 0, 0, 0]

export function addMeasure(total: Measure, more: Readonly<Measure>, times = 1): void {
  total[0] += more[0] * times
  total[1] += more[1] * times
  total[2] += more[2] * times
  total[3] += more[3] * times
}

// Weights fitted to public tokenizers on prose, documents, code and data; all but Hangul are alike in all of them.
const LETTER_BEYOND = 0.04
const EASY_LETTERS = 6
const DIGITS = 1.46
const PUNCTUATION = 0.08
const PUNCTUATION_RUN = 0.77
const LINE_END = 0.76
const WIDE_BLANK = 0.27
const IDEOGRAPH = 1.1
const OTHER_SIGN = 0.5

const OTHER = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 3
const FEED = 4
const BLANK = 5
const SIGN = 6
const HANGUL = 7
const CJK = 8

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  if (code >= 48 && code <= 57) return DIGIT
  if (code === 10 || code === 13) return FEED
  if (code === 32 || code === 9) return BLANK
  return code < 32 || code === 127 ? OTHER : SIGN
})

function classOf(code: number): number {
  if (code < 128) return ASCII[code] as number
  if (code >= 0xac00 && code <= 0xd7a3) return HANGUL
  if ((code >= 0x1100 && code <= 0x11ff) || (code >= 0x3130 && code <= 0x318f)) return HANGUL
  return (code >= 0x3040 && code <= 0x30ff) || (code >= 0x4e00 && code <= 0x9fff) ? CJK : OTHER
}

/** Reads a text once, the way tokenizers cut it: words at humps, digits in threes, signs and blanks in runs. */
export function measureText(text: string): Measure {
  const total: Measure = [0, 0, 0, 0]
  const { length } = text
  let kind = length > 0 ? classOf(text.charCodeAt(0)) : OTHER
  for (let at = 0; at < length; ) {
    const first = kind
    let last = kind
    let end = at + 1
    for (; end < length; end++) {
      kind = classOf(text.charCodeAt(end))
      // A capital may go on in small letters; a capital behind a small one begins another word.
      if (kind !== last && !(last === UPPER && kind === LOWER)) break
      last = kind
    }
    addRun(total, first, end - at, text.charCodeAt(at))
    at = end
  }
  return total
}

function addRun(total: Measure, kind: number, count: number, code: number): void {
  switch (kind) {
    case LOWER:
    case UPPER:
      total[2] += 1 + Math.max(0, count - EASY_LETTERS) * LETTER_BEYOND
      return
    case HANGUL:
      total[0] += count
      total[1] += 1
      return
    case DIGIT:
      total[3] += Math.ceil(count / 3) * DIGITS
      return
    case SIGN:
      total[3] += PUNCTUATION_RUN + count * PUNCTUATION
      return
    case FEED:
      total[3] += LINE_END
      return
    case BLANK:
      if (count > 1 || code === 9) total[3] += WIDE_BLANK
      return
    case CJK:
      total[3] += count * IDEOGRAPH
      return
    default:
      total[3] += count * OTHER_SIGN
  }
}

// What vendors put around a part, and what an image takes on average.
const FRAME = 4
const CALL_FRAME = 8
const IMAGE = 1_200

const known = new WeakMap<Part, Measure>()

/** A part as the model sees it. Parts never change, so each is read once. */
export function measurePart(part: Part): Readonly<Measure> {
  const before = known.get(part)
  if (before) return before
  const measure = measureNew(part)
  known.set(part, measure)
  return measure
}

function measureNew(part: Part): Measure {
  switch (part.type) {
    case 'text':
    case 'context':
      return framed(measureSpilled(part), FRAME)
    // What the model thought is for people: it goes back, if at all, as the vendor's own part.
    case 'reasoning':
      return [0, 0, 0, 0]
    case 'result':
      return framed(measureSpilled(part), CALL_FRAME)
    case 'call':
      return framed(measureSpilled({ text: `${part.tool}${print(part.args)}`, ...blobOf(part) }), CALL_FRAME)
    case 'data':
      return framed(measureSpilled({ text: print(part.value), ...blobOf(part) }), FRAME)
    case 'opaque':
      // Ciphers and signatures: their characters say little of what the vendor counts.
      return [0, 0, 0, Math.ceil((part.blob?.bytes ?? print(part.data).length) / 6)]
    case 'image':
      return [0, 0, 0, IMAGE]
    case 'file':
      return [0, 0, 6, 12]
    default:
      return part satisfies never
  }
}

const print = (value: Json) => JSON.stringify(value)

const blobOf = ({ blob }: { blob?: { bytes: number } }) => (blob ? { blob } : {})

function framed(measure: Measure, frame: number): Measure {
  measure[3] += frame
  return measure
}

// Of a long text the beginning stands for the whole; the vendor's count corrects it with the next answer.
function measureSpilled({ text, blob }: { text: string; blob?: { bytes: number } }): Measure {
  const measure = measureText(text)
  if (!blob) return measure
  const shown = byteLength(text)
  // Nothing is shown of long arguments, which are mostly code.
  if (shown < 64) return [0, 0, blob.bytes / 6, blob.bytes / 10]
  const total: Measure = [0, 0, 0, 0]
  addMeasure(total, measure, blob.bytes / shown)
  return total
}

function byteLength(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3
  }
  return bytes
}
