import type { BlobStore, SessionLog } from '@maru/protocol'

const INPUT = /^input-(\d+)$/

/** What a call returned, or a person said, though the model no longer sees it: it stands in the log. */
export async function readDropped(
  name: string,
  { id, log, blobs, ended }: { id: string; log: SessionLog; blobs: BlobStore; ended: { [callId: string]: number } },
): Promise<Uint8Array | undefined> {
  const input = INPUT.exec(name)?.[1]
  const seq = input === undefined ? (Object.hasOwn(ended, name) ? ended[name] : undefined) : Number(input)
  if (seq === undefined || seq < 1) return undefined
  for await (const record of log.read(id, seq - 1)) {
    if (record.seq !== seq || (record.type !== 'tool-end' && record.type !== 'input-admit')) return undefined
    const texts = await Promise.all(
      record.parts.map(async (part) => {
        if (part.type !== 'text') return ''
        const bytes = part.blob && (await blobs.get(id, part.blob.hash))
        return bytes ? new TextDecoder().decode(bytes) : part.text
      }),
    )
    return new TextEncoder().encode(texts.join('\n'))
  }
  return undefined
}
