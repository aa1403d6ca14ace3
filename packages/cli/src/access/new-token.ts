import { createHash, randomBytes } from 'node:crypto'

/** A new token, to be shown once, and what is stored of it. */
export function newToken(): { token: string; hash: string } {
  const token = `maru_${randomBytes(32).toString('base64url')}`
  return { token, hash: createHash('sha256').update(token).digest('hex') }
}
