import type { BlobStore } from './log.ts'
import { BLOB_THRESHOLD, type Part } from './part.ts'

/** How much of a spilled text stays in the fact, so that a reader need not fetch the blob to see what it is. */
const SHOWN = 1024

/** Moves long content out of the parts into blobs. Do this before the fact that holds them is appended. */
export async function spillParts(parts: Part[], holder: string, blobs: BlobStore): Promise<Part[]> {
  return Promise.all(parts.map((part) => spillPart(part, holder, blobs)))
}

async function spillPart(part: Part, holder: string, blobs: BlobStore): Promise<Part> {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'result':
    case 'context':
      if (part.blob || !isLong(part.text)) return part
      return { ...part, text: beginning(part.text), blob: await blobs.put(holder, part.text) }
    case 'call': {
      const text = JSON.stringify(part.args)
      return part.blob || !isLong(text) ? part : { ...part, args: null, blob: await blobs.put(holder, text) }
    }
    case 'data': {
      const text = JSON.stringify(part.value)
      return part.blob || !isLong(text) ? part : { ...part, value: null, blob: await blobs.put(holder, text) }
    }
    case 'opaque': {
      const text = JSON.stringify(part.data)
      return part.blob || !isLong(text) ? part : { ...part, data: null, blob: await blobs.put(holder, text) }
    }
    case 'image':
    case 'file':
      return part
    default:
      return part satisfies never
  }
}

function isLong(text: string): boolean {
  return text.length * 3 > BLOB_THRESHOLD && new TextEncoder().encode(text).length > BLOB_THRESHOLD
}

function beginning(text: string): string {
  const cut = text.slice(0, SHOWN)
  // Half of a surrogate pair is not a character.
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}
