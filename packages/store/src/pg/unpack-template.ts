import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'

const BLOCK = 512

/**
 * Writes a packed data directory to the disk. PGlite can read one itself, but holds it several times over in memory that it
 * never gives back.
 */
export function unpackTemplate(packed: Uint8Array, into: string): void {
  const tar = gunzipSync(packed)
  mkdirSync(into, { recursive: true, mode: 0o700 })
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const { path, size, isDirectory } = readHeader(tar.subarray(at, at + BLOCK))
    const target = join(into, path)
    if (target !== into && !target.startsWith(into + sep)) throw new Error(`the template holds ${path}`)
    mkdirSync(isDirectory ? target : dirname(target), { recursive: true, mode: 0o700 })
    if (!isDirectory) writeFileSync(target, tar.subarray(at + BLOCK, at + BLOCK + size), { mode: 0o600 })
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

function readHeader(header: Buffer): { path: string; size: number; isDirectory: boolean } {
  const text = (from: number, length: number) => header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const [name, prefix, kind] = [text(0, 100), text(345, 155), text(156, 1)]
  const size = Number.parseInt(text(124, 12).trim() || '0', 8)
  if (Number.isNaN(size) || !['', '0', '5'].includes(kind)) throw new Error('the template is damaged')
  return { path: prefix === '' ? name : `${prefix}/${name}`, size, isDirectory: kind === '5' }
}
