import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { CliError, usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { writePrivateFile } from '../config/write-file.ts'
import { EXIT } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { ownAddresses, ownNames } from './addresses.ts'
import { makeCertificate } from './certificate.ts'

/** What a server proves itself with; `fingerprint` is what a person can compare. */
export interface Tls {
  key: string
  cert: string
  fingerprint: string
}

export interface TlsWish {
  isWanted: boolean
  cert?: string | undefined
  key?: string | undefined
  /** Names beside the machine's own. */
  names: readonly string[]
}

/** A certificate of the user's own, or one of this machine's, made when there is none that is good; nothing without TLS. */
export async function openTls(invocation: Invocation, wish: TlsWish): Promise<Tls | undefined> {
  const { cwd, home, t } = invocation
  if ((wish.cert === undefined) !== (wish.key === undefined)) throw usageError(t('serve.cert-and-key'))
  if (wish.cert !== undefined && wish.key !== undefined) {
    return readGiven({ cert: resolve(cwd, wish.cert), key: resolve(cwd, wish.key) }, invocation)
  }
  return wish.isWanted ? openOwn(home, wish.names, Date.now()) : undefined
}

const DAY = 86_400_000
// Longer than this some systems take from nobody.
const LASTS = 397 * DAY
const RENEWED_BEFORE = 30 * DAY

/** The certificate of this machine; made anew before it ends, and when it lacks a name or an address. */
export async function openOwn(home: string, more: readonly string[], now: number): Promise<Tls> {
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...ownNames(), ...ownAddresses(), ...more])]
  const files = { cert: join(home, 'tls', 'cert.pem'), key: join(home, 'tls', 'key.pem') }
  const known = readPair(files)
  if (known && isGood(known.cert, names, now)) return withFingerprint(known)
  // A clock that is a little behind must not refuse it.
  const made = makeCertificate({ names, from: now - DAY, until: now + LASTS })
  await writePrivateFile(files.key, made.key)
  await writePrivateFile(files.cert, made.cert)
  return withFingerprint(made)
}

function isGood(pem: string, names: readonly string[], now: number): boolean {
  const certificate = new X509Certificate(pem)
  if (Date.parse(certificate.validTo) < now + RENEWED_BEFORE) return false
  return names.every(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  )
}

function readPair({ cert, key }: { cert: string; key: string }): { cert: string; key: string } | undefined {
  try {
    const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
    return new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)) ? pair : undefined
  } catch {
    // Missing, half written or not a certificate: made anew.
    return undefined
  }
}

function readGiven(files: { cert: string; key: string }, { t }: Invocation): Tls {
  try {
    const pair = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
    if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) {
      throw new CliError('tls', t('serve.wrong-key', { cert: printable(files.cert), key: printable(files.key) }), {
        exit: EXIT.usage,
      })
    }
    return withFingerprint(pair)
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const reason = printable(cause instanceof Error ? cause.message : String(cause))
    const values = { cert: printable(files.cert), key: printable(files.key), reason }
    throw new CliError('tls', t('serve.bad-tls', values), { exit: EXIT.usage, cause })
  }
}

function withFingerprint(pair: { key: string; cert: string }): Tls {
  return { ...pair, fingerprint: new X509Certificate(pair.cert).fingerprint256 }
}
