import { findAddresses } from './addresses.ts'
import { withoutColours } from './ansi.ts'
import { findAssignments } from './assignments.ts'
import { findCredentials, findInContext } from './contexts.ts'
import { decodePercent, decodeRun } from './encoded.ts'
import { findRuns } from './find-runs.ts'
import type { KnownValues } from './known-values.ts'
import { lineBefore } from './line-before.ts'
import { findMasks } from './mask-format.ts'
import { findNumbers } from './numbers.ts'
import { findPrivateKeys, type KeyState } from './private-keys.ts'
import { isPlaceholder, isRandom } from './randomness.ts'
import { type DetectOptions, type Found, mergeSpans, type Span } from './span.ts'
import { findVendorKeys } from './vendor-keys.ts'
import { findContinuation, type Wrap } from './wrapped.ts'

/** What the lines before have left open. */
export interface CarriedState {
  readonly key: KeyState
  /** The last line ended in the middle of a secret. */
  readonly wrap: Wrap | undefined
}

export const NOTHING_OPEN: CarriedState = { key: { left: 0 }, wrap: undefined }

export interface Detection {
  readonly spans: readonly Span[]
  readonly state: CarriedState
}

/** Finds the secrets in whole lines of a text. Time is linear in the text: no pattern looks further than its bound. */
export function detect(
  text: string,
  { known, state, ...options }: DetectOptions & { known?: KnownValues; state: CarriedState },
): Detection {
  const view = withoutColours(text)
  const spans: Span[] = []
  const found: Found = (start, end, kind) => spans.push({ start, end, kind })
  findIn(view.text, options, found)
  known?.find(view.text, found)
  const key = findPrivateKeys(view.text, state.key, found)
  const masks = findMasks(view.text)
  const own = mergeSpans(spans).flatMap((span) => withoutMasks(span, masks))
  const { more, wrap } = findContinuation(view.text, own, state.wrap)
  const all = more.length === 0 ? own : mergeSpans([...own, ...more])
  const placed = all.map(({ start, end, kind }) => ({ start: view.place(start), end: view.place(end - 1) + 1, kind }))
  return { spans: placed, state: { key, wrap } }
}

function findIn(text: string, options: DetectOptions, found: Found): void {
  findRuns(text, (start, end) => judgeRun(text, { start, end, options, found }))
  findAssignments(text, found)
  findInContext(text, found)
  findAddresses(text, options, found)
  findNumbers(text, options, found)
  findPassports(text, options, found)
}

// Nothing that a run holds is longer; a blob of megabytes is looked at piece by piece.
const LONGEST_RUN = 20_000

interface Run {
  start: number
  end: number
  options: DetectOptions
  found: Found
}

function judgeRun(text: string, { start, end, options, found }: Run): void {
  // What an escape such as \n ends with is no part of what follows.
  const isEscaped = text.charCodeAt(start - 1) === 92 && 'nrt'.includes(text[start] ?? ' ')
  for (let from = isEscaped ? start + 1 : start; from < end; from += LONGEST_RUN) {
    const to = Math.min(end, from + LONGEST_RUN)
    const run = text.slice(from, to)
    const code = text.charCodeAt(to)
    const isLineEnd = to === end && (code === 10 || code === 13)
    const shifted: Found = (first, last, kind) => found(from + first, from + last, kind)
    findVendorKeys(run, isLineEnd, shifted)
    findEncoded(run, options, shifted)
    findCredentials(text, from, { run, found: shifted })
    if (run.includes('AKIA') || run.includes('ASIA')) findAwsSecret(text, from, found)
  }
}

function findEncoded(run: string, options: DetectOptions, found: Found): void {
  const percent = decodePercent(run)
  if (percent) {
    findIn(percent.text, options, (start, end, kind) =>
      found(percent.map[start] ?? 0, percent.map[end] ?? run.length, kind),
    )
  }
  // Each part between signs that are not of base64, and the one before the padding.
  if (run.length < 20) return
  for (const match of run.matchAll(/[\w+/-]{20,}={0,2}/g)) {
    const decoded = decodeRun(match[0])
    if (decoded === undefined) continue
    let holds = false
    findIn(decoded, { ...options, isContactSecret: false }, () => {
      holds = true
    })
    if (holds || isLogin(decoded) || ENCODED_KEY.test(decoded))
      found(match.index, match.index + match[0].length, 'encoded')
  }
}

// NAME:PASSWORD, as in `Authorization: Basic` and in Docker's configuration.
function isLogin(decoded: string): boolean {
  const password = /^[\w.@+-]{1,64}:([!-~]{6,128})\n?$/.exec(decoded)?.[1]
  return password !== undefined && isRandom(password)
}

// A private key, with what comes behind its first line.
const ENCODED_KEY = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----[\r\n]+[\w+/=:,. -]{4}/

const AWS_SECRET = /(?<![\w+/=])[A-Za-z0-9+/]{40}(?![\w+/=])/g
const NEAR = 300

// Without a name of its own it is told only by the key that it belongs to.
function findAwsSecret(text: string, near: number, found: Found): void {
  const before = lineBefore(text, near, NEAR)
  const from = near - before.length
  const behind = text.slice(near, near + NEAR).split('\n', 1)[0] ?? ''
  for (const match of (before + behind).matchAll(AWS_SECRET)) {
    if (!isRandom(match[0]) || isPlaceholder(match[0]) || /^[0-9a-f]+$/.test(match[0])) continue
    found(from + match.index, from + match.index + 40, 'aws-secret-key')
  }
}

const PASSPORT = /(?<![A-Za-z0-9_-])[MSRGDTPO](?:\d{8}|\d{3}[A-Z]\d{4})(?![\w-])/g
const PASSPORT_LABEL = /passport|여권|\u00ec\u0097\u00ac\u00ea\u00b6\u008c/i

function findPassports(text: string, { isContactSecret }: DetectOptions, found: Found): void {
  if (!isContactSecret && !PASSPORT_LABEL.test(text)) return
  for (const match of text.matchAll(PASSPORT)) {
    const isBare = isContactSecret && /^M|^S\d{3}[A-Z]/.test(match[0])
    if (isBare || PASSPORT_LABEL.test(lineBefore(text, match.index, 30)))
      found(match.index, match.index + match[0].length, 'passport-number')
  }
}

// A mask is no secret, and whoever masks twice gets the same.
function withoutMasks(span: Span, masks: readonly { start: number; end: number }[]): Span[] {
  if (masks.length === 0) return [span]
  const isTouched = masks.some(({ start, end }) => start < span.end && end > span.start)
  return isTouched ? [] : [span]
}
