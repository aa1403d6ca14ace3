import { isIPv4 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOwnAddress, isPublicAddress } from '../../src/web/public-address.ts'

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

describe('isPublicAddress', () => {
  test.each([
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.0',
      '100.127.255.255',
      '100.100.100.200',
      '127.0.0.1',
      '127.255.0.9',
    ],
    ...['168.63.129.16', '169.254.169.254', '172.16.0.0', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1'],
    ...['192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250'],
    ...['240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::a9fe:a9fe'],
    ...[
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:0:1234::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
    ],
    ...[
      '2002:808:808::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      '5f00::1',
      '4000::1',
      '0:0:0:0:0:0:0:1',
    ],
    // Not one address of one host.
    ...['fe80::1%eth0', '2606:4700::1%eth0', 'localhost', '127.1', '2130706433', '', '[::1]', '1.2.3.4/32'],
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

  test.each([
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '93.184.216.34',
      '100.63.255.255',
      '100.128.0.0',
      '128.0.0.1',
    ],
    ...[
      '168.63.129.15',
      '168.63.129.17',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.1',
    ],
    ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ...['2606:4700::1', '2001:4860:4860::8888', '2001:200::1', '2003::1', '2a00:1450::1', '3ffe::1'],
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  test('every address of a private IPv4 network is refused, and its spellings within IPv6 as well', () => {
    const networks: [string, number][] = [
      ...[
        ['0.0.0.0', 8],
        ['10.0.0.0', 8],
        ['100.64.0.0', 10],
        ['127.0.0.0', 8],
        ['169.254.0.0', 16],
      ],
      ...[
        ['172.16.0.0', 12],
        ['192.168.0.0', 16],
        ['224.0.0.0', 4],
        ['240.0.0.0', 4],
      ],
    ] as [string, number][]
    const address = fc.tuple(fc.constantFrom(...networks), fc.nat(0xffffffff)).map(([[network, prefix], random]) => {
      const host = random % 2 ** (32 - prefix)
      const value = numberOf(network) + host
      return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
    })
    fc.assert(
      fc.property(address, (ip) => {
        expect(isIPv4(ip)).toBe(true)
        const hex = numberOf(ip).toString(16).padStart(8, '0')
        const words = `${hex.slice(0, 4)}:${hex.slice(4)}`
        const wrapped = [
          `::ffff:${ip}`,
          `::ffff:${words}`,
          `::${words}`,
          `::ffff:0:${words}`,
          `64:ff9b::${words}`,
          `2002:${words}::1`,
        ]
        for (const each of [ip, ...wrapped]) expect(isPublicAddress(each), each).toBe(false)
      }),
    )
  })
})

describe('isOwnAddress', () => {
  const interfaces = {
    eth0: [
      { address: '52.1.2.3', family: 'IPv4' as const, cidr: '52.1.2.3/20' },
      { address: '2606:4700:1:2::9', family: 'IPv6' as const, cidr: '2606:4700:1:2::9/64' },
    ],
    tun0: [{ address: '2a00:1::7', family: 'IPv6' as const, cidr: '2a00:1::7/16' }],
  }

  test('is the machine itself and the IPv6 network that it stands in', () => {
    const own = ['52.1.2.3', '2606:4700:1:2::9', '2606:4700:1:2:aaaa::1', '2a00:1::7']
    const others = ['52.1.2.4', '2606:4700:1:3::9', '2a00:1::8', 'nonsense']
    expect(own.filter((address) => isOwnAddress(address, interfaces))).toEqual(own)
    expect(others.filter((address) => isOwnAddress(address, interfaces))).toEqual([])
  })
})
