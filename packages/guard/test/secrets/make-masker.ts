import { createHash } from 'node:crypto'
import { createMasker, type Masker, type MaskerOptions } from '../../src/secrets/masker.ts'

/** A masker whose names of values are the same in every run. */
export function makeMasker(options: Partial<MaskerOptions> = {}): Masker {
  const digest = (value: string) => createHash('sha256').update(`a key of the test ${value}`).digest('hex')
  return createMasker({ digest, isContactSecret: true, ...options })
}
