import { createHash } from 'node:crypto'
import type { Hash } from '@maru/protocol'

/** SHA-256 of bytes, or of a text's UTF-8. */
export function hashOf(content: Uint8Array | string): Hash {
  return createHash('sha256').update(content).digest('hex')
}

/** What stands for a file that is not there. No file has these bytes but one that sets out to. */
export const ABSENT: Hash = hashOf('maru: there is no such file')
