import { endOfValue, isSecretValue, valueBehind } from './assignments.ts'
import { lineBefore } from './line-before.ts'
import { isHex, isPlaceholder, isRandom, measure } from './randomness.ts'
import { asLatin1, strengthOf } from './secret-names.ts'
import type { Found } from './span.ts'

// A particle, a blank, an opening bracket or quote: what Korean puts between a word and what it is about.
const LEAD = /(?:[\u0080-\uffff]{1,6}(?=[ \t]))?[ \t]{0,3}(?:[[("'`]|\u201c|\u00e2\u0080\u009c)?/y
const WORD = /[!-~]{8,128}/y

/** A password that a sentence tells: `비밀번호는 … 입니다`. Only what no sentence would say otherwise is one. */
export function findToldPassword(text: string, at: number, found: Found): void {
  const word = toldAt(text, at)
  if (word && isUnlikeSentence(word.text)) found(word.start, word.start + word.text.length, 'password')
}

/** A key that a sentence tells: `인증키는 … 입니다`. */
export function findToldKey(text: string, at: number, found: Found): void {
  const word = toldAt(text, at)
  if (!word || word.text.length < 16 || !/^[\w+/=.%~-]+$/.test(word.text)) return
  if (isPlaceholder(word.text) || !(isRandom(word.text) || (isHex(word.text) && word.text.length >= 32))) return
  found(word.start, word.start + word.text.length, 'token')
}

const KINDS = [
  'API',
  'api',
  'REST',
  '인증',
  '시크릿',
  '비밀',
  '보안',
  '액세스',
  '접근',
  '서비스',
  '개인',
  '앱',
  '암호화',
]
const KIND_BEFORE = new RegExp(`(?:${KINDS.flatMap((kind) => [kind, asLatin1(kind)]).join('|')})[ \\t]?$`)

/** The same behind a word for keys that may open nothing: which kind of key it is tells. */
export function findToldKindOfKey(text: string, { at, form }: { at: number; form: string }, found: Found): void {
  if (KIND_BEFORE.test(lineBefore(text, at, 40)))
    findToldKey(text, at + form.length - (form.endsWith('(') ? 1 : 0), found)
}

function toldAt(text: string, at: number): { text: string; start: number } | undefined {
  LEAD.lastIndex = at
  WORD.lastIndex = at + (LEAD.exec(text)?.[0].length ?? 0)
  const start = WORD.lastIndex
  const word = WORD.exec(text)?.[0].replace(/(?:[.,;:)\]"'`]+|\()+$/, '')
  return word === undefined || word.length < 8 ? undefined : { text: word, start }
}

// Letters and digits with a rare sign among them, or as only chance makes them.
function isUnlikeSentence(word: string): boolean {
  if (/[{}<>|]|:\/\/|\[secret:/.test(word) || isPlaceholder(word)) return false
  if (!isSecretValue(word, { strength: 'password', isQuoted: true, isPlain: true })) return false
  const { lower, upper, digit } = measure(word)
  if (/[!@#$%^&*?~+]/.test(word) && digit > 0 && lower + upper > 1) return true
  return word.length >= 10 && /^[\w!@#$%^&*?~+=-]+$/.test(word) && isRandom(word) && lower > 0 && upper + digit > 1
}

const DIRECTIVE = /^[ \t]*(?:ENV|ARG|setx|set -\w+|#[ \t]*define)[ \t]+([A-Za-z]\w{2,80})$/

/** The value of a directive that has no sign: `ENV DB_PASSWORD …`, `#define WIFI_PASSWORD "…"`. */
export function findDirective(text: string, at: number, found: Found): void {
  const name = DIRECTIVE.exec(lineBefore(text, at, 120))?.[1]
  const strength = name === undefined ? undefined : strengthOf(name)
  const value = strength === undefined ? undefined : valueBehind(text, at, true)
  // What C defines without quotes is a number.
  if (strength === undefined || !value || (/^[ \t]*#/.test(lineBefore(text, at, 120)) && !value.isQuoted)) return
  if (isSecretValue(text.slice(value.start, value.end), { ...value, strength }))
    found(value.start, endOfValue(text, value), strength === 'password' ? 'password' : 'token')
}
