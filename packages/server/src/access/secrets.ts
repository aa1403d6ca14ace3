import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** A new secret of 256 bits. */
export function newSecret(prefix = 'maru'): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** Eight digits, to be typed on a phone. */
export function newCode(): string {
  return String(randomInt(100_000_000)).padStart(8, '0')
}

/** What is stored of a secret, and by which it is found: looking up a hash tells nothing by the time it takes. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** What a page with this cookie sends back with each change. It follows from the cookie, which no page can read. */
export function csrfOf(cookie: string): string {
  return createHash('sha256').update(`csrf ${cookie}`).digest('base64url')
}

export function isSame(given: string, wanted: string): boolean {
  const [one, other] = [hashSecret(given), hashSecret(wanted)]
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
