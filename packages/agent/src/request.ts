import type { BlobRef, BlobStore, Json, ModelMessage, ModelPart, Part } from '@maru/protocol'
import type { ContextState } from './context/context.ts'

/** The context as messages for a model, with content in place of blobs. */
export async function toModelMessages(
  { messages }: ContextState,
  holder: string,
  blobs: BlobStore,
): Promise<ModelMessage[]> {
  const load = async (ref: BlobRef) => {
    const bytes = await blobs.get(holder, ref.hash)
    // Erased meanwhile. The model is told; the session goes on.
    return bytes ?? new TextEncoder().encode(MISSING)
  }
  const whole: ModelMessage[] = []
  for (const { role, parts } of messages) {
    const said: ModelPart[] = []
    // Most parts are here whole, and waiting for each would take longer than all else.
    for (const part of parts) {
      const plain = plainPart(part)
      if (plain) said.push(plain)
      else said.push(...(await toModelPart(part, load)))
    }
    whole.push({ role, parts: mergeImages(said) })
  }
  return whole
}

function plainPart(part: Part): ModelPart | undefined {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.blob ? undefined : { type: part.type, text: part.text }
    case 'call': {
      const { callId, vendorId, tool, args } = part
      if (part.blob) return undefined
      return { type: 'call', callId, ...(vendorId !== undefined && { vendorId }), tool: vendorName(tool), args }
    }
    case 'result':
      return part.blob ? undefined : { type: 'result', callId: part.callId, ok: part.ok, text: part.text }
    default:
      return undefined
  }
}

const MISSING = '"[This content was erased.]"'

// What vendors accept as the name of a tool, whatever the model made up.
const vendorName = (tool: string) => tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown'

type Load = (ref: BlobRef) => Promise<Uint8Array>

async function toModelPart(part: Part, load: Load): Promise<ModelPart[]> {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: await whole(part, load) }]
    case 'call': {
      const { callId, vendorId, tool } = part
      const args = part.blob ? (JSON.parse(await read(part.blob, load)) as Json) : part.args
      return [{ type: 'call', callId, ...(vendorId !== undefined && { vendorId }), tool: vendorName(tool), args }]
    }
    case 'result':
      return [{ type: 'result', callId: part.callId, ok: part.ok, text: await whole(part, load) }]
    case 'image':
      return [{ type: 'image', mediaType: part.mediaType, data: toBase64(await load(part.blob)) }]
    case 'file':
      return [{ type: 'text', text: `[attached: ${part.name}, ${part.mediaType}, ${part.blob.bytes} bytes]` }]
    case 'data':
      return [{ type: 'text', text: part.blob ? await read(part.blob, load) : JSON.stringify(part.value) }]
    case 'context':
      // Marked as what it is: a page or a foreign tool must not speak with the user's voice.
      return [
        {
          type: 'text',
          text: `<from source=${JSON.stringify(part.source)}>\n${inside(await whole(part, load))}\n</from>`,
        },
      ]
    case 'opaque': {
      const data = part.blob ? (JSON.parse(await read(part.blob, load)) as Json) : part.data
      return [{ type: 'opaque', vendor: part.vendor, data }]
    }
    default:
      return part satisfies never
  }
}

// It must not be able to end its own mark.
const inside = (text: string) => text.replaceAll('</from', '<\\/from')

// An image behind a result belongs to it.
function mergeImages(parts: ModelPart[]): ModelPart[] {
  const merged: ModelPart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.type === 'image' && last?.type === 'result') {
      last.images = [...(last.images ?? []), { mediaType: part.mediaType, data: part.data }]
    } else merged.push(part)
  }
  return merged
}

async function whole(part: { text: string; blob?: BlobRef }, load: Load): Promise<string> {
  return part.blob ? read(part.blob, load) : part.text
}

async function read(ref: BlobRef, load: Load): Promise<string> {
  return new TextDecoder().decode(await load(ref))
}

function toBase64(bytes: Uint8Array): string {
  const CHUNK = 0x8000
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}
