import type { Chunking } from './script.ts'
import type { Frame } from './sse.ts'

/** Bytes to write at once, and the pause after them. */
export type Chunk = { readonly bytes: Buffer; readonly pauseMs: number }

const batchBytes = 32_768

/** Groups frames into chunks; a pause after a delta sends what is waiting first. */
export function* chunkFrames(frames: Iterable<Frame>, chunk: Chunking, deltaDelayMs: number): Generator<Chunk> {
  const flushAt = chunk === 'none' ? batchBytes : chunk === 'every-event' ? 0 : Number.POSITIVE_INFINITY
  const size = sizeOf(chunk)
  let waiting: string[] = []
  let length = 0
  let rest: Buffer = Buffer.alloc(0)

  function* flush(pauseMs: number): Generator<Chunk> {
    rest = Buffer.concat([rest, Buffer.from(waiting.join(''))])
    waiting = []
    length = 0
    yield* slice(rest, size, pauseMs)
    rest = Buffer.alloc(0)
  }

  for (const { text, isDelta } of frames) {
    waiting.push(text)
    length += text.length
    const pauseMs = isDelta ? deltaDelayMs : 0
    if (pauseMs > 0 || length >= flushAt) yield* flush(pauseMs)
    else if (size !== undefined && length >= size) {
      const ready = Buffer.concat([rest, Buffer.from(waiting.join(''))])
      const whole = ready.length - (ready.length % size)
      yield* slice(ready.subarray(0, whole), size, 0)
      rest = ready.subarray(whole)
      waiting = []
      length = 0
    }
  }
  yield* flush(0)
}

/** Cuts bytes as they are, with the same pause after each chunk. */
export function* chunkBytes(bytes: Buffer, chunk: Chunking, pauseMs: number): Generator<Chunk> {
  const size = sizeOf(chunk) ?? bytes.length
  for (let at = 0; at < bytes.length; at += size) yield { bytes: bytes.subarray(at, at + size), pauseMs }
}

/** Drops what comes after a byte. */
export function* cutChunks(chunks: Iterable<Chunk>, afterBytes: number): Generator<Chunk> {
  let left = afterBytes
  for (const chunk of chunks) {
    if (left <= 0) return
    yield chunk.bytes.length <= left ? chunk : { bytes: chunk.bytes.subarray(0, left), pauseMs: 0 }
    left -= chunk.bytes.length
  }
}

function sizeOf(chunk: Chunking): number | undefined {
  if (chunk === 'every-byte') return 1
  return typeof chunk === 'number' ? chunk : undefined
}

/** Chunks of a size, the pause after the last. */
function* slice(bytes: Buffer, size: number | undefined, pauseMs: number): Generator<Chunk> {
  if (bytes.length === 0) return
  const step = size ?? bytes.length
  for (let at = 0; at < bytes.length; at += step) {
    const isLast = at + step >= bytes.length
    yield { bytes: bytes.subarray(at, at + step), pauseMs: isLast ? pauseMs : 0 }
  }
}
