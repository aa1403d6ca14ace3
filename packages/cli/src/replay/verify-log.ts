import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type Difference, verifySession } from '@maru/agent'
import type { Part } from '@maru/protocol'
import { readRecorded, type VendorName } from '@maru/providers'
import { openJsonlStore } from '@maru/store'
import type { OpenSession } from '../session/open-session.ts'
import { readRawTurn } from '../session/raw-side.ts'

/** How many requests were built again and found equal, and how many turns were read from the vendor's events again. */
export interface Verified {
  requests: number
  adapted: number
}

/** Walks a log through the engine's folds, to its end or to the first difference. */
export async function verifyLog(path: string): Promise<Verified | Difference> {
  const directory = dirname(path)
  const { log, blobs } = openJsonlStore({ directory, now: Date.now })
  try {
    return await verifyStored({ id: basename(path, '.jsonl'), directory, log, blobs })
  } finally {
    await log.close()
  }
}

/** The same for a session wherever it is kept; what is left of the vendor's events is in its directory. */
export function verifyStored({
  id,
  directory,
  log,
  blobs,
}: Pick<OpenSession, 'id' | 'directory' | 'log' | 'blobs'>): Promise<Verified | Difference> {
  const raw = join(directory, id, 'raw')
  return verifySession(log.read(id), {
    id,
    blobs,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    adapt: async ({ turnId, provider, model }) => adapt(await readRawTurn(raw, turnId), provider, model),
  })
}

const VENDORS: readonly string[] = ['anthropic', 'openai', 'openai-chat'] satisfies VendorName[]

async function adapt(raw: string[] | undefined, provider = '', model = ''): Promise<Part[] | undefined> {
  if (!raw || !VENDORS.includes(provider)) return undefined
  const last = (await readRecorded(provider as VendorName, model, raw)).at(-1)
  return last?.type === 'finish' ? last.parts : undefined
}
