import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw, type ZlibOptions } from 'node:zlib'
import type { Hash } from '@maru/protocol'

// Contents are pressed together: many small files are neither small nor quick one by one.
export interface Chunk {
  readonly file: string
  readonly at: number
  readonly packed: number
  readonly length: number
}
/** Where in a chunk a content is. */
export interface Piece {
  readonly chunk: Chunk
  readonly start: number
  readonly length: number
}

const press: Press = (...args) => promisify(deflateRaw)(...args)
const unpress: Press = (...args) => promisify(inflateRaw)(...args)

type Press = (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer>

/** Where everything is that was stored so far. */
export async function readIndexes(directory: string): Promise<Map<Hash, Piece>> {
  const pieces = new Map<Hash, Piece>()
  for (const name of readdirSync(directory)) {
    if (!name.endsWith('.index')) continue
    const file = name.replace(/index$/, 'pack')
    for (const line of readIndex(join(directory, name)).split('\n')) addLine(pieces, file, line)
  }
  return pieces
}

// Swept away since its name was read: what was needed of it is in another.
function readIndex(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

// A line that was torn by a kill or a full disk names nothing that anyone was promised.
function addLine(pieces: Map<Hash, Piece>, file: string, line: string): void {
  if (!line.endsWith(']')) return
  const [at, packed, length, ...listed] = JSON.parse(line) as (number | string)[]
  const chunk = { file, at: Number(at), packed: Number(packed), length: Number(length) }
  let start = 0
  for (let next = 0; next + 1 < listed.length; next += 2) {
    const size = Number(listed[next + 1])
    pieces.set(String(listed[next]), { chunk, start, length: size })
    start += size
  }
}

/** Writes chunks, one after the other. */
export function createWriter(directory: string) {
  let name = ''
  let files: { pack: FileHandle; index: FileHandle } | undefined
  let at = 0
  let last: Promise<unknown> = Promise.resolve()
  const close = async () => {
    await files?.pack.close()
    await files?.index.close()
    files = undefined
  }
  const openFiles = async () => {
    name = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`
    at = 0
    const pack = await open(join(directory, `${name}.pack`), 'ax', 0o600)
    return { pack, index: await open(join(directory, `${name}.index`), 'ax', 0o600) }
  }
  const append = async (contents: ReadonlyMap<Hash, Uint8Array>, packed: Buffer, length: number) => {
    try {
      files ??= await openFiles()
      const chunk = { file: `${name}.pack`, at, packed: packed.length, length }
      const listed = [...contents].flatMap(([hash, bytes]) => [hash, bytes.length])
      await files.pack.appendFile(packed)
      await files.index.appendFile(`${JSON.stringify([chunk.at, chunk.packed, length, ...listed])}\n`)
      at += packed.length
      return piecesOf(contents, chunk)
    } catch (error) {
      // Half of it may be there: what comes next goes into files of its own.
      await close()
      throw error
    }
  }
  return {
    async write(contents: ReadonlyMap<Hash, Uint8Array>): Promise<Map<Hash, Piece>> {
      const whole = Buffer.concat([...contents.values()])
      const packed = await press(whole, { level: 1 })
      const appended = last.then(() => append(contents, packed, whole.length))
      last = appended.catch(() => {})
      return appended
    },
    async close() {
      await last
      await close()
    },
  }
}

function piecesOf(contents: ReadonlyMap<Hash, Uint8Array>, chunk: Chunk): Map<Hash, Piece> {
  const pieces = new Map<Hash, Piece>()
  let start = 0
  for (const [hash, { length }] of contents) {
    pieces.set(hash, { chunk, start, length })
    start += length
  }
  return pieces
}

/** Reads chunks. */
export function createReader(directory: string) {
  // Neighbours are read one after the other: trees, and the files of one directory.
  let latest: { chunk: Chunk; bytes: Buffer } | undefined
  return async (chunk: Chunk): Promise<Buffer | undefined> => {
    if (latest?.chunk === chunk) return latest.bytes
    const packed = await readRange(join(directory, chunk.file), chunk)
    const bytes =
      packed && (await unpress(packed, { maxOutputLength: Math.max(chunk.length, 1) }).catch(() => undefined))
    if (bytes !== undefined) latest = { chunk, bytes }
    return bytes
  }
}

async function readRange(path: string, { at, packed }: Chunk): Promise<Buffer | undefined> {
  const handle = await open(path, 'r').catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(packed), 0, packed, at)
    return bytesRead === packed ? buffer : undefined
  } finally {
    await handle.close()
  }
}
