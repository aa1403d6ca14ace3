import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type Difference, verifySession } from '@maru/agent'
import type { Part } from '@maru/protocol'
import { readRecorded, type VendorName } from '@maru/providers'
import { openJsonlStore } from '@maru/store'
import { readRawTurn } from '../session/raw-side.ts'

/** Walks a log through the engine's folds: how many requests were built again and found equal, or the first difference. */
export async function verifyLog(path: string): Promise<{ requests: number; adapted: number } | Difference> {
  const directory = dirname(path)
  const id = basename(path, '.jsonl')
  const { log, blobs } = openJsonlStore({ directory, now: Date.now })
  const raw = join(directory, id, 'raw')
  try {
    return await verifySession(log.read(id), {
      id,
      blobs,
      hash: (text) => createHash('sha256').update(text).digest('hex'),
      adapt: async ({ turnId, provider, model }) => adapt(await readRawTurn(raw, turnId), provider, model),
    })
  } finally {
    await log.close()
  }
}

const VENDORS: readonly string[] = ['anthropic', 'openai', 'openai-chat'] satisfies VendorName[]

async function adapt(raw: string[] | undefined, provider = '', model = ''): Promise<Part[] | undefined> {
  if (!raw || !VENDORS.includes(provider)) return undefined
  const last = (await readRecorded(provider as VendorName, model, raw)).at(-1)
  return last?.type === 'finish' ? last.parts : undefined
}
