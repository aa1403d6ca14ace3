import { isIP } from 'node:net'
import { isOwnAddress, isPublicAddress } from '../web/public-address.ts'

/** What a command asks to be joined with. */
export interface Wanted {
  readonly host: string
  readonly port: number
}

/** Reads `host:port` as a client writes it; nothing that could mean two things. */
export function readAuthority(text: string, defaultPort?: number): Wanted | undefined {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = (bracketed ?? plain ?? '').toLowerCase().replace(/\.$/, '')
  const number = port === undefined ? defaultPort : Number(port)
  if (number === undefined || number < 1 || number > 65_535) return undefined
  if (bracketed !== undefined ? isIP(host) !== 6 : !isHostName(host)) return undefined
  return { host, port: number }
}

// A NUL or a blank would end the name for a resolver and not for us; digits alone are an address in disguise.
function isHostName(host: string): boolean {
  if (isIP(host) === 4) return true
  return /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(host) && !/(^|\.)(0x[0-9a-f]*|\d+)$/.test(host)
}

/** How a host is allowed: by its own name, or only by that of a domain above it. No entry, no host. */
export function allowanceOf({ host, port }: Wanted, hosts: readonly string[]): 'literal' | 'domain' | undefined {
  let found: 'literal' | 'domain' | undefined
  for (const entry of hosts) {
    const isDomain = entry.startsWith('*.')
    const read = readAuthority(isDomain ? entry.slice(2) : entry, port)
    if (!read || read.port !== port) continue
    if (!isDomain && read.host === host) return 'literal'
    if (isDomain && host.endsWith(`.${read.host}`)) found = 'domain'
  }
  return found
}

/** The addresses of a host that may be gone to. `judge` stands in for the machine's own addresses in tests. */
export function allowedAddresses(
  { host }: Wanted,
  allowance: 'literal' | 'domain',
  { addresses, isOwn = isOwnAddress }: { addresses: readonly string[]; isOwn?: (address: string) => boolean },
): string[] {
  return addresses.filter((address) => {
    if (isPublicAddress(address)) return !isOwn(address)
    if (allowance !== 'literal') return false
    // Who names an address or this machine means it. Who names a host of the company's network means that, but neither
    // this machine nor the one that gives out its keys.
    return isIP(host) !== 0 || /^(.+\.)?localhost$/.test(host) || !(isThisMachine(address) || isOwn(address))
  })
}

function isThisMachine(address: string): boolean {
  const mapped = address.toLowerCase().replace(/^::ffff:/, '')
  return (
    /^(127\.|0\.|169\.254\.|168\.63\.129\.16$)/.test(mapped) ||
    /^(::1?$|fe[89ab])/.test(mapped) ||
    mapped === 'fd00:ec2::254'
  )
}
