import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { bits, integer, moment, name, octets, sequence, set, tagged, text, yes } from './der.ts'

export interface CertificateWish {
  /** Names and addresses under which the server is reached. */
  names: readonly string[]
  from: number
  until: number
}

/** A key and a certificate that it signed for itself: EC P-256, as PEM. */
export function makeCertificate({ names, from, until }: CertificateWish): { key: string; cert: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = sequence(set(sequence(name('2.5.4.3'), text('Maru'))))
  const content = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(serialNumber()),
    ECDSA_SHA256,
    subject,
    sequence(moment(from), moment(until)),
    subject,
    createPublicKey(privateKey).export({ format: 'der', type: 'spki' }),
    tagged(0xa3, sequence(...extensions(names))),
  )
  const certificate = sequence(content, ECDSA_SHA256, bits(sign('sha256', content, privateKey)))
  return { key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), cert: toPem(certificate) }
}

const ECDSA_SHA256 = sequence(name('1.2.840.10045.4.3.2'))

function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes.writeUInt8(0x40 | (bytes.readUInt8(0) & 0x3f), 0)
  return bytes
}

// It speaks for a server and for nothing else: no certificate signed by its key is worth anything.
function extensions(names: readonly string[]): Buffer[] {
  return [
    sequence(name('2.5.29.19'), yes, octets(sequence())),
    sequence(name('2.5.29.15'), yes, octets(bits(Buffer.of(0x80), 7))),
    sequence(name('2.5.29.37'), octets(sequence(name('1.3.6.1.5.5.7.3.1')))),
    sequence(name('2.5.29.17'), octets(sequence(...names.map(alternative)))),
  ]
}

function alternative(one: string): Buffer {
  return isIP(one) === 0 ? tagged(0x82, Buffer.from(one, 'latin1')) : tagged(0x87, addressBytes(one))
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail] = address.split('::')
  const before = groups(head)
  const behind = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => 0)
  return Buffer.from([...before, ...zeros, ...behind].flatMap((group) => [group >> 8, group & 0xff]))
}

function groups(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
