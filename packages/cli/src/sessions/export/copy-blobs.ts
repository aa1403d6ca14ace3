import { basename, dirname } from 'node:path'
import { openJsonlStore } from '@maru/store'
import type { OpenSession } from '../../session/open-session.ts'

/** Puts the content that a session speaks of beside a copy of its log, where the store looks for it. */
export async function copyBlobs({ log, blobs, id }: OpenSession, path: string): Promise<number> {
  if (!path.endsWith('.jsonl')) return 0
  const copy = openJsonlStore({ directory: dirname(path), now: Date.now })
  const holder = basename(path, '.jsonl')
  const seen = new Set<string>()
  for await (const record of log.read(id)) {
    for (const [, hash = ''] of JSON.stringify(record).matchAll(/"(?:hash|before|after)":"([0-9a-f]{64})"/g)) {
      if (seen.has(hash)) continue
      seen.add(hash)
      const bytes = await blobs.get(id, hash)
      if (bytes) await copy.blobs.put(holder, bytes)
    }
  }
  await copy.blobs.flush(holder)
  await copy.log.close()
  return seen.size
}
