import { decodeRun } from './encoded.ts'
import { lineBefore } from './line-before.ts'
import { judgedName, nameBefore } from './names-before.ts'
import { isHex, isPlaceholder, isRandom, isUnlikeWords, isWordy, measure, turnsOften, UUID } from './randomness.ts'
import type { NameStrength } from './secret-names.ts'
import type { Found } from './span.ts'

const COLON = 58
const EQUALS = 61
const GREATER = 62

/** Finds values whose names say that they are secret: in code, in configuration, in headers and addresses. */
export function findAssignments(text: string, found: Found): void {
  for (const sign of ['=', ':']) {
    let done = 0
    const take: Found = (start, end, kind) => {
      done = end
      found(start, end, kind)
    }
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, Math.max(at + 1, done))) {
      judgeAssignment(text, at, take)
    }
  }
}

function judgeAssignment(text: string, at: number, found: Found): void {
  if (!canBegin(text, at + 1)) return
  const name = nameBefore(text, at)
  if (name === undefined) return
  const strength = judgedName(text, name)
  if (strength === undefined || !isAssignment(text, at) || isMask(text, name.start)) return
  if (isClosedBehind(text, at, name.start) || isKindOfThing(text, name.start)) return
  const from = text.charCodeAt(at + 1) === GREATER ? at + 2 : at + 1
  const isFirst = isFirstOnLine(text, name.start)
  const value = valueBehind(text, from, isFirst)
  const isPlain = isFirst || isParameter(text, name.start)
  if (value && isSecretValue(text.slice(value.start, value.end), { ...value, isPlain, strength })) {
    found(value.start, endOfValue(text, value), strength === 'password' ? 'password' : 'token')
  }
}

// Whether a value can begin here: most signs are followed by a blank, a bracket or a short word.
function canBegin(text: string, from: number): boolean {
  let at = from
  while (at - from < 4 && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 62)) at++
  for (let end = at + 6; at < end; at++) {
    const code = text.charCodeAt(at)
    // The end of the text gives NaN, which is not above a blank either.
    if (!(code > 32 || (code === 9 && end - at === 6))) return false
  }
  return true
}

// `[secret:` begins a mask, and says nothing of what follows.
function isMask(text: string, start: number): boolean {
  return text.startsWith('[secret:', start - 1)
}

// `'password='`: the quote behind the sign ends the text that the name stands in.
function isClosedBehind(text: string, at: number, nameStart: number): boolean {
  const quote = text[at + 1] ?? ''
  return (quote === '"' || quote === "'") && text[nameStart - 1] === quote && text[at - 1] !== quote
}

// `AWS::Secret:`, `arn:aws:secretsmanager:…:secret:…`: what kind of thing is named, and not its value.
function isKindOfThing(text: string, nameStart: number): boolean {
  if (text[nameStart - 1] !== ':') return false
  return text[nameStart - 2] === ':' || /(?:^|[^\w])arn:[\w:/-]*$/.test(lineBefore(text, nameStart, 120))
}

// `:=`, `::`, `://`, `==` and `=~` are signs of their own; `!=` and the like compare.
function isAssignment(text: string, at: number): boolean {
  const sign = text.charCodeAt(at)
  const next = text.charCodeAt(at + 1)
  if (sign === COLON) return next !== EQUALS && next !== COLON && next !== 47
  return next !== EQUALS && next !== 126 && !'!<>='.includes(text[at - 1] ?? ' ')
}

const BEFORE_NAME =
  /^[ \t]*(?:[+>-][ \t]?)?(?:\d+[ \t:]+)?(?:(?:export|set|setx|ENV|ARG|env|local|declare -x)[ \t]+)?["']?$/

function isFirstOnLine(text: string, start: number): boolean {
  return BEFORE_NAME.test(lineBefore(text, start, 40))
}

// Of an address or a connection string, where values stand without quotes, too.
function isParameter(text: string, start: number): boolean {
  const before = text[start - 1]
  if (before === '&' || before === '?') return true
  // `user=me password=…`, as in logs and in what libpq reads.
  if (before === ' ') return /(?:^|[\s"'])[A-Za-z][\w.]{0,30}=[^\s(){}"'=;,]{1,60} $/.test(lineBefore(text, start, 96))
  return before === ';' && /(?:^|[;"'\s])[A-Za-z][\w .]{0,30}=[^;(){}"']{0,40};$/.test(lineBefore(text, start, 80))
}

/** A value as it stands behind a name. */
export interface Value {
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
  /** More of it follows than was looked at. */
  readonly isCut: boolean
  /** Configuration rather than code: the name begins its line. */
  readonly isPlain: boolean
}

// Enough to judge by. What is longer is followed to its end only if it is a secret.
const VALUE_LIMIT = 160
const LONGEST_VALUE = 64 * 1024
const OPENING =
  /[ \t]{0,16}(\\*["'`])?(?:(?:Bearer|Basic|Token|token|bearer|basic|ApiKey|AWS|SSWS|KakaoAK|GenieKey|DPoP|key)[ \t]{1,4}(?=[^ \t\r\n]))?/y

/** The value that begins behind `from`, without its quotes and without the name of a scheme such as `Bearer`. */
export function valueBehind(text: string, from: number, isPlain: boolean): Value | undefined {
  OPENING.lastIndex = from
  const opening = OPENING.exec(text)
  if (!opening) return undefined
  const start = from + opening[0].length
  const quote = opening[1]
  const most = Math.min(text.length, start + VALUE_LIMIT)
  let end = start
  if (quote !== undefined) {
    while (end < most && !isQuoteEnd(text, end, quote)) end++
  } else {
    const ends = isPlain ? WORD_ENDS : CODE_ENDS
    while (end < most && !ends.has(text.charCodeAt(end)) && !isEscape(text, end)) end++
    while (end > start && (text[end - 1] === ',' || text[end - 1] === ';')) end--
  }
  return end > start
    ? { start, end, isQuoted: quote !== undefined, isCut: end === start + VALUE_LIMIT, isPlain }
    : undefined
}

/** Where a value really ends. */
export function endOfValue(text: string, { start, end, isCut }: Value): number {
  if (!isCut) return end
  let at = end
  while (at < text.length && at - start < LONGEST_VALUE && !CODE_ENDS.has(text.charCodeAt(at))) at++
  return at
}

const codesOf = (signs: string) => new Set(Array.from(signs, (sign) => sign.charCodeAt(0)))
const WORD_ENDS = codesOf(' \t\r\n"\'`')
const CODE_ENDS = codesOf(' \t\r\n"\'`,;)}]<>&|')

// A line end or a quote that is written as an escape: the value stands in a text inside another.
function isEscape(text: string, at: number): boolean {
  return text.charCodeAt(at) === 92 && 'nrt"\'`'.includes(text[at + 1] ?? ' ')
}

function isQuoteEnd(text: string, at: number, quote: string): boolean {
  const code = text.charCodeAt(at)
  if (code === 10 || code === 13) return true
  if (!text.startsWith(quote, at)) return false
  // A quote that is itself escaped ends only what a quote escaped as often began.
  return quote.length > 1 || text.charCodeAt(at - 1) !== 92
}

// Code rather than a value: a name and what is done with it, a type, a list.
const EXPRESSION =
  /^(?:[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$]|\?\.\[|[([<{]|!\.|::|->)|(?:new|await|async|function|typeof|return|lambda|not|if)\b|[([{$&*!=]|[A-Za-z_$][\w$]*$)/

/** Whether a value behind such a name is a real one. */
export function isSecretValue(
  value: string,
  { strength, isQuoted, isPlain }: { strength: NameStrength; isQuoted: boolean; isPlain: boolean },
): boolean {
  const { length } = value
  // One kind of letters alone is a word, or none of ours.
  if (!/\d/.test(value) && !(/[a-z]/.test(value) && /[A-Z]/.test(value))) return false
  if (length < 6 || value.includes('[secret:') || isPlaceholder(value)) return false
  if (ALGORITHM.test(value) || isTemplate(value) || isShownLogin(value)) return false
  if (strength === 'weak') return isWeakEvidenceEnough(value)
  if (UUID.test(value) || (isHex(value) && length >= 20)) return true
  // Words of a sentence are no password, whatever stands before them.
  if (/\s/.test(value)) return isQuoted && strength === 'password' && length < 40 && isPassphrase(value)
  if (isNamed(value) || isNameOfSecret(value) || INDEXED.test(value) || (!isQuoted && isCall(value))) return false
  const isPassword = strength === 'password'
  const isChosen = isPassword && (isQuoted || isPlain)
  if (!isQuoted && (/^[A-Za-z_]+(?:\.[A-Za-z_]+)+$/.test(value) || /^(?:qr|m)?\/[\^([\\]/.test(value))) return false
  // Small letters and digits turn into each other less often, but a name is no such word.
  if (/^(?=(?:\D*\d){2})[A-Za-z0-9]{20,}$/.test(value) && isUnlikeWords(value)) return true
  if (!isQuoted && EXPRESSION.test(value) && !isRandom(value)) return isChosen && isLikePassword(value)
  if (length >= 8 && (isRandom(value) || turnsOften(value) || hasThreeKinds(value, isPassword))) return true
  return isChosen && isLikePassword(value)
}

// How something is locked or signed, not with what.
const ALGORITHM =
  /^(?:aws4?|aes\d{0,3}|sha\d{0,3}|hmac|scram|rsa\d{0,4}|dsa|ecdsa|ecdhe?|eddsa|(?:ed|x|curve)25519|tlsv?\d?|ssl|md5|[hrep]s(?:256|384|512)|pbkdf2|argon2(?:id)?|bcrypt|base(?:32|58|64)|oauth\d?|chacha20|seed|aria|lea)(?:[-_/.+]?(?:with|aws4?|aes|sha|hmac|rsa|ecdsa|gcm|cbc|ctr|ecb|ccm|plus|poly|pkcs|padding|signature|request)\d{0,4}|[-_/.+]\d{1,4})*$/i

// `maru_${randomBytes(32)}`: what is left without the places that are filled in counts.
function isTemplate(value: string): boolean {
  if (!/[$#]\{[^}]*\}|\{\{.*\}\}/.test(value)) return false
  return !isRandom(value.replace(/[$#]\{[^}]*\}|\{\{.*\}\}/g, ''))
}

// `Jobs[-1].JobId`: a way to a value.
const INDEXED = /^[A-Za-z_][\w.]*\[[-\d*]*\](?:\.[A-Za-z_]\w*)*$/

/** Whether a value is what pages about `Authorization: Basic` show. */
export function isShownLogin(value: string): boolean {
  const login = value.length < 24 || value.length > 80 ? undefined : decodeRun(value)
  const password = login === undefined ? undefined : /^[\w.@-]{1,40}:([ -~]{1,40})$/.exec(login)?.[1]
  return password !== undefined && (isPlaceholder(password) || /^[a-z]+(?: [a-z]+)*$/.test(password))
}

// `oauth2ClientSecret`: another name for one, and no value.
function isNameOfSecret(value: string): boolean {
  return (
    /^[A-Za-z_][\w.-]*[A-Za-z\]]$/.test(value) &&
    /passw|secret|token|api_?key|credential|auth/i.test(value) &&
    isWordy(value)
  )
}

// `match[0]`, `schema.min(6)`
function isCall(value: string): boolean {
  const name = /^([A-Za-z_$][\w$.]*)!?[([]/.exec(value)?.[1]
  return name !== undefined && (/[)\]]$/.test(value) || isWordy(name))
}

const isPassphrase = (value: string) => /\d/.test(value) && !/["'`:=]/.test(value) && hasThreeKinds(value, true)

function isWeakEvidenceEnough(value: string): boolean {
  if (value.length < 16 || UUID.test(value) || isHex(value) || isNamed(value)) return false
  return /^[\w+/=.%~-]+$/.test(value) && isRandom(value) && /\d/.test(value) && measure(value).upper > 0
}

// Two of small letters, capitals and digits, and a rare sign: what rules for passwords ask for.
function hasThreeKinds(value: string, isPassword: boolean): boolean {
  const { lower, upper, digit } = measure(value)
  const rare = value.replace(/[\w./:, -]/g, '')
  if (rare === '' || Number(lower > 0) + Number(upper > 0) + Number(digit > 0) < 2) return false
  return digit > 0 || !isWordy(value) || (isPassword && /^[!#%&*@^~+$]+$/.test(rare))
}

// With a digit, or with letters of both cases that make no words.
function isLikePassword(value: string): boolean {
  if (!/^[!-~]+$/.test(value) || /[()]/.test(value)) return false
  if (/\d/.test(value)) return true
  const { lower, upper } = measure(value.slice(1))
  return value.length >= 10 && lower > 0 && upper > 1 && !isWordy(value)
}

// Paths, addresses, versions, names with numbers, calls: made of words.
function isNamed(value: string): boolean {
  return NAMED.test(value) || (PATH.test(value) && !isRandom(value.replace(/[/.]/g, '')))
}

const PATH = /^(?:~|\.{0,2})\/[\w./@+-]*$/
const NAMED =
  /^(?:[a-z]+:\/\/[^@]*|[\w.-]+\.(?:js|ts|json|md|html?|css|png|svg|txt|ya?ml|py|go|rs|java|pem|key|crt)|v?\d+(?:\.\d+)+\S{0,12}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|(?:[a-z]+[-_.]){2,}[a-z]+\d{0,3}|0x[0-9A-Fa-f]{1,8}[UL]*|[a-z]{1,12}\d?(?:\.[A-Za-z]{1,12}\d?){2,}|\d+(?:px|em|rem|ms|s|%))$/
