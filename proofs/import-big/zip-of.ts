import { crc32, createDeflateRaw } from 'node:zlib'

/** A zip archive with one member, as it is packed: sizes stand behind it, as in archives that are written in one go. */
export async function* zipOf(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const label = Buffer.from(name)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  // Sizes are told behind the content, and the name is UTF-8.
  common.writeUInt16LE(0x0808, 2)
  common.writeUInt16LE(8, 4)
  common.writeUInt16LE(label.length, 22)
  yield Buffer.concat([Buffer.from('PK\x03\x04'), common, label])
  const sums = { crc: 0, packed: 0, size: 0 }
  const deflate = createDeflateRaw({ level: 1 })
  const feed = async () => {
    for await (const chunk of content) {
      sums.crc = crc32(chunk, sums.crc)
      sums.size += chunk.length
      if (!deflate.write(chunk)) await new Promise((resolve) => deflate.once('drain', resolve))
    }
    deflate.end()
  }
  const feeding = feed().catch((error: Error) => deflate.destroy(error))
  for await (const chunk of deflate) {
    const packed = chunk as Buffer
    sums.packed += packed.length
    yield packed
  }
  await feeding
  const told = Buffer.alloc(12)
  told.writeUInt32LE(sums.crc, 0)
  told.writeUInt32LE(sums.packed, 4)
  told.writeUInt32LE(sums.size, 8)
  yield Buffer.concat([Buffer.from('PK\x07\x08'), told])
  told.copy(common, 10)
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), label])
  const start = 30 + label.length + sums.packed + 16
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(entry.length, 8)
  end.writeUInt32LE(start, 12)
  yield Buffer.concat([entry, Buffer.from('PK\x05\x06'), end])
}
