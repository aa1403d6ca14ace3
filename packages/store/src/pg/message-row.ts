import { type MessageEntry, type Part, type Recorded, type TranscriptState, transcript } from '@maru/protocol'

/** What a conversation shows of a fact, and what the search finds. */
export interface MessageRow {
  seq: number
  role: 'user' | 'assistant' | 'system' | 'note' | 'title'
  /** Text parts; where one was too long for its fact, the blob that holds the whole. */
  texts: { text: string; hash?: string }[]
  model?: string
  tokens?: number
  finish?: string
  metadata?: unknown
  at: number
}

/**
 * The row of a fact, if it has one: an input, an assistant's turn, an added message, a title, or a note that nobody said.
 * It never changes; what its calls came to stands in the facts behind it. `models` says which model a turn was asked of.
 */
export function messageRow(record: Recorded, models: TranscriptState['models']): MessageRow | undefined {
  const { seq, at } = record
  if (record.type === 'title-set') return { seq, at, role: 'title', texts: [{ text: record.title }] }
  const state: TranscriptState = { waiting: [], models: { ...models } }
  transcript.apply(state, record)
  const [entry] = state.waiting
  if (!entry) return undefined
  if (entry.kind === 'message') return rowOf(record, entry)
  if (NOT_SHOWN.has(record.type)) return undefined
  const texts = record.type === 'summary-add' ? [textOf(record.text, record.blob?.hash)] : []
  return { seq, at, role: 'note', texts, metadata: { kind: record.type } }
}

// Frames and marks: the conversation itself carries what they say.
const NOT_SHOWN: ReadonlySet<Recorded['type']> = new Set([
  'session-start',
  'session-move',
  'message-hide',
  'erased',
  'unknown',
])

function rowOf(record: Recorded, { role, parts, model, usage, stop, failure, steps }: MessageEntry): MessageRow {
  const added = record.type === 'message-add' ? record : undefined
  const tokens = added?.tokens ?? usage?.output
  const finish = added?.finish ?? stop ?? failure?.code
  const calls = steps.map(({ callId, tool }) => ({ callId, tool }))
  const metadata = added ? added.metadata : calls.length > 0 ? { calls } : undefined
  return {
    seq: record.seq,
    at: added?.sentAt ?? record.at,
    role,
    texts: parts.flatMap(textsOf),
    ...(model !== undefined && { model }),
    ...(tokens !== undefined && { tokens }),
    ...(finish !== undefined && { finish }),
    ...(metadata !== undefined && { metadata }),
  }
}

function textsOf(part: Part): MessageRow['texts'] {
  return part.type === 'text' ? [textOf(part.text, part.blob?.hash)] : []
}

function textOf(text: string, hash: string | undefined): MessageRow['texts'][number] {
  return { text, ...(hash !== undefined && { hash }) }
}

/** Whether a row counts as a message of the conversation. */
export function isCounted(role: string): boolean {
  return role === 'user' || role === 'assistant'
}

/**
 * A text as the database takes and finds it: no U+0000, no half characters, and composed, as decomposed Hangul would not
 * be found.
 */
export function storableText(text: string): string {
  const whole = /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text
  return whole.replaceAll('\0', '\ufffd').normalize('NFC')
}
