import { createHash } from 'node:crypto'

/** What git's `index` line says of a file: the names of its content before and after, shortened. */
export interface Blobs {
  readonly old: string
  readonly new: string
}

// Shorter ones name too many texts to prove anything.
const INDEX = /^index ([\da-f]{7,40})\.\.([\da-f]{7,40})(?: \d{6})?$/

export function readIndexLine(line: string): Blobs | undefined {
  const [, old, fresh] = INDEX.exec(line) ?? []
  return old === undefined || fresh === undefined ? undefined : { old, new: fresh }
}

/**
 * Whether git would call this text so, also where it keeps it without the CRs of the work tree. A file that is not UTF-8
 * never is, and then nothing is known.
 */
export function isBlob(text: string, name: string): boolean {
  return (
    nameOf(text).startsWith(name) || (text.includes('\r\n') && nameOf(text.replaceAll('\r\n', '\n')).startsWith(name))
  )
}

function nameOf(text: string): string {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
