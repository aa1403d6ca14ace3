import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { makeCertificate } from '../../src/serve/certificate.ts'
import { openOwn } from '../../src/serve/tls.ts'
import { makeDirectory } from '../run.ts'

const DAY = 86_400_000

test('a client that knows the certificate reaches the server under each of its names, and under no other', async () => {
  const names = ['localhost', 'maru.example', '127.0.0.1', '::1', 'fd00::1:2:3']
  const { key, cert } = makeCertificate({ names, from: Date.now() - DAY, until: Date.now() + DAY })
  const server = createServer({ key, cert }, (socket) => socket.end('hello'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const ask = (servername: string, ca?: string) =>
    new Promise<string>((resolve) => {
      const options = { port, host: '127.0.0.1', ...(ca !== undefined && { ca }) }
      // An address is no name to ask for: it is compared with where the socket leads.
      const socket = connect(servername === '127.0.0.1' ? options : { ...options, servername })
      socket.on('data', (data) => resolve(String(data)))
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
  try {
    expect(await ask('localhost', cert)).toBe('hello')
    expect(await ask('maru.example', cert)).toBe('hello')
    expect(await ask('127.0.0.1', cert)).toBe('hello')
    expect(await ask('other.example', cert)).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(await ask('localhost')).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  } finally {
    server.close()
  }
})

test('a certificate says what it is for and for how long', () => {
  const from = Date.UTC(2026, 10, 16)
  const until = Date.UTC(2051, 0, 2, 3, 4, 5)
  const certificate = new X509Certificate(
    makeCertificate({ names: ['a.example', '10.0.0.7', 'fe80::1'], from, until }).cert,
  )
  expect(certificate.subject).toBe('CN=Maru')
  expect(Date.parse(certificate.validFrom)).toBe(from)
  expect(Date.parse(certificate.validTo)).toBe(until)
  expect(certificate.subjectAltName).toBe('DNS:a.example, IP Address:10.0.0.7, IP Address:FE80:0:0:0:0:0:0:1')
  expect(certificate.ca).toBe(false)
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(certificate.verify(certificate.publicKey)).toBe(true)
})

test('the certificate of a machine is kept, private, and made anew before it ends or when a name is new', async () => {
  const home = await makeDirectory()
  const now = Date.now()
  const first = await openOwn(home, [], now)
  expect((await openOwn(home, [], now + 300 * DAY)).fingerprint).toBe(first.fingerprint)
  for (const name of ['cert.pem', 'key.pem']) expect(statSync(join(home, 'tls', name)).mode & 0o777).toBe(0o600)
  const named = await openOwn(home, ['new.example'], now)
  expect(named.fingerprint).not.toBe(first.fingerprint)
  expect((await openOwn(home, ['new.example'], now + 370 * DAY)).fingerprint).not.toBe(named.fingerprint)
})
