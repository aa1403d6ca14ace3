import { endOfValue, isSecretValue, isShownLogin, valueBehind } from './assignments.ts'
import { lineBefore } from './line-before.ts'
import { isPlaceholder, isRandom, isUnlikeWords } from './randomness.ts'
import { asLatin1, type NameStrength, strengthOf } from './secret-names.ts'
import { findDirective, findToldKey, findToldKindOfKey, findToldPassword } from './sentences.ts'
import type { Found } from './span.ts'

/**
 * Finds secrets that are told by what stands around them, where that is no assignment. Hints begin with rare signs: that
 * is how they are found without looking at every other.
 */
export function findInContext(text: string, found: Found): void {
  for (const [hint, find] of CONTEXTS) {
    for (let at = text.indexOf(hint); at >= 0; at = text.indexOf(hint, at + hint.length)) find(text, at, found)
  }
}

// A Korean word in a text, and in one that is read as Latin-1.
function bothForms(word: string): string[] {
  return [word, asLatin1(word)]
}

/** What begins at a hint. */
type Find = (text: string, at: number, found: Found) => void

const CONTEXTS: readonly (readonly [hint: string, find: Find])[] = [
  ['-', findOption],
  ['</', (text, at, found) => findElement(text, at + 2, found)],
  ['password', (text, at, found) => findNetrc(text, at + 8, found)],
  [':', findBehindColon],
  ["',", findQuoted],
  ['",', findQuoted],
  ["IDENTIFIED BY '", findSql],
  ["identified by '", findSql],
  ["PASSWORD '", findSql],
  ['kie: ', (text, at, found) => findCookies(text, at + 5, found)],
  ['("', findArgument],
  ["('", findArgument],
  ['/webhookb2/', (text, at, found) => findTeamsWebhook(text, at + 11, found)],
  ['$production$', (text, at, found) => findBraintree(text, at + 12, found)],
  ['$sandbox$', (text, at, found) => findBraintree(text, at + 9, found)],
  ['-SecureString ', (text, at, found) => findBehind(text, at + 14, { strength: 'password', found })],
  ...['_PASSWORD ', '_PASS ', '_SECRET ', '_TOKEN ', '_KEY '].map((end) => [end, directive(end.length - 1)] as const),
  ...['비밀번호', '패스워드', '암호는 ', '비번'].flatMap((word) => told(word, findToldPassword)),
  ...['인증키', '시크릿', '토큰은 '].flatMap((word) => told(word, findToldKey)),
  ...['키는 ', '키('].flatMap((word) =>
    bothForms(word).map((form): readonly [string, Find] => [
      form,
      (text, at, found) => findToldKindOfKey(text, { at, form }, found),
    ]),
  ),
]

function directive(length: number): Find {
  return (text, at, found) => findDirective(text, at + length, found)
}

// What is told behind a Korean word.
function told(word: string, find: Find): (readonly [string, Find])[] {
  return bothForms(word).map((form) => [form, (text, at, found) => find(text, at + form.length, found)])
}

function findOption(text: string, at: number, found: Found): void {
  if (at > 0 && !isBlank(text.charCodeAt(at - 1))) return
  const next = text.charCodeAt(at + 1)
  if (next === 45) {
    if (text.startsWith('user', at + 2)) findLogin(text, at + 6, found)
    findFlag(text, at + 2, found)
  } else if (next === 117) findLogin(text, at + 2, found)
  else if (next === 112 || next === 97) findShortFlag(text, at + 2, found)
}

const isBlank = (code: number) => code === 32 || code === 9 || code === 10

function findBehindColon(text: string, at: number, found: Found): void {
  const next = text.charCodeAt(at + 1)
  if (next === 36) findHash(text, at + 2, found)
  else if (next === 123 && text.startsWith('{SHA}', at + 1)) findHash(text, at + 6, found)
  else if (next === 65 && text.charCodeAt(at + 2) === 65) findTelegram(text, at + 3, found)
  else if (next === 53 || next === 51 || next === 42) {
    const port = /^:(?:5432|3306|\*):/.exec(text.slice(at, at + 6))?.[0]
    if (port !== undefined) findPgpass(text, at + port.length, found)
  }
}

const SCHEME = /(?:^|[^A-Za-z])(?:[Bb]earer|[Bb]asic|Token|ApiKey)[ \t]$/

/** What follows the name of a scheme for credentials, as in `Authorization: Bearer …` without its header. */
export function findCredentials(text: string, at: number, { run, found }: { run: string; found: Found }): void {
  if (!isBlank(text.charCodeAt(at - 1)) || !SCHEME.test(text.slice(Math.max(0, at - 8), at))) return
  if (run.length >= 16 && isRandom(run) && !isPlaceholder(run) && !isShownLogin(run)) found(0, run.length, 'token')
}

const LOGIN = /[ =]?(["']?)[\w.@+-]{1,80}:([^\s"']{3,200})\1/y

// curl -u name:password
function findLogin(text: string, at: number, found: Found): void {
  LOGIN.lastIndex = at
  const match = LOGIN.exec(text)
  const password = match?.[2]
  if (!match || password === undefined || isPlaceholder(password) || /^\d{1,10}$/.test(password)) return
  // A group behind a user, an address, the name of a module: `docker run -u node:node`.
  if (/^(?:[a-z]+|[A-Z]+)[`.,;)]*$/.test(password) || /^(?:\/\/|:)/.test(password)) return
  const start = at + match[0].length - (match[1]?.length ?? 0) - password.length
  found(start, start + password.length, 'password')
}

const FLAG = /([a-z][a-z0-9-]{2,40}) +/y

// --password VALUE; with a sign between them it is an assignment.
function findFlag(text: string, at: number, found: Found): void {
  FLAG.lastIndex = at
  const match = FLAG.exec(text)
  const strength = match ? strengthOf(match[1] ?? '') : undefined
  if (!match || strength === undefined) return
  const value = valueBehind(text, at + match[0].length, false)
  if (!value || text[value.start] === '-') return
  if (isSecretValue(text.slice(value.start, value.end), { ...value, isPlain: true, strength }))
    found(value.start, endOfValue(text, value), strength === 'password' ? 'password' : 'token')
}

// <string name="api_key">: what the attribute says.
const MAY_BE_NAMED = /^(?:string|property|value|entry|param|setting|item)$/
const NAMED_ELEMENT =
  /<(?:string|property|value|entry|param|setting|item)[ \t][^<>]{0,80}(?:name|key)=["']([\w.:-]{2,60})["'][^<>]{0,40}>$/
const ELEMENT = /([A-Za-z][\w.:-]{1,60})>/y
const ELEMENT_REACH = 2_000

// <password>VALUE</password>
function findElement(text: string, at: number, found: Found): void {
  const tag = matchAt(ELEMENT, text, at)
  const name = tag?.slice(0, -1)
  if (name === undefined || (strengthOf(name) === undefined && !MAY_BE_NAMED.test(name))) return
  const end = at - 2
  const before = lineBefore(text, end, ELEMENT_REACH)
  const from = before.lastIndexOf('>') + 1
  const opening = before.slice(Math.max(0, from - 200), from)
  if (from === 0 || !opening.includes(`<${name}`)) return
  const strength = strengthOf(name) ?? strengthOf(NAMED_ELEMENT.exec(opening)?.[1] ?? '')
  if (strength === undefined) return
  const start = end - before.length + from
  const inner = text.slice(start, end)
  const lead = inner.length - inner.trimStart().length
  const value = inner.trim()
  if (!/\s/.test(value) && isSecretValue(value, { strength, isQuoted: true, isPlain: true }))
    found(start + lead, start + lead + value.length, strength === 'password' ? 'password' : 'token')
}

const NETRC_BEFORE = /(?:login|machine|account)[ \t]+\S{1,200}[ \t]+$/
const WORD = /[^\s"']{4,200}/y

// machine HOST login NAME password VALUE
function findNetrc(text: string, behind: number, found: Found): void {
  const at = behind + 1
  if (text[behind] !== ' ' && text[behind] !== '\t') return
  const before = lineBefore(text, at, 300).replace(/(?:password|passwd)[ \t]$/, '')
  if (!NETRC_BEFORE.test(before)) {
    if (text.startsWith('is ', at)) findToldPassword(text, at + 3, found)
    else if (/^[ \t]*$/.test(before)) findToldPassword(text, at, found)
    return
  }
  const value = matchAt(WORD, text, at)
  if (value !== undefined && !isPlaceholder(value) && !/^[a-z]+$/.test(value)) found(at, at + value.length, 'password')
}

const HASH = /(?:apr1|1|2[abxy]|5|6|y|7|gy|argon2id?|scrypt)\$[\w./$=,+-]{20,200}/y
const SHA = /[A-Za-z0-9+/]{27}=/y

// NAME:$apr1$… of .htpasswd and of shadow files: nobody writes hashes so for another purpose.
function findHash(text: string, at: number, found: Found): void {
  const isSha = text[at - 1] === '}'
  const value = matchAt(isSha ? SHA : HASH, text, at)
  if (value === undefined || !/(?:^|["'` ])[\w.@-]{1,64}:(?:\$|\{SHA\})$/.test(lineBefore(text, at, 72))) return
  found(isSha ? at - 5 : at - 1, at + value.length, 'password-hash')
}

// The one that Telegram's own pages show.
const SHOWN_BOT = '110201543:'
const TELEGRAM = /[\w-]{32,34}(?![\w-])/y

// 123456789:AA…
function findTelegram(text: string, at: number, found: Found): void {
  const rest = matchAt(TELEGRAM, text, at)
  const owner = /(?<!\d)\d{8,10}:AA$/.exec(text.slice(Math.max(0, at - 16), at))?.[0]
  if (rest === undefined || owner === undefined || !(isRandom(rest) || isUnlikeWords(rest))) return
  if (owner.startsWith(SHOWN_BOT)) return
  found(at - owner.length, at + rest.length, 'telegram-token')
}

const TEAMS = /[0-9a-f-]{36}@[0-9a-f-]{36}\/\w{1,40}\/[\w/-]{32,140}/y

// https://NAME.webhook.office.com/webhookb2/GROUP@TENANT/IncomingWebhook/…
function findTeamsWebhook(text: string, at: number, found: Found): void {
  const path = matchAt(TEAMS, text, at)
  const host = /https?:\/\/[\w.-]{1,80}\/webhookb2\/$/.exec(text.slice(Math.max(0, at - 110), at))?.[0]
  if (path !== undefined && host !== undefined) found(at - host.length, at + path.length, 'teams-webhook')
}

const BRAINTREE = /[0-9a-z]{16}\$[0-9a-f]{32}(?!\w)/y

// access_token$production$…
function findBraintree(text: string, at: number, found: Found): void {
  const rest = matchAt(BRAINTREE, text, at)
  const name = /access_token\$\w+\$$/.exec(text.slice(Math.max(0, at - 24), at))?.[0]
  if (rest !== undefined && name !== undefined) found(at - name.length, at + rest.length, 'braintree-token')
}

const SHORT = /[ =]?(["']?)([^\s"']{6,200})\1/y
const BY_SHORT_FLAG =
  /(?:mysql|mysqldump|mariadb|sshpass|docker login|podman login|redis-cli|az login|htpasswd|mongo(?:sh)?|psql|skopeo|oc login|sqlcmd)\b[^\n|;&]{0,200}$/

function findShortFlag(text: string, at: number, found: Found): void {
  SHORT.lastIndex = at
  const match = SHORT.exec(text)
  const value = match?.[2]
  if (!match || value === undefined || !BY_SHORT_FLAG.test(lineBefore(text, at, 220))) return
  const start = at + match[0].length - (match[1]?.length ?? 0) - value.length
  if (isSecretValue(value, { strength: 'password', isQuoted: true, isPlain: true }))
    found(start, start + value.length, 'password')
}

const CALLED = /(\(?)["']([A-Za-z][\w.-]{2,60})$/

// define('DB_PASSWORD', 'VALUE'), headers.set("X-Api-Key", "VALUE")
function findQuoted(text: string, at: number, found: Found): void {
  const next = text.charCodeAt(at + 2) === 32 ? text[at + 3] : text[at + 2]
  if (next !== '"' && next !== "'") return
  const [, opening, name = ''] = CALLED.exec(lineBefore(text, at, 64)) ?? []
  const strength = strengthOf(name)
  // In a list, what follows a word is only the next one: nothing but chance tells that it is a value.
  if (strength !== undefined && strength !== 'weak')
    findBehind(text, at + 2, { strength: opening === '(' ? strength : 'weak', found })
}

const METHOD = /(?:\.|[Ss]et|[Ww]ith)([A-Za-z]\w{2,40})$/

// .password("VALUE"), setApiKey('VALUE')
function findArgument(text: string, at: number, found: Found): void {
  const name = METHOD.exec(lineBefore(text, at, 48))?.[1]
  const strength = name === undefined ? undefined : strengthOf(name)
  if (strength === undefined) return
  // Which one of several arguments is the value cannot be known, nor whether a value is made, found or compared there.
  const value = valueBehind(text, at + 1, false)
  if (!value?.isQuoted || !/^["'][ \t]*\)/.test(text.slice(value.end, value.end + 4))) return
  findBehind(text, at + 1, { strength: /\d/.test(text.slice(value.start, value.end)) ? strength : 'weak', found })
}

// IDENTIFIED BY 'VALUE'
function findSql(text: string, at: number, found: Found): void {
  findBehind(text, text.indexOf("'", at), { strength: 'password', found })
}

// What stands in quotes behind a place that says what it is.
function findBehind(text: string, at: number, { strength, found }: { strength: NameStrength; found: Found }): void {
  const value = valueBehind(text, at, false)
  if (value?.isQuoted && isSecretValue(text.slice(value.start, value.end), { ...value, strength }))
    found(value.start, endOfValue(text, value), strength === 'password' ? 'password' : 'token')
}

const PGPASS = /([\w*.-]{1,64}):([\w*.@-]{1,64}):((?:\\.|[^\s:"'\\]){3,200})(?=\r?\n|$)/y

// HOST:5432:DATABASE:USER:VALUE
function findPgpass(text: string, at: number, found: Found): void {
  PGPASS.lastIndex = at
  const match = PGPASS.exec(text)
  const value = match?.[3]
  if (!match || value === undefined || isPlaceholder(value)) return
  if (!/^[\w*.-]{1,120}:(?:5432|3306|\*):$/.test(lineBefore(text, at, 130))) return
  found(at + match[0].length - value.length, at + match[0].length, 'password')
}

const COOKIE = /([\w.-]{1,60})=([^;\s"']{8,1000})/g

function findCookies(text: string, at: number, found: Found): void {
  const line = text.slice(at, Math.min(text.length, at + 1_500)).split('\n', 1)[0] ?? ''
  for (const match of line.matchAll(COOKIE)) {
    const value = match[2] ?? ''
    const start = at + match.index + (match[1]?.length ?? 0) + 1
    if (value.length >= 16 && isRandom(value) && !isPlaceholder(value)) found(start, start + value.length, 'cookie')
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
