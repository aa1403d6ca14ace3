import { isIP } from 'node:net'

export interface HostName {
  /** In lower case; an IPv6 address without its brackets. */
  name: string
  port: number | undefined
}

/** Reads a Host header, or an entry of the configuration. Nothing for what is not a plain host with perhaps a port. */
export function parseHost(text: string): HostName | undefined {
  const [, six, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([a-zA-Z0-9_.-]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const name = (six ?? plain)?.toLowerCase()
  if (name === undefined || (six !== undefined && isIP(six) !== 6)) return undefined
  const port = digits === undefined ? undefined : Number(digits)
  return port !== undefined && port > 65_535 ? undefined : { name, port }
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '::1']

export interface HostRules {
  host: string
  allowedHosts: readonly string[]
}

/** Where a connection arrived. */
export interface Arrival {
  localAddress: string | undefined
  localPort: number
  isSecure: boolean
}

/**
 * Whether a request may call us by this name. A page elsewhere can make its own name point here (DNS rebinding), and only
 * the Host header tells: so we answer to names that were configured, and to addresses that are really ours.
 */
export function createHostCheck({ host, allowedHosts }: HostRules) {
  const own = parseHost(isIP(host) === 6 ? `[${host}]` : host)?.name
  const allowed = allowedHosts.flatMap((entry) => parseHost(entry) ?? [])
  return (header: string | undefined, { localAddress, localPort, isSecure }: Arrival): boolean => {
    const asked = parseHost(header ?? '')
    if (!asked) return false
    const standard = isSecure ? 443 : 80
    const port = asked.port ?? standard
    const isConfigured = allowed.some(
      (entry) =>
        entry.name === asked.name &&
        (entry.port === undefined ? port === localPort || port === standard : entry.port === port),
    )
    if (isConfigured) return true
    if (port !== localPort) return false
    const isName = LOOPBACK.includes(asked.name) || asked.name === own
    return isName || (isIP(asked.name) !== 0 && asked.name === plainAddress(localAddress ?? ''))
  }
}

/** An IPv4 address as such, also where it came through an IPv6 socket. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').toLowerCase()
}

export function isLoopback(address: string): boolean {
  const plain = plainAddress(address)
  return plain === '::1' || plain.startsWith('127.')
}

/** Whom an address belongs to: of IPv6, everybody has a whole network (64 bits) to themselves. */
export function networkOf(address: string): string {
  const [plain = ''] = plainAddress(address).split('%')
  if (isIP(plain) !== 6) return plain
  const [front = '', back] = plain.split('::')
  const groups = front === '' ? [] : front.split(':')
  const missing = back === undefined ? 0 : 8 - groups.length - back.split(':').length
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(back?.split(':') ?? [])]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::`
}
