import { lineBefore } from './line-before.ts'
import { asLatin1 } from './secret-names.ts'
import type { DetectOptions, Found } from './span.ts'

const CANDIDATE = /\d[\d ().-]{8,28}/g

/** Finds numbers that stand for a person, a business or an account, by their checksums and their labels. */
export function findNumbers(text: string, { isContactSecret }: DetectOptions, found: Found): void {
  CANDIDATE.lastIndex = 0
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    // A date, a time, a port: too few digits for any of them.
    if (countDigits(match[0]) < FEWEST_DIGITS) continue
    const end = match.index + match[0].replace(/[ (]+$/, '').length
    // Behind a plus or from a country's code on, it is one number all the same.
    const start = match.index
    const used = judgeNumbers(text, { start, end }, { isContactSecret, found })
    CANDIDATE.lastIndex = Math.max(used, end)
  }
}

const FEWEST_DIGITS = 10

function countDigits(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if (isDigit(text.charCodeAt(at))) count++
  return count
}

interface Region {
  readonly start: number
  readonly end: number
}

function judgeNumbers(
  text: string,
  { start, end }: Region,
  { isContactSecret, found }: DetectOptions & { found: Found },
): number {
  let at = start
  while (at < end) {
    const length = numberAt(text, at, { isContactSecret, found })
    if (length > 0) {
      at += length
      continue
    }
    // On to where the next number begins.
    while (at < end && isDigit(text.charCodeAt(at))) at++
    while (at < end && !isDigit(text.charCodeAt(at))) at++
  }
  return at
}

function numberAt(text: string, at: number, { isContactSecret, found }: DetectOptions & { found: Found }): number {
  if (at > 0 && /[\w.$#]/.test(text[at - 1] ?? '') && !isLabelGlue(text, at)) return 0
  for (const { kind, pattern, isContact, accepts } of NUMBERS) {
    if (isContact && !isContactSecret) continue
    pattern.lastIndex = at
    const written = pattern.exec(text)?.[0]
    if (written === undefined || !accepts(written, { text, at })) continue
    const from = isContact ? beginOfPhone(text, at) : at
    found(from, at + written.length, kind)
    return written.length
  }
  return 0
}

// An underscore or an escape before it is the label's.
function isLabelGlue(text: string, at: number): boolean {
  return text[at - 1] === '_' || /\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at))
}

function beginOfPhone(text: string, at: number): number {
  return text[at - 1] === '+' || text[at - 1] === '(' ? at - 1 : at
}

interface NumberKind {
  readonly kind: string
  readonly pattern: RegExp
  readonly isContact?: boolean
  accepts(written: string, place: Place): boolean
}

/** Where a number stands: what is around it may tell what it is. */
interface Place {
  readonly text: string
  readonly at: number
}

const isLabelled = ({ text, at }: Place, label: RegExp) => label.test(labelBefore(text, at))

const NOT_AFTER = '(?![\\d]|[A-Za-z_]|\\.\\d|-\\d)'

const NUMBERS: readonly NumberKind[] = [
  {
    kind: 'resident-number',
    pattern: new RegExp(`\\d{6}(?:[- ]?| - )[1-8]\\d{6}${NOT_AFTER}`, 'y'),
    accepts: isResidentNumber,
  },
  {
    kind: 'card-number',
    pattern: new RegExp(
      `(?:\\d{4}([ -]?)\\d{4}\\1\\d{4}\\1\\d{1,7}|3[47]\\d\\d([ -]?)\\d{6}\\2\\d{5}|3(?:0[0-5]|[68]\\d)\\d([ -]?)\\d{6}\\3\\d{4})${NOT_AFTER}`,
      'y',
    ),
    accepts: isCard,
  },
  {
    kind: 'driver-licence',
    pattern: new RegExp(`\\d{2}-\\d{2}-\\d{6}-\\d{2}${NOT_AFTER}`, 'y'),
    accepts: (written) => Number(written.slice(0, 2)) >= 11 && Number(written.slice(0, 2)) <= 28,
  },
  {
    // In one piece, or behind the name of the region that the first two digits stand for.
    kind: 'driver-licence',
    pattern: new RegExp(`\\d{2}(?:\\d{10}|-\\d{6}-\\d{2})${NOT_AFTER}`, 'y'),
    accepts: (_written, place) => isLabelled(place, LABELS.licence),
  },
  {
    kind: 'business-number',
    pattern: new RegExp(`\\d{3}-?\\d{2}-?\\d{5}${NOT_AFTER}`, 'y'),
    accepts: isBusinessNumber,
  },
  {
    kind: 'phone-number',
    pattern: new RegExp(
      `(?:(?:82[-. ]?\\(?0?\\)?[-. ]?1[016789]|01[016789])([-. ]?)\\d{3,4}\\1|01[016789]\\)[- ]?\\d{3,4}[-. ]?)\\d{4}${NOT_AFTER}`,
      'y',
    ),
    isContact: true,
    accepts: isMobile,
  },
  {
    kind: 'bank-account',
    pattern: new RegExp(`\\d{2,6}-\\d{2,6}-\\d{2,7}(?:-\\d{1,3})?${NOT_AFTER}`, 'y'),
    isContact: true,
    accepts: (written, place) => digitsOf(written).length >= 10 && isLabelled(place, LABELS.account),
  },
]

const LABEL_REACH = 28

function labelBefore(text: string, at: number): string {
  const before = lineBefore(text, at, LABEL_REACH)
  return before.slice(before.lastIndexOf(',') + 1)
}

const either = (plain: string, korean: readonly string[]) =>
  new RegExp([plain, ...korean, ...korean.map(asLatin1)].join('|'), 'i')

const LABELS = {
  resident: either('\\brrn|resident|jumin|ssn|foreign|alien', ['주민', '등록번호', '외국인']),
  card: either('card|\\bpan\\b|credit|visa|amex', ['카드', '결제', '신용']),
  business: either('bus(?:iness)?[_ -]?(?:no|num|reg|id)|biz|brn|tax[_ -]?id|corp', ['사업자']),
  account: either('account|acct|bank', [
    '계좌',
    '은행',
    '입금',
    '뱅크',
    '신한',
    '국민',
    '농협',
    '새마을금고',
    '우체국',
  ]),
  licence: either('driv\\w*[_ -]?li[cs]en[cs]e', ['면허']),
  phone: either('phone|mobile|\\btel\\b|\\bhp\\b', ['전화', '연락처', '휴대', '핸드폰']),
}

const digitsOf = (written: string) => written.replace(/\D/g, '')
const isDigit = (code: number) => code >= 48 && code <= 57

function isResidentNumber(written: string, place: Place): boolean {
  const digits = digitsOf(written)
  const sex = Number(digits[6])
  const century = [1, 2, 5, 6].includes(sex) ? 1900 : 2000
  const year = century + Number(digits.slice(0, 2))
  const month = Number(digits.slice(2, 4))
  if (!isDate(year, month, Number(digits.slice(4, 6))) || year > LAST_YEAR) return false
  const isJoined = written.length === 13
  if (isJoined && new Set(digits).size < 4) return false
  // Those of foreigners, and those given out since then, have no checksum to go by.
  if (sex >= 5) return !isJoined || isLabelled(place, LABELS.resident)
  if (year > 2020 || (year === 2020 && month >= 10)) return !isJoined || isLabelled(place, LABELS.resident)
  return checksum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) === Number(digits[12])
}

const LAST_YEAR = 2035

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const days = month === 2 ? (year % 4 === 0 ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  return day <= days
}

function checksum(digits: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  return (11 - (sum % 11)) % 10
}

const TEST_CARDS =
  /^(?:4111111111111111|4242424242424242|4012888888881881|5555555555554444|5105105105105100|2223003122003222|378282246310005|371449635398431|6011111111111117|6011000990139424|3530111333300000|3566002020360505|4000056655665556|5200828282828210)$/

function isCard(written: string, place: Place): boolean {
  const digits = digitsOf(written)
  const isGrouped = written.length !== digits.length
  const isUsual =
    /^(?:4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}|62\d{14}|9[0-9]\d{14})$/.test(
      digits,
    )
  const isRare = /^(?:4\d{12}|4\d{18}|3(?:0[0-5]|[68]\d)\d{11}|62\d{15,17}|(?:5[06-8]|6)\d{13,17})$/.test(digits)
  if (!isUsual && !(isRare && (/^3\d{3}[ -]\d{6}[ -]/.test(written) || isLabelled(place, LABELS.card)))) return false
  if (digits[0] === '9' && !isGrouped && !isLabelled(place, LABELS.card)) return false
  if (isGrouped && isInTable(written, place) && !isLabelled(place, LABELS.card)) return false
  if (new Set(digits).size < 4 || /(\d)\1{6}/.test(digits) || TEST_CARDS.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    sum += at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

// A row of codes of four signs each: any four of them may be a card by chance.
function isInTable(written: string, { text, at }: Place): boolean {
  if (!written.includes(' ')) return false
  if (/[0-9A-Fa-f]{4,5}[ \t]$/.test(lineBefore(text, at, 6))) return true
  const end = at + written.length
  return /^[ \t][0-9A-Fa-f]{4,5}(?=\s|$)/.test(text.slice(end, end + 7))
}

function isBusinessNumber(written: string, place: Place): boolean {
  const isGrouped = /^\d{3}-\d{2}-\d{5}$/.test(written)
  const digits = digitsOf(written)
  if (!isGrouped && !(written.length === 10 && isLabelled(place, LABELS.business))) return false
  if (new Set(digits).size < 3) return false
  const weights = [1, 3, 7, 1, 3, 7, 1, 3, 5]
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  const carry = Math.floor((Number(digits[8]) * 5) / 10)
  return (10 - ((sum + carry) % 10)) % 10 === Number(digits[9])
}

function isMobile(written: string, place: Place): boolean {
  // From a country's code on it is also the beginning of any other number: a plus, a sign behind it or a label tells.
  if (written.startsWith('82') && place.text[place.at - 1] !== '+') {
    if (!/^82[-. (]+0?\)?[-. ]?10/.test(written) && !isLabelled(place, LABELS.phone)) return false
  }
  const digits = digitsOf(written).replace(/^820?/, '0')
  if (/^[01]+$/.test(digits) || new Set(digits.slice(3)).size < 2) return false
  return digits.length === 11 || (digits.length === 10 && !digits.startsWith('010'))
}
