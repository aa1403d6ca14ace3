import { createHash } from 'node:crypto'

/** The hash of content, by which it is found again. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
