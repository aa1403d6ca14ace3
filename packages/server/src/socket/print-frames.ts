import type { Live, Recorded } from '@maru/protocol'

// A batch is sent when it has reached this size, so one frame is hardly longer than one record and this.
const BATCH_CHARACTERS = 64 * 1024
const BATCH_FACTS = 500

export interface FactsFrame {
  first: number
  last: number
  bytes: Buffer
}

/** Facts as frames, printed once. */
export function printFacts(id: string, facts: readonly Recorded[]): FactsFrame[] {
  const frames: FactsFrame[] = []
  let texts: string[] = []
  let size = 0
  let first = 0
  for (const [at, fact] of facts.entries()) {
    if (texts.length === 0) first = fact.seq
    const text = JSON.stringify(fact)
    texts.push(text)
    size += text.length
    if (size < BATCH_CHARACTERS && texts.length < BATCH_FACTS && at < facts.length - 1) continue
    const printed = `{"type":"facts","id":${JSON.stringify(id)},"facts":[${texts.join(',')}]}`
    frames.push({ first, last: fact.seq, bytes: Buffer.from(printed) })
    texts = []
    size = 0
  }
  return frames
}

export function printLive(id: string, live: Live): Buffer {
  return Buffer.from(JSON.stringify({ type: 'live', id, live }))
}

/** Puts a log's records together until a batch is worth a frame. */
export async function* inBatches(records: AsyncIterable<Recorded>): AsyncGenerator<Recorded[], void> {
  let batch: Recorded[] = []
  let size = 0
  for await (const record of records) {
    batch.push(record)
    size += roughSize(record)
    if (size < BATCH_CHARACTERS && batch.length < BATCH_FACTS) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

// What may be long in a record is what somebody said; printing all of it only to know its length would be twice the work.
function roughSize(record: Recorded): number {
  let size = 200
  if ('parts' in record) {
    for (const part of record.parts) size += 'text' in part ? part.text.length : 1_000
  } else if (record.type !== 'interrupt') size += 1_000
  return size
}
