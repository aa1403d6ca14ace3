import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

/** Whether only this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Whether it listens on every address that the machine has. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '[::]'
}

/** A name or an address, perhaps with a port: what a browser calls a server by, and nothing of an address beyond that. */
export function isHostName(text: string): boolean {
  if (isIP(text) === 6) return true
  const [, name = '', port = '0'] = /^(\[[^\]]*\]|[\w.-]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const isName = name.startsWith('[') ? isIP(name.slice(1, -1)) === 6 : name !== ''
  return isName && Number(port) <= 65_535
}

/** The addresses by which others on the same network reach this machine; what is bound to one interface is left out. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const usable = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  return usable
    .toSorted((one, other) => Number(one.family === 'IPv6') - Number(other.family === 'IPv6'))
    .map(({ address }) => address)
}

/** Names by which a machine in a home network is called. */
export function ownNames(): string[] {
  const name = hostname().toLowerCase()
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)) return []
  return name.includes('.') ? [name] : [name, `${name}.local`]
}
