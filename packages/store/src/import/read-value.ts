import type { Json } from '@maru/protocol'
import type { ImportPart } from './steps.ts'

export type JsonObject = { [name: string]: Json }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

// Between 2001 and 2286 seconds have ten digits, and milliseconds thirteen.
const SECONDS_BELOW = 10_000_000_000

/** A time as sources write it: ISO, SQL, or a number of seconds or milliseconds. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) {
    return Math.round(value < SECONDS_BELOW ? value * 1000 : value)
  }
  if (typeof value !== 'string' || value === '') return undefined
  if (/^\d{9,14}(\.\d+)?$/.test(value)) return timeOf(Number(value))
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(value) ?? []
  const hours = zone !== undefined && /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone
  // Without a zone it is UTC: what servers write.
  const at = day === undefined ? Date.parse(value) : Date.parse(`${day}T${time ?? '00:00'}${hours ?? 'Z'}`)
  return Number.isNaN(at) ? undefined : at
}

/** Only what is there: a field that is undefined would be one that says nothing. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** A picture as vendors send it along: its bytes, or where they were. */
export function imagePart(source: JsonObject, schema: string): ImportPart {
  const mediaType = textOf(source['media_type']) ?? textOf(source['mediaType'])
  const data = textOf(source['data'])
  if (data !== undefined && mediaType !== undefined) return { type: 'bytes', mediaType, base64: data }
  const [, type, base64] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(textOf(source['url']) ?? '') ?? []
  if (type !== undefined && base64 !== undefined) return { type: 'bytes', mediaType: type, base64 }
  return { type: 'data', schema, value: source }
}
