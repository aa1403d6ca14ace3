import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Names values by a key that only this machine has: a mask means the same after a resume, and nobody who reads a log can
 * find a value by trying.
 */
export function keyedDigest(home: string): (value: string) => string {
  const key = readKey(join(home, 'mask.key'), home)
  return (value) => createHmac('sha256', key).update(value).digest('hex')
}

/** The same for one process, which leaves nothing behind. */
export function passingDigest(): (value: string) => string {
  const key = randomBytes(32)
  return (value) => createHmac('sha256', key).update(value).digest('hex')
}

function readKey(file: string, home: string): Buffer {
  const known = readKnown(file)
  if (known) return known
  const fresh = randomBytes(32)
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeFileSync(file, fresh, { mode: 0o600, flag: 'wx' })
    return fresh
  } catch {
    // Made by another meanwhile; or it cannot be kept, and masks hold for this process alone.
    return readKnown(file) ?? fresh
  }
}

function readKnown(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file)
    return bytes.length === 32 ? bytes : undefined
  } catch {
    return undefined
  }
}
