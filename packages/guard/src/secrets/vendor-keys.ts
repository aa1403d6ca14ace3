import { decodeRun } from './encoded.ts'
import { entropyOf, isPlaceholder, isRandom, isUnlikeWords, isWordy, measure, turnsOften } from './randomness.ts'
import type { Found } from './span.ts'
import { BODIES, VENDOR_KEYS, type VendorKey } from './vendor-table.ts'

interface Beginning {
  readonly prefix: string
  readonly rules: VendorKey[]
}

// By their first two signs, the longest first: most words are not looked at any further.
const BY_START = new Map<number, Beginning[]>()
const STARTS = new Uint8Array(1 << 14)
for (const rule of VENDOR_KEYS) for (const prefix of rule.prefixes) addBeginning(prefix, rule)

function addBeginning(prefix: string, rule: VendorKey): void {
  const start = startAt(prefix, 0)
  const known = BY_START.get(start)
  const same = known?.find((one) => one.prefix === prefix)
  if (same) same.rules.push(rule)
  else if (known) {
    const shorter = known.findIndex((one) => one.prefix.length < prefix.length)
    known.splice(shorter < 0 ? known.length : shorter, 0, { prefix, rules: [rule] })
  } else {
    STARTS[start] = 1
    BY_START.set(start, [{ prefix, rules: [rule] }])
  }
}

function startAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127)
}

/** Finds vendors' keys in a run of signs that keys are made of. `isLineEnd`: a key may go on behind it. */
export function findVendorKeys(run: string, isLineEnd: boolean, found: Found): void {
  const bodyAt = createBodies(run)
  let isInWord = false
  for (let at = 0; at + 8 < run.length; at++) {
    const code = run.charCodeAt(at)
    const isBeginning = !isInWord || isEscaped(run, at)
    isInWord = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
    if (!isBeginning || STARTS[startAt(run, at)] === 0) continue
    const end = findKeyAt(run, at, { isLineEnd, found, bodyAt })
    if (end > at) at = end - 1
  }
  findUnprefixed(run, found)
}

// Behind %3D a word begins as well.
function isEscaped(run: string, at: number): boolean {
  return at > 2 && run.charCodeAt(at - 3) === 37
}

type BodyAt = (rule: VendorKey, from: number) => string

// A body goes on to the first sign that is not its own: where that is, is the same for all that begin before it.
function createBodies(run: string): BodyAt {
  const known = new Map<VendorKey['charset'], { from: number; end: number }>()
  return ({ charset }, from) => {
    const last = known.get(charset)
    if (last && last.from <= from && from <= last.end) return run.slice(from, last.end)
    const body = BODIES[charset]
    body.lastIndex = from
    const found = body.exec(run)?.[0] ?? ''
    known.set(charset, { from, end: from + found.length })
    return found
  }
}

interface Looking {
  isLineEnd: boolean
  found: Found
  bodyAt: BodyAt
}

function findKeyAt(run: string, at: number, { isLineEnd, found, bodyAt }: Looking): number {
  for (const { prefix, rules } of BY_START.get(startAt(run, at)) ?? []) {
    if (!run.startsWith(prefix, at)) continue
    const from = at + prefix.length
    for (const rule of rules) {
      const body = bodyAt(rule, from)
      const reachesEnd = isLineEnd && from + body.length === run.length
      if (!isKey(prefix, body, { rule, reachesEnd })) continue
      const end = from + trimTail(body, rule).length
      found(at, end, rule.kind)
      return end
    }
  }
  return at
}

// A point or a dash at the end is the sentence's, unless the kind is one long word.
function trimTail(body: string, { charset }: VendorKey): string {
  return charset === 'dotted' || charset === 'path' ? body.replace(/[.@/]+$/, '') : body
}

// What is cut off by the end of a line is a key as well, if there is enough of it to tell.
const ENOUGH = 14

function isKey(prefix: string, body: string, { rule, reachesEnd }: { rule: VendorKey; reachesEnd: boolean }): boolean {
  const isWhole = body.length >= rule.least
  const isEnough =
    prefix.length + body.length >= (isTelling(prefix) ? prefix.length + 7 : Math.max(ENOUGH, rule.least / 3))
  // Three letters begin many a line of a certificate as well.
  const canBeCut = prefix.length > 3 || /^(?:eyJ|\w\w[-_.])$/.test(prefix)
  if (!isWhole && !(reachesEnd && isEnough && canBeCut)) return false
  if (rule.kind === 'jwt') return isJwt(body, isWhole && !reachesEnd)
  if (EXACT[rule.kind] !== undefined && body.length !== EXACT[rule.kind] && isWhole) return false
  if (SHAPES[rule.kind]?.test(body) === false) return false
  if (isPlaceholder(body) && !isRandom(body.slice(0, rule.least).replace(/[-_.]/g, ''))) return false
  if (/EXAMPLE|xxxx|XXXX|0000000|1234567|abcdef(?:gh|01)/.test(body)) return false
  return isBodyRandom(body, rule) || (!isWhole && (isUnlikeWords(body) || (isTelling(prefix) && isMixed(body))))
}

// Nothing but a key begins so: of a piece of it, less is asked.
const isTelling = (prefix: string) => prefix.length >= 4 && /[-_.]$/.test(prefix)

function isMixed(body: string): boolean {
  const { lower, upper, digit, runs } = measure(body)
  if (Number(lower > 0) + Number(upper > 0) + Number(digit > 0) < 2 || (digit < 2 && isWordy(body))) return false
  return body.length >= 6 && runs >= body.length / 4
}

// Short prefixes that words and numbers may begin with: only the exact length tells.
const EXACT: { readonly [kind: string]: number | undefined } = {
  'aws-key-id': 16,
  'google-api-key': 35,
  'twilio-key': 32,
  'crates-token': 32,
  'scaleway-key': 17,
  'nuget-key': 43,
}

// Where the beginning is that of words, too: how the rest must look.
const SHAPE_OF_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SHAPES: { readonly [kind: string]: RegExp | undefined } = {
  'adyen-key': /^.hm/,
  'launchdarkly-key': SHAPE_OF_UUID,
  'plaid-token': SHAPE_OF_UUID,
  'zapier-webhook': /^\d+\/\w+/,
}

function isBodyRandom(body: string, { charset, kind }: VendorKey): boolean {
  const enough = Math.min(2.5, Math.log2(body.length) * 0.75)
  if (charset === 'hex') return entropyOf(body) > enough && /\d/.test(body)
  if (charset === 'upper') return entropyOf(body) > enough && (/\d/.test(body) || kind === 'aws-key-id')
  if (kind === 'slack-token' && /^\d{9,}/.test(body)) return true
  // A UUID, or a path as short as that one, is no more random than it is.
  if (SHAPES[kind] === SHAPE_OF_UUID || kind === 'zapier-webhook') return true
  if (charset === 'path') return isRandomPath(body)
  const words = body.split(/[-_.]/).filter((word) => word.length > 0)
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '')
  return [longest, words.join('')].some((text, at) => isRandomWord(text) && (at === 0 || words.length < 7))
}

// What is shown of such addresses has words in it; one part of a real one has none.
function isRandomPath(path: string): boolean {
  return path
    .split('/')
    .some((part) => isRandomWord(part.replaceAll('-', '')) || (/\d/.test(part) && isUnlikeWords(part)))
}

// Small hexadecimal digits alone, or capitals and digits, turn into each other less often than letters of both cases.
function isRandomWord(text: string): boolean {
  if (isRandom(text) || (text.length >= 16 && (isUnlikeWords(text) || turnsOften(text)))) return true
  return text.length >= 16 && /\d/.test(text) && /^(?:[0-9a-f]+|[A-Z0-9]+)$/.test(text) && entropyOf(text) > 2.7
}

function isJwt(body: string, isWhole: boolean): boolean {
  const [rest = '', payload, signature] = body.split('.', 3)
  const head = `eyJ${rest}`
  if (!isWhole && payload === undefined)
    return head.length >= 24 && JWT_HEAD.test(head) && !decodeRun(head)?.endsWith('}')
  const isOne = payload !== undefined && payload.length >= 8 && (signature !== undefined || payload.startsWith('eyJ'))
  return isOne && !KNOWN_EXAMPLES.test(body)
}

// What a header of one says first. Any other object in base64 begins with the same three signs: a source map, a page token.
const JWT_HEAD = new RegExp(
  `^(?:${['alg', 'typ', 'kid', 'enc', 'cty', 'jku', 'jwk', 'x5t', 'x5u', 'zip'].map((name) => btoa(`{"${name}":"`).slice(0, 8)).join('|')})`,
)

// The token that every page about them shows.
const KNOWN_EXAMPLES = /SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c/

const UNPREFIXED: readonly { kind: string; hint: string; pattern: RegExp }[] = [
  {
    kind: 'discord-token',
    hint: '.',
    pattern: /(?<![\w-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g,
  },
  { kind: 'mailchimp-key', hint: '-us', pattern: /(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?!\w)/g },
  { kind: 'azure-secret', hint: 'Q~', pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g },
  { kind: 'new-relic-key', hint: 'NRAL', pattern: /(?<!\w)[0-9a-f]{36}NRAL(?!\w)/g },
  { kind: 'new-relic-key', hint: 'NRAL', pattern: /(?<!\w)[0-9a-zA-Z]{36}NRAL(?!\w)/g },
  { kind: 'azure-key', hint: 'AZDO', pattern: /(?<!\w)[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)/g },
  { kind: 'azure-key', hint: 'JQQJ99', pattern: /(?<!\w)[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?!\w)/g },
  { kind: 'zhipu-key', hint: '.', pattern: /(?<![\w.])[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![\w.])/g },
  { kind: 'mailgun-key', hint: '-', pattern: /(?<![\w-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/g },
  { kind: 'vault-token', hint: 's.', pattern: /(?<![\w.-])s\.[A-Za-z0-9]{24}(?![\w.-])/g },
  {
    kind: 'rapidapi-key',
    hint: 'msh',
    pattern: /(?<!\w)[0-9a-z]{10}msh[0-9a-z]{15}p1[0-9a-z]{6}jsn[0-9a-z]{12}(?!\w)/g,
  },
  { kind: 'terraform-token', hint: '.atlasv1.', pattern: /(?<!\w)\w{14}\.atlasv1\.[\w-]{50,}/g },
]

function findUnprefixed(run: string, found: Found): void {
  for (const { kind, hint, pattern } of UNPREFIXED) {
    if (!run.includes(hint)) continue
    for (const match of run.matchAll(pattern)) {
      if (kind === 'discord-token' && !isDiscordToken(match[0])) continue
      if (kind === 'vault-token' && !isRandom(match[0])) continue
      found(match.index, match.index + match[0].length, kind)
    }
  }
}

// Names of properties can be as long by chance, but they are words.
function isDiscordToken(token: string): boolean {
  const [owner = '', , signature = ''] = token.split('.')
  return isRandom(owner) && isRandom(signature)
}
