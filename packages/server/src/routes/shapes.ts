import { shape as s } from '@maru/protocol'
import { refusal } from '../http/problem.ts'

/** Names in paths and queries that several routes share. */

// Whatever a log can be called, without what no database takes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
export const SessionId = s.string({ min: 1, max: 128, pattern: /^[^\u0000-\u001f\u007f]*$/ })
export const Seq = s.int(1, 2_147_483_647)
export const Limit = s.int(1, 200)
export const Cursor = s.string({ min: 1, max: 256 })
export const Filter = s.string({ min: 1, max: 1_000 })
/** Milliseconds since 1970, or a date as in 2026-11-16 or 2026-11-16T09:30:00Z. */
export const Time = s.string({
  max: 40,
  pattern: /^(\d{1,15}|\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?)$/,
})

/** Such a time in milliseconds. */
export function timeOf(text: string, at: string): number {
  const time = /^\d{1,15}$/.test(text) && !/^\d{4}-/.test(text) ? Number(text) : Date.parse(text)
  if (Number.isNaN(time)) throw refusal('bad-query', `"${at}" is no day of the calendar`, { at })
  return time
}

export const ById = s.object({ id: SessionId })
