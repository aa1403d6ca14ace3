import { BlockList, isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

const IPV4_NOT_PUBLIC: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's agent of the host: an address like any other, but answered by the machine underneath.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

// Only this part of IPv6 is the public internet: whatever wraps an IPv4 address (mapped, compatible, translated, NAT64),
// loopback, unique-local, link-local and multicast lie outside of it.
const IPV6_PUBLIC: [network: string, prefix: number] = ['2000::', 3]

// What lies inside and is still not public: protocol assignments with Teredo, documentation, 6to4.
const IPV6_NOT_PUBLIC: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const publicIpv6 = new BlockList()
publicIpv6.addSubnet(...IPV6_PUBLIC, 'ipv6')
const notPublic = new BlockList()
for (const subnet of IPV4_NOT_PUBLIC) notPublic.addSubnet(...subnet, 'ipv4')
for (const subnet of IPV6_NOT_PUBLIC) notPublic.addSubnet(...subnet, 'ipv6')

/** Whether an address, in any spelling, is one of the public internet. What cannot be read is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4')
    case 6:
      // With a zone it is an address of one network only.
      return !address.includes('%') && publicIpv6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
    default:
      return false
  }
}

// A longer prefix is one household or one rack; a shorter one may be half of a provider.
const NEIGHBOURS_PREFIX = 48

/**
 * Whether an address belongs to this machine, or, for IPv6, to a network that it stands in: there every device of a
 * home or an office has a public address, and no router keeps us from it.
 */
export function isOwnAddress(
  address: string,
  interfaces: NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address' | 'family' | 'cidr'>[]> = networkInterfaces(),
): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const own = new BlockList()
  for (const { address: mine, family: kind, cidr } of Object.values(interfaces).flatMap((list) => list ?? [])) {
    const prefix = Number(cidr?.split('/')[1])
    if (kind === 'IPv4') own.addAddress(mine, 'ipv4')
    else if (prefix >= NEIGHBOURS_PREFIX) own.addSubnet(mine, prefix, 'ipv6')
    else own.addAddress(mine, 'ipv6')
  }
  return own.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
