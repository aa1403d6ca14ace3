import { isIP } from 'node:net'
import type { Access, Diagnostic } from '@maru/protocol'
import { type AllowedHosts, hostOf } from './allowed-hosts.ts'

/** An address that may be asked for as far as its spelling says. What its name resolves to is judged at the call. */
export interface Target {
  /** In its one spelling: no name of a user, no fragment, no dot after the host. */
  readonly url: URL
  readonly host: string
  readonly port: number
  /** The user has named this host: it may be private. */
  readonly isNamed: boolean
}

export interface TargetRules {
  readonly isNamed: AllowedHosts
  /** Whether an address is one of the public internet. */
  isPublic(address: string): boolean
}

export type Problem = { problem: Diagnostic }

const MAX_URL = 2_000

// Where the web is served. Anything else is another service that would take our request for its own language.
const WEB_PORTS = new Set([80, 443, 8000, 8008, 8080, 8081, 8088, 8443, 8888])

// Names that never lead to a public host; not even a name server shall hear them.
const SPECIAL_NAMES = new Set([
  ...['alt', 'corp', 'example', 'home', 'home.arpa', 'internal', 'intranet', 'invalid', 'lan', 'local', 'localdomain'],
  ...['localhost', 'onion', 'private', 'test'],
])

/** Reads an address as the model or a server wrote it. Pure: nothing is resolved. */
export function readTarget(text: string, rules: TargetRules): Target | Problem {
  const trimmed = text.trim()
  if (trimmed.length > MAX_URL) return badUrl(`The URL is longer than ${MAX_URL} characters.`)
  // The standard drops or bends these, so that an address reads unlike what it is.
  if (/[\p{Cc}\s\\]/u.test(trimmed)) return badUrl('A URL has no spaces, control characters or backslashes.')
  if (!URL.canParse(trimmed)) return badUrl(`"${trimmed}" is no URL.`)
  const url = new URL(trimmed)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return badUrl(`Only http and https can be fetched, not ${url.protocol}//.`)
  }
  if (url.username !== '' || url.password !== '') return badUrl('The URL has a user name or password before its host.')
  const host = hostOf(url)
  // The port goes away with the name unless it is set again.
  const { port: written } = url
  url.hostname = isIP(host) === 6 ? `[${host}]` : host
  url.port = written
  url.hash = ''
  const port = portOf(url)
  const target = { url, host, port, isNamed: rules.isNamed(host, port) }
  return target.isNamed ? target : judge(target, rules)
}

/** What a policy judges: a plain address may send us to its secure twin, so that both are asked for at once. */
export function accessOf({ url, host, port }: Target): Access[] {
  const ports = url.protocol === 'http:' && port === 80 ? [80, 443] : [port]
  return ports.map((each) => ({ kind: 'net', host, port: each }))
}

/** Whether a redirect stays within what was approved. */
export function isCovered(next: Target, approved: Target): boolean {
  if (next.url.protocol === 'http:' && approved.url.protocol === 'https:') return false
  return accessOf(approved).some((access) => {
    return access.kind === 'net' && access.host === next.host && access.port === next.port
  })
}

/** What is said about an address that must not be reached. */
export function refusedAddress(host: string, why: string): Problem {
  const hint =
    'Only the public web can be fetched. The user can allow this host in the settings; do not try to reach it.'
  return { problem: { code: 'refused-address', message: `${host} ${why}.`, hint } }
}

function judge(target: Target, { isPublic }: TargetRules): Target | Problem {
  const { host, port } = target
  if (isIP(host) !== 0) {
    if (!isPublic(host)) return refusedAddress(host, 'is no address of the public internet')
  } else if (!/^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(host)) {
    return badUrl(`"${host}" is no name of a host.`)
  } else if (isLocalName(host)) return refusedAddress(host, 'is a name inside a machine or network')
  if (WEB_PORTS.has(port)) return target
  const hint = `Use one of ${[...WEB_PORTS].join(', ')}, or ask the user to allow ${host}:${port} in the settings.`
  return { problem: { code: 'refused-port', message: `Port ${port} is no port of the web.`, hint } }
}

function isLocalName(host: string): boolean {
  const labels = host.split('.')
  return (
    labels.length === 1 ||
    SPECIAL_NAMES.has(labels.slice(-1).join('.')) ||
    SPECIAL_NAMES.has(labels.slice(-2).join('.'))
  )
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

function badUrl(message: string): Problem {
  const hint = 'Give a whole address such as https://nodejs.org/api/net.html'
  return { problem: { code: 'bad-url', message, hint } }
}
