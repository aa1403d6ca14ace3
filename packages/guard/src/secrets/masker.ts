import { type CarriedState, detect, NOTHING_OPEN } from './detect.ts'
import { createKnownValues, type KnownValues, SHORTEST_KNOWN } from './known-values.ts'
import { findMasks, formatMask } from './mask-format.ts'
import { createMaskStream, type MaskStream } from './mask-stream.ts'
import { entropyOf, isPlaceholder, isRandom } from './randomness.ts'
import { findFileValues } from './secret-file.ts'
import type { Span } from './span.ts'

/**
 * Where a secret was first seen. What a person said may be used for whatever they asked; what was `found` in a text goes
 * back into files; what is `closed`, in a secret file or in the environment, only into files that are secret or hold it.
 */
export type Origin = 'person' | 'found' | 'closed'

export interface MaskerOptions {
  /** Names a value: hexadecimal, at least 12 digits, by a key that nobody else has. Low values must not be guessable. */
  digest(value: string): string
  /** Values that are secret wherever they stand: the user's own keys. */
  known?: Iterable<string>
  /** Mailboxes and telephone numbers are masked too. */
  isContactSecret?: boolean
}

/** A text with the real values in place of masks, or the masks that stand for nothing that is known. */
export type Resolved = { readonly text: string; readonly unknown: readonly string[] }

export interface Masker {
  /** The text without its secrets. The same secret always gets the same mask; a mask stays what it is. */
  mask(text: string, origin?: Origin): string
  /** Masks only values that are known by now: for what cannot hold others. */
  maskKnown(text: string): string
  /**
   * The text of a file that is secret by its name: every value is masked, names and structure are kept. Of one that holds
   * tokens beside other settings, such as .npmrc, only those are.
   */
  maskSecretFile(text: string, path: string): string
  /** Masks a text that comes in pieces. */
  stream(): MaskStream
  /** Puts real values back, those that `may` says; a mask that stays is named. */
  resolve(text: string, may?: (value: string, origin: Origin) => boolean): Resolved
}

/** Makes a masker; what it learns stays in its memory. */
export function createMasker({ digest, known = [], isContactSecret = false }: MaskerOptions): Masker {
  const byValue = new Map<string, string>()
  const byId = new Map<string, { value: string; origin: Origin }>()
  const values = createKnownValues()
  let learned: { value: string; kind: string }[] = []
  for (const value of known) values.add(value, OWN)

  const nameOf = (value: string, kind: string, origin: Origin): string => {
    const before = byValue.get(value)
    if (before !== undefined) return before
    const name = digest(value)
    // Two values of one name would be written for each other.
    const taken = byId.get(name.slice(0, 8))
    const id = taken === undefined || taken.value === value ? name.slice(0, 8) : name.slice(0, 12)
    const mask = formatMask(kind, id)
    byValue.set(value, mask)
    byId.set(id, { value, origin: kind === OWN ? 'closed' : origin })
    if (isTelling(value)) learned.push({ value, kind })
    return mask
  }

  const replace = (text: string, spans: readonly Span[], origin: Origin): string => {
    let masked = ''
    let last = 0
    for (const { start, end, kind } of spans) {
      masked += text.slice(last, start) + nameOf(text.slice(start, end), kind, origin)
      last = end
    }
    return masked + text.slice(last)
  }

  const maskLines = (lines: string, state: CarriedState, origin: Origin = 'found') => {
    const { spans, state: next } = detect(lines, { known: values, state, isContactSecret })
    if (spans.length === 0) return { text: lines, state: next }
    return { text: maskAgain(replace(lines, spans, origin), origin), state: next }
  }

  // What stood beside a secret may be seen as one once that is gone. A few rounds end it; masks are never touched.
  const maskAgain = (text: string, origin: Origin): string => {
    let out = ''
    let last = 0
    for (let at = text.indexOf('[secret:'); at >= 0; at = text.indexOf('[secret:', last)) {
      const start = Math.max(last, text.lastIndexOf('\n', at) + 1)
      const newline = text.indexOf('\n', at)
      const end = newline < 0 ? text.length : newline + 1
      out += text.slice(last, start) + maskLine(text.slice(start, end), origin)
      last = end
    }
    return out + text.slice(last)
  }

  const maskLine = (line: string, origin: Origin): string => {
    let masked = line
    for (let round = 0; round < ROUNDS; round++) {
      const { spans } = detect(masked, { known: values, state: NOTHING_OPEN, isContactSecret })
      if (spans.length === 0) break
      masked = replace(masked, spans, origin)
    }
    return masked
  }

  // Not in the middle of a text: whether it comes in one piece or in many must make no difference.
  const learn = (): KnownValues => {
    for (const { value, kind } of learned) values.add(value, kind)
    learned = []
    return values
  }

  const stream = (origin?: Origin): MaskStream => {
    learn()
    return createMaskStream((lines, state) => maskLines(lines, state, origin))
  }

  const mask = (text: string, origin?: Origin): string => {
    const whole = stream(origin)
    return whole.push(text) + whole.end()
  }

  return {
    mask,
    maskKnown(text) {
      learn()
      const spans: Span[] = []
      values.find(text, (start, end, kind) => spans.push({ start, end, kind }))
      return spans.length === 0 ? text : maskLines(text, NOTHING_OPEN).text
    },
    maskSecretFile(text, path) {
      learn()
      const spans = findFileValues(text, path)
      return mask(replace(text, spans, 'closed'))
    },
    stream: () => stream(),
    resolve(text, may = () => true) {
      const unknown: string[] = []
      let resolved = ''
      let last = 0
      for (const { start, end, id, mask } of findMasks(text)) {
        const entry = byId.get(id)
        if (entry === undefined || !may(entry.value, entry.origin)) {
          unknown.push(mask)
          continue
        }
        resolved += text.slice(last, start) + entry.value
        last = end
      }
      return { text: resolved + text.slice(last), unknown: [...new Set(unknown)] }
    },
  }
}

const OWN = 'own-value'
const ROUNDS = 4
const LONGEST_TELLING = 512

// Whether a value can be nothing else wherever it stands; a port or a word of a secret file cannot.
function isTelling(value: string): boolean {
  if (value.length < SHORTEST_KNOWN || value.length > LONGEST_TELLING || isPlaceholder(value)) return false
  return isRandom(value) || (/[^\w\s./:-]/.test(value) && /\d/.test(value) && entropyOf(value) > 2.8)
}
