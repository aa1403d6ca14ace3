import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { ServerOptions } from '../ports.ts'
import { hashSecret, newCode, newSecret } from './secrets.ts'

const LINK_MS = 24 * 3_600_000
const PAIRING_MS = 5 * 60_000

/** A server's own address, without a slash at its end. */
export function urlOf(host: string, port: number, isSecure: boolean): string {
  const name = isIP(host) === 6 ? `[${host}]` : host
  return new URL(`${isSecure ? 'https' : 'http'}://${name}:${port}`).origin
}

/** What lets the owner in: links for the browser here, codes for a phone. Secrets stand in the fragment, which is never sent. */
export function createInvitations({ access, owner, host, tls, now }: ServerOptions, port: number) {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const url = urlOf(isEverywhere ? '127.0.0.1' : host, port, tls !== undefined)
  return {
    url,
    async makeLink(): Promise<string> {
      const token = newSecret('link')
      await access.addOneTime({ kind: 'link', owner: owner.id, hash: hashSecret(token), expiresAt: now() + LINK_MS })
      return `${url}/#token=${token}`
    },
    async makePairing(): Promise<{ code: string; link: string }> {
      const code = newCode()
      await access.addOneTime({ kind: 'pair', owner: owner.id, hash: hashSecret(code), expiresAt: now() + PAIRING_MS })
      const outside = isEverywhere ? urlOf(findLocalAddress() ?? '127.0.0.1', port, tls !== undefined) : url
      return { code, link: `${outside}/#code=${code}` }
    },
  }
}

// By which a phone in the same network reaches this machine.
function findLocalAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}
