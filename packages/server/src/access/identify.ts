import type { IncomingHttpHeaders } from 'node:http'
import { type Actor, fits, SocketDoor } from '@maru/protocol'
import type { Access, Key, Scope } from '@maru/store'
import { refusal } from '../http/problem.ts'
import { csrfOf, hashSecret, isSame } from './secrets.ts'

const COOKIE = 'maru_session'
/** Browsers take it only over TLS, for this very host and no other. */
const SECURE_COOKIE = `__Host-${COOKIE}`
export const COOKIE_MS = 30 * 86_400_000

export interface Identity {
  key: Key
  /** The cookie's secret, if it was one. */
  cookie?: string
}

/** Who asks; nobody, where no key is given. A key that is not good is refused, whatever is asked for. */
export async function identify(
  access: Access,
  headers: IncomingHttpHeaders,
  { isSecure }: { isSecure: boolean },
): Promise<Identity | undefined> {
  const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '')?.[1]
  if (headers.authorization !== undefined && bearer === undefined) {
    throw refusal('unauthorised', 'send "Authorization: Bearer TOKEN"')
  }
  const cookie = bearer === undefined ? readCookie(headers.cookie, isSecure ? SECURE_COOKIE : COOKIE) : undefined
  const secret = bearer ?? cookie
  if (secret === undefined) return undefined
  const key = await access.findKey(hashSecret(secret))
  // A cookie's secret is no token, and the other way round.
  if (!key || key.kind !== (bearer === undefined ? 'cookie' : 'token')) {
    throw refusal('unauthorised', 'this key is unknown, revoked or over')
  }
  return { key, ...(cookie !== undefined && { cookie }) }
}

function readCookie(header: string | undefined, wanted: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value !== undefined && /^[\w-]{1,200}$/.test(value)) return value
  }
  return undefined
}

/** The header that gives a browser its key, or takes it back. */
export function cookieHeader(secret: string | undefined, isSecure: boolean): string {
  const name = isSecure ? SECURE_COOKIE : COOKIE
  const age = secret === undefined ? 0 : COOKIE_MS / 1000
  return `${name}=${secret ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${isSecure ? '; Secure' : ''}`
}

/** A browser sends cookies by itself, so a change also needs what only our own page knows. */
export function expectCsrf({ cookie }: Identity, header: string | string[] | undefined): void {
  if (cookie === undefined) return
  if (typeof header === 'string' && isSame(header, csrfOf(cookie))) return
  throw refusal('csrf-missing', 'send the "csrf" of GET /api/v1/auth/me in the x-maru-csrf header')
}

export function hasScope({ scopes }: Key, scope: Scope | 'any'): boolean {
  return scope === 'any' || scopes.includes('admin') || scopes.includes(scope)
}

/** Who it was, for the log. A cookie is a browser's; what a program says of itself is believed, as it is only shown. */
export function actorOf(key: Key, said?: string | string[]): Actor {
  const door = key.kind === 'cookie' ? 'web' : fits(SocketDoor, said) ? said : 'api'
  return { kind: 'person', id: key.person.name, door }
}
