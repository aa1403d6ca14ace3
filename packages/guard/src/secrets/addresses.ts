import { isPlaceholder, isRandom } from './randomness.ts'
import type { DetectOptions, Found } from './span.ts'

const BACK = 400

/** Finds what stands before an `@`: the password in an address, or the name of a person's mailbox. */
export function findAddresses(text: string, { isContactSecret }: DetectOptions, found: Found): void {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = beginOfWord(text, at)
    if (findPassword(text, start, at, found)) continue
    if (isContactSecret) findMailbox(text, at, found)
  }
}

function beginOfWord(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < BACK && !isBreak(text.charCodeAt(start - 1))) start--
  return start
}

// Blank, quotes, angles: nothing of an address.
function isBreak(code: number): boolean {
  return code <= 32 || code === 34 || code === 39 || code === 96 || code === 60 || code === 62
}

// A port with a path behind it, or what pages about addresses write.
const NO_PASSWORD = /^:?\d{2,5}\/|^[a-z_-]*pass(?:word|wd)?$/i
const SCHEME_END = /[a-z0-9]:(?:\/\/|\\\/\\\/)$/i
const USER_INFO = /^([^:/?#@]{0,100})(?::(.*))?$/

function findPassword(text: string, start: number, at: number, found: Found): boolean {
  const before = text.slice(start, at)
  if (!before.includes('//') && !before.includes('\\/')) return false
  // A password may hold an @ itself: the last one before the host counts, and each before it is looked at here too.
  const from = beginOfUser(before)
  const match = from < 0 ? null : USER_INFO.exec(before.slice(from))
  if (!match || !/^[\w.[-]/.test(text.slice(at + 1, at + 2))) return false
  const [, user = '', password] = match
  // Behind the host there may be another @, in a path or a query.
  if (password !== undefined && /@[\w.-]+(?::\d+)?[/?#]/.test(password)) return true
  if (password !== undefined && password !== '') {
    if (password.length >= 4 && password !== user && !isPlaceholder(password) && !NO_PASSWORD.test(password))
      found(at - password.length, at, 'url-password')
    else if (/^(?:x-oauth-basic|x)$/.test(password) && isRandom(user)) {
      const from = at - password.length - 1 - user.length
      found(from, from + user.length, 'url-password')
    }
  } else if (user.length >= 16 && isRandom(user) && !isPlaceholder(user)) found(at - user.length, at, 'url-password')
  return true
}

// Behind the last `://`, as it is or as JSON may write it.
function beginOfUser(before: string): number {
  const at = Math.max(before.lastIndexOf('://') + 3, before.lastIndexOf(':\\/\\/') + 5)
  return at >= 4 && SCHEME_END.test(before.slice(0, at)) ? at : -1
}

const LOCAL = /[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}$/
const DOMAIN =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,5}([A-Za-z]{2,24})(?![A-Za-z0-9@-]|\.[A-Za-z0-9]|:[^ \t\r\n"'])/
const FILE_ENDS =
  /^(?:png|jpe?g|gif|svg|webp|ico|js|mjs|cjs|ts|tsx|jsx|css|scss|json|md|html?|vue|py|rb|go|rs|c|h|cpp|java|sh|lock|map|tgz|zip|gz|whl|local|service)$/i

function findMailbox(text: string, at: number, found: Found): void {
  const local = LOCAL.exec(text.slice(Math.max(0, at - 65), at))?.[0]
  if (local === undefined) return
  const before = text[at - local.length - 1] ?? ''
  if (before === '@' || before === '/' || before === '\\' || /^(?:git|hg|svn)$/.test(local)) return
  const domain = DOMAIN.exec(text.slice(at + 1, at + 200))
  if (!domain || FILE_ENDS.test(domain[1] ?? '')) return
  found(at - local.length, at + 1 + domain[0].length, 'email')
}
