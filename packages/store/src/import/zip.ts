import type { FileHandle } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

/** A file inside a zip archive. */
export interface ZipMember {
  name: string
  /** Bytes when unpacked. */
  size: number
  packedSize: number
  method: number
  /** Where its own header begins. */
  offset: number
}

/** Why an archive cannot be read. */
export class ZipError extends Error {
  override readonly name = 'ZipError'
}

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const FULL_32 = 0xffffffff
const FULL_16 = 0xffff
// The end of the directory, and the longest comment that may stand behind it.
const TAIL = 22 + 65_535
const MOST_DIRECTORY = 256 * 1024 * 1024

/** What is in a zip archive, by the directory at its end. */
export async function listZip(file: FileHandle): Promise<ZipMember[]> {
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - TAIL), Math.min(size, TAIL))
  let at = tail.length - 22
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--
  if (at < 0) throw new ZipError('it has no directory: it is cut off, or no zip archive')
  const place = await findDirectory(file, tail, { at, base: size - tail.length })
  if (place.offset + place.bytes > size || place.bytes > MOST_DIRECTORY) throw new ZipError('its directory is damaged')
  return parseDirectory(await readAt(file, place.offset, place.bytes), place.count)
}

interface Directory {
  count: number
  bytes: number
  offset: number
}

async function findDirectory(
  file: FileHandle,
  tail: Buffer,
  { at, base }: { at: number; base: number },
): Promise<Directory> {
  const found = {
    count: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  }
  const isFull = found.count === FULL_16 || found.bytes === FULL_32 || found.offset === FULL_32
  if (!isFull || base + at < 20) return found
  const locator = await readAt(file, base + at - 20, 20)
  if (locator.readUInt32LE(0) !== LOCATOR_64) return found
  const end = await readAt(file, toNumber(locator.readBigUInt64LE(8)), 56)
  if (end.readUInt32LE(0) !== END_64) throw new ZipError('its directory is damaged')
  return {
    count: toNumber(end.readBigUInt64LE(32)),
    bytes: toNumber(end.readBigUInt64LE(40)),
    offset: toNumber(end.readBigUInt64LE(48)),
  }
}

function parseDirectory(bytes: Buffer, count: number): ZipMember[] {
  const members: ZipMember[] = []
  let at = 0
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw new ZipError('its directory is damaged')
    const [names, extras, comments] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ]
    const end = at + 46 + names + extras + comments
    if (end > bytes.length) throw new ZipError('its directory is damaged')
    const member = {
      name: bytes.toString('utf8', at + 46, at + 46 + names),
      method: bytes.readUInt16LE(at + 10),
      packedSize: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    }
    if ((bytes.readUInt16LE(at + 8) & 1) !== 0) throw new ZipError(`${member.name} is encrypted`)
    members.push(widen(member, bytes.subarray(at + 46 + names, at + 46 + names + extras)))
    at = end
  }
  return members
}

// What does not fit into 32 bits stands in an extra field, in this order and only where it is needed.
function widen(member: ZipMember, extras: Buffer): ZipMember {
  const wide = { ...member }
  for (let at = 0; at + 4 <= extras.length; at += 4 + extras.readUInt16LE(at + 2)) {
    if (extras.readUInt16LE(at) !== 1) continue
    const field = extras.subarray(at + 4, at + 4 + extras.readUInt16LE(at + 2))
    let place = 0
    for (const name of ['size', 'packedSize', 'offset'] as const) {
      if (member[name] !== FULL_32 || place + 8 > field.length) continue
      wide[name] = toNumber(field.readBigUInt64LE(place))
      place += 8
    }
  }
  return wide
}

const CHUNK = 256 * 1024

/** The bytes of a member, unpacked as they are asked for. */
export async function* readMember(file: FileHandle, member: ZipMember): AsyncGenerator<Uint8Array, void> {
  const local = await readAt(file, member.offset, 30)
  if (local.readUInt32LE(0) !== LOCAL) throw new ZipError(`${member.name} is not where the directory says`)
  const start = member.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  const packed = readRange(file, start, member.packedSize)
  if (member.method === 0) yield* packed
  else if (member.method === 8) yield* inflate(packed, member.name)
  else throw new ZipError(`${member.name} is packed in a way that is not known (${member.method})`)
}

async function* readRange(file: FileHandle, start: number, length: number): AsyncGenerator<Uint8Array, void> {
  for (let done = 0; done < length; ) {
    const chunk = await readAt(file, start + done, Math.min(CHUNK, length - done))
    yield chunk
    done += chunk.length
  }
}

async function* inflate(packed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void> {
  const inflater = createInflateRaw()
  const feed = async () => {
    for await (const chunk of packed) {
      if (inflater.destroyed) return
      if (!inflater.write(chunk)) await drained(inflater)
    }
    inflater.end()
  }
  // A failure to read ends the reading side as well, which tells of it.
  void feed().catch((error: unknown) => inflater.destroy(error as Error))
  try {
    for await (const chunk of inflater) yield chunk as Uint8Array
  } catch (error) {
    throw error instanceof ZipError ? error : new ZipError(`${name} cannot be unpacked: ${(error as Error).message}`)
  }
}

// Both are let go of together: one would be left behind for every chunk.
function drained(stream: Transform): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done)
    if (bytesRead === 0) throw new ZipError('it is cut off')
    done += bytesRead
  }
  return buffer
}

function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipError('its directory is damaged')
  return Number(value)
}
