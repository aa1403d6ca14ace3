import { isToken } from './find-runs.ts'
import { isRandom, isUnlikeWords } from './randomness.ts'
import type { Span } from './span.ts'
import { VENDOR_KEYS } from './vendor-table.ts'

/** A secret that ran up to the end of its line, and how long that piece was. */
export interface Wrap {
  readonly kind: string
  readonly length: number
}

// Passwords and numbers have no signs of their own by which the rest could be told.
const NEVER = new Set(['password', 'url-password', 'email', 'phone-number', 'private-key', 'card-number', 'cookie'])

/** Finds what terminals and encoders have put on the next line: the rest of a secret that ended its line. */
export function findContinuation(
  text: string,
  spans: readonly Span[],
  before: Wrap | undefined,
): { more: Span[]; wrap: Wrap | undefined } {
  const more: Span[] = []
  let wrap = before ? follow(text, 0, before, more) : undefined
  for (const { start, end, kind } of spans) {
    if (NEVER.has(kind)) continue
    const next = lineBehind(text, end)
    // Padding ends what is encoded.
    if (next === undefined || (kind === 'encoded' && text[end - 1] === '=')) continue
    const open = { kind, length: end - start }
    wrap = next >= text.length ? open : follow(text, next, open, more)
  }
  return { more, wrap }
}

/** Where the next line begins, if `end` ends its own. */
function lineBehind(text: string, end: number): number | undefined {
  if (text.startsWith('\n', end)) return end + 1
  return text.startsWith('\r\n', end) ? end + 2 : undefined
}

function follow(text: string, from: number, before: Wrap, more: Span[]): Wrap | undefined {
  let open = before
  let start = from
  for (;;) {
    if (start >= text.length) return open
    let end = start
    while (end < text.length && end - start < 2_000 && isToken(text.charCodeAt(end))) end++
    const rest = text.slice(start, end)
    const isAlone = /^[\r\n]?$/.test(text.slice(end, end + 1))
    const isOne = open.kind === 'encoded' ? isAlone && isRestOfEncoded(rest, open) : isRest(rest, open, isAlone)
    if (!isOne || !/^(?:[\s"'`,;)}\]]|$)/.test(text.slice(end, end + 1))) return undefined
    more.push({ start, end, kind: open.kind })
    const next = lineBehind(text, end)
    // Only the last line of what is wrapped is shorter.
    if (next === undefined || rest.length < open.length) return undefined
    open = { kind: open.kind, length: rest.length }
    start = next
  }
}

// How long a key is at least: what is shorter has been cut.
const WHOLE = new Map<string, number>()
for (const { kind, prefixes, least } of VENDOR_KEYS) {
  for (const prefix of prefixes) WHOLE.set(kind, Math.max(WHOLE.get(kind) ?? 0, prefix.length + least))
}

// Less random than what stands alone must be: that something is missing is known.
function isRestOfKey(rest: string, { kind, length }: Wrap): boolean {
  if (length >= (WHOLE.get(kind) ?? 0) || rest.length < 8 || !/^[\w+/-]+={0,2}$/.test(rest)) return false
  return isUnlikeWords(rest) || (/\d/.test(rest) && /^(?:[0-9a-f-]+|[A-Z0-9]+)$/.test(rest))
}

// A whole line more of it, or the shorter last one: that is no word either.
function isRestOfEncoded(rest: string, { length }: Wrap): boolean {
  if (rest.length < 4 || rest.length > length || !/^[A-Za-z0-9+/_-]*[A-Za-z0-9]={0,2}$/.test(rest)) return false
  if (/^\W|[-_]{2}/.test(rest) && rest.length < 16) return false
  if (rest.length === length || rest.endsWith('=') || isRandom(rest)) return true
  return rest.length % 4 === 0 && /[A-Z0-9]/.test(rest.slice(1)) && /[a-z]/.test(rest)
}

function isRest(rest: string, open: Wrap, isAlone: boolean): boolean {
  if (rest.length < 4 || /[/.]{2}|^[=.]|:\/\//.test(rest)) return false
  if (/[=%]/.test(rest.slice(0, -2))) return false
  if (isAlone && isRestOfKey(rest, open)) return true
  return rest.length >= 8 ? isRandom(rest) : /\d/.test(rest) && /[a-z]/.test(rest) && /[A-Z]/.test(rest)
}
