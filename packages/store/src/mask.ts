import type { Fact, Json } from '@maru/protocol'

/** Gives a text back without its secrets. */
export type Mask = (text: string) => string

// Names that facts refer to each other by. Masking them would break the log; they are ours or a hash.
const STRUCTURAL = new Set(['type', 'key', 'callId', 'turnId', 'runId', 'questionId', 'actionHash', 'hash', 'kind'])

/** A fact without secrets in any of its texts. An opaque part with a secret inside is dropped whole. */
export function maskFact<F extends Fact>(fact: F, mask: Mask): F {
  return maskValue(fact as unknown as Json, mask) as unknown as F
}

function maskValue(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value))
    return value.filter((item) => !isTaintedOpaque(item, mask)).map((item) => maskValue(item, mask))
  if (typeof value !== 'object' || value === null) return value
  if (value['type'] === 'opaque') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      STRUCTURAL.has(name) && typeof inner === 'string' ? [name, inner] : [mask(name), maskValue(inner, mask)],
    ),
  )
}

function isTaintedOpaque(value: Json, mask: Mask): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value['type'] !== 'opaque') return false
  const text = JSON.stringify(value)
  return mask(text) !== text
}
