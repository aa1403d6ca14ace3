import { createHash } from 'node:crypto'
import { fieldsOf, tryParse } from './json.ts'

/**
 * A token that proves its content was sent by a scripted model: signatures, redacted data, encrypted reasoning.
 *
 * It needs no memory, so a conversation can go on with another instance, as it can with a vendor.
 */
export function seal(kind: string, serial: string, content: string): string {
  const mark = digest(content)
  return Buffer.from(JSON.stringify({ kind, serial, mark, proof: digest(kind, serial, mark) })).toString('base64')
}

/** Whether a token is genuine and, as far as given, was made for this content and serial. */
export function isSealed(token: string, kind: string, made: { content?: string; serial?: string } = {}): boolean {
  const text = Buffer.from(token, 'base64').toString()
  const { serial, mark, proof } = fieldsOf(tryParse(text))
  if (typeof serial !== 'string' || typeof mark !== 'string') return false
  if (made.serial !== undefined && made.serial !== serial) return false
  if (made.content !== undefined && digest(made.content) !== mark) return false
  // Base64 forgives stray characters; a vendor's check would not.
  return proof === digest(kind, serial, mark) && Buffer.from(text).toString('base64') === token
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
