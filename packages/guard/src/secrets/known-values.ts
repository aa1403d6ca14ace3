import { isToken } from './find-runs.ts'
import { asLatin1 } from './secret-names.ts'
import type { Found } from './span.ts'

/** Values that are known to be secret, found wherever they stand, also encoded. */
export interface KnownValues {
  add(value: string, kind: string): void
  find(text: string, found: Found): void
  readonly isEmpty: boolean
}

/** Shorter ones are words and numbers that stand everywhere. */
export const SHORTEST_KNOWN = 8

interface Form {
  readonly text: string
  readonly kind: string
  /** It may be a part of a longer encoded text, which then goes as a whole. */
  readonly isEncoded: boolean
}

// Three signs are looked at, and then none for as long as every form still has three of its first eight there.
const GRAM = 3
const STRIDE = SHORTEST_KNOWN - GRAM + 1
const BUCKETS = 1 << 16

export function createKnownValues(): KnownValues {
  const seen = new Set<string>()
  const filter = new Uint8Array(BUCKETS)
  const places = new Map<number, { form: Form; offset: number }[]>()
  return {
    get isEmpty() {
      return seen.size === 0
    },
    add(value, kind) {
      for (const line of value.split(/\r?\n/)) {
        for (const form of formsOf(line.trim(), kind)) {
          if (form.text.length < SHORTEST_KNOWN || seen.has(form.text)) continue
          seen.add(form.text)
          for (let offset = 0; offset < STRIDE; offset++) {
            const gram = gramAt(form.text, offset)
            filter[gram] = 1
            places.set(gram, [...(places.get(gram) ?? []), { form, offset }])
          }
        }
      }
    },
    find(text, found) {
      if (seen.size === 0) return
      for (let at = 0; at + GRAM <= text.length; at += STRIDE) {
        const gram = gramAt(text, at)
        if (filter[gram] === 0) continue
        for (const { form, offset } of places.get(gram) ?? []) {
          if (!text.startsWith(form.text, at - offset) || at < offset) continue
          const start = at - offset
          const end = start + form.text.length
          if (form.isEncoded) found(backTo(text, start), forthTo(text, end), form.kind)
          else found(start, end, form.kind)
        }
      }
    },
  }
}

function gramAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 961) ^ (text.charCodeAt(at + 1) * 31) ^ text.charCodeAt(at + 2)) & (BUCKETS - 1)
}

const LONGEST_RUN = 8_192

function backTo(text: string, from: number): number {
  let at = from
  while (at > 0 && from - at < LONGEST_RUN && isEncodedSign(text, at - 1)) at--
  return at
}

function forthTo(text: string, from: number): number {
  let at = from
  while (at < text.length && at - from < LONGEST_RUN && isEncodedSign(text, at)) at++
  return at
}

function isEncodedSign(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return isToken(code) && code !== 46 && code !== 37 && code !== 126
}

function formsOf(value: string, kind: string): Form[] {
  if (value.length < SHORTEST_KNOWN) return []
  const bytes = new TextEncoder().encode(value)
  const plain = [value, asLatin1(value), JSON.stringify(value).slice(1, -1), ...percentForms(value)]
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const encoded = [hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((shift) => base64Forms(bytes, shift))]
  return [
    ...plain.map((text) => ({ text, kind, isEncoded: false })),
    ...encoded.map((text) => ({ text, kind, isEncoded: true })),
  ]
}

function percentForms(value: string): string[] {
  try {
    const usual = encodeURIComponent(value)
    const whole = usual.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    return [usual, whole, usual.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), whole.replaceAll('%20', '+')]
  } catch {
    // Half of a surrogate pair has no such form.
    return []
  }
}

// What is left of a value in base64 when something stands before it, without the signs it shares with that.
function base64Forms(bytes: Uint8Array, shift: number): string[] {
  const padded = new Uint8Array(bytes.length + shift)
  padded.set(bytes, shift)
  const text = btoa(Array.from(padded, (byte) => String.fromCharCode(byte)).join(''))
  const from = shift === 0 ? 0 : shift + 1
  const end = Math.floor((padded.length * 8) / 6)
  const usual = text.slice(from, end)
  return [usual, usual.replaceAll('+', '-').replaceAll('/', '_')]
}
