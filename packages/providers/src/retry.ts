import type { Failure } from '@maru/protocol'
import { isRetriable } from './failure.ts'

/** How often and how long to wait for a vendor that may do better later. */
export interface RetryPlan {
  /** Tries after the first. */
  retries: number
  /** The first wait; each next one doubles. */
  baseMs: number
  /** The longest wait of our own. */
  maxMs: number
  /** The longest wait a vendor can ask for. */
  capMs: number
}

export const DEFAULT_RETRY: RetryPlan = { retries: 4, baseMs: 500, maxMs: 8_000, capMs: 60_000 }

/** Whether a status is worth another try; the vendor's own word on it comes first. */
export function shouldRetry(failure: Failure, headers: Headers): boolean {
  const word = headers['x-should-retry']
  if (word === 'true') return failure.code !== 'aborted'
  if (word === 'false') return false
  return isRetriable(failure)
}

/** Response headers, by lower-case name. */
export type Headers = { readonly [name: string]: string }

/** How long the vendor asks to wait, in milliseconds; `now` is needed where it names a date. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const ms = amount(headers['retry-after-ms'])
  if (ms !== undefined) return Math.round(ms)
  const after = headers['retry-after']
  const seconds = amount(after)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  // Date.parse would take a mere number for a year.
  const date = after === undefined || !/[a-z]/i.test(after) ? Number.NaN : Date.parse(after)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function amount(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}

/** The wait before the try after `attempt` (from 1); `chance`, from 0 to 1, takes up to a quarter off our own waits. */
export function waitBefore(
  attempt: number,
  { plan, asked, chance }: { plan: RetryPlan; asked: number | undefined; chance: number },
): number {
  if (asked !== undefined) return Math.min(asked, plan.capMs)
  const wait = Math.min(plan.baseMs * 2 ** (attempt - 1), plan.maxMs)
  return Math.round(wait * (1 - chance / 4))
}
