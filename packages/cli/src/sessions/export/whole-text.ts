import type { BlobRef } from '@maru/protocol'
import { printable } from '../../terminal/printable.ts'
import type { ExportSource } from './exported.ts'

const PIECE_BYTES = 64 * 1024

/** A text in pieces; where it was too long for its fact, from where the whole of it is kept. Each piece is whole characters. */
export async function* wholeText(
  { text, blob }: { text: string; blob?: BlobRef },
  source: Pick<ExportSource, 'blobs' | 'id'>,
): AsyncGenerator<string, void> {
  if (!blob) {
    yield text
    return
  }
  const decoder = new TextDecoder()
  let isThere = false
  for await (const bytes of readBlob(blob, source, PIECE_BYTES)) {
    isThere = true
    yield decoder.decode(bytes, { stream: true })
  }
  const rest = decoder.decode()
  // Erased, or lost: then what stands in the fact is all there is.
  if (!isThere && blob.bytes > 0) yield text
  else if (rest !== '') yield rest
}

/** The bytes of a blob, piece by piece; nothing where it is gone. */
export async function* readBlob(
  { hash, bytes }: BlobRef,
  { blobs, id }: Pick<ExportSource, 'blobs' | 'id'>,
  pieceBytes: number,
): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < bytes; start += pieceBytes) {
    const piece = await blobs.get(id, hash, { start, end: start + pieceBytes })
    if (!piece) return
    yield piece
  }
}

/** The same text with plain line ends and nothing in it that a terminal or a page would take for an order. */
export async function* cleanText(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let held = ''
  for await (const piece of pieces) {
    const text = held + piece
    // A line end may be cut in two.
    held = text.endsWith('\r') ? '\r' : ''
    yield printable(text.slice(0, text.length - held.length).replaceAll('\r\n', '\n'), { keepLines: true })
  }
  if (held !== '') yield printable(held)
}
