import type { Fact, Json } from '@maru/protocol'

/** Gives a text back without its secrets. */
export type Mask = (text: string) => string

/**
 * A fact without secrets in any of its texts. What facts are told apart by stays: ids, keys, hashes and who did it, but
 * only where the protocol puts them; a field of the same name inside arguments or data is content like any other. An
 * opaque part with a secret inside is dropped whole, for it may not be edited.
 */
export function maskFact<F extends Fact>(fact: F, mask: Mask): F {
  return maskFields(fact as unknown as { [name: string]: Json }, mask) as unknown as F
}

const STRUCTURAL = new Set([
  'type',
  'key',
  'by',
  'callId',
  'turnId',
  'runId',
  'questionId',
  'actionHash',
  'requestHash',
])
const PART_STRUCTURAL = new Set(['type', 'callId', 'vendorId', 'blob'])
const FILE_STRUCTURAL = new Set(['before', 'after'])

function maskFields(fact: { [name: string]: Json }, mask: Mask): Json {
  return mapFields(fact, (name, value) => {
    if (STRUCTURAL.has(name) || name === 'blob' || name === 'hash') return value
    if ((name === 'parts' || name === 'summary') && Array.isArray(value)) return maskParts(value, mask)
    if (name === 'files' && Array.isArray(value)) return maskItems(value, FILE_STRUCTURAL, mask)
    if (name === 'result' && isObject(value)) {
      return mapFields(value, (inner, held) =>
        inner === 'files' && Array.isArray(held) ? maskItems(held, FILE_STRUCTURAL, mask) : maskValue(held, mask),
      )
    }
    return maskValue(value, mask)
  })
}

function maskParts(parts: Json[], mask: Mask): Json[] {
  const isOpaque = (part: Json) => isObject(part) && part['type'] === 'opaque'
  const kept = parts.filter((part) => !isOpaque(part) || !holdsSecret(part, mask))
  return kept.map((part) => (isOpaque(part) ? part : (maskItems([part], PART_STRUCTURAL, mask)[0] ?? null)))
}

function maskItems(items: Json[], structural: ReadonlySet<string>, mask: Mask): Json[] {
  return items.map((item) =>
    isObject(item)
      ? mapFields(item, (name, value) => (structural.has(name) ? value : maskValue(value, mask)))
      : maskValue(item, mask),
  )
}

function maskValue(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask))
  if (!isObject(value)) return value
  const masked: { [name: string]: Json } = {}
  for (const [name, inner] of Object.entries(value)) {
    // Two names that mask to the same word are both kept.
    let free = mask(name)
    while (Object.hasOwn(masked, free)) free += '_'
    masked[free] = maskValue(inner, mask)
  }
  return masked
}

function holdsSecret(value: Json, mask: Mask): boolean {
  if (typeof value === 'string') return mask(value) !== value
  if (Array.isArray(value)) return value.some((item) => holdsSecret(item, mask))
  return (
    isObject(value) && Object.entries(value).some(([name, inner]) => mask(name) !== name || holdsSecret(inner, mask))
  )
}

function mapFields(
  fields: { [name: string]: Json },
  map: (name: string, value: Json) => Json,
): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(name, value)]))
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
