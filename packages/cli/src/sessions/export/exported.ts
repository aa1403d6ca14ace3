import type { Lang, Translator } from '@maru/i18n'
import type { BlobStore, Entry, SessionLog } from '@maru/protocol'
import type { ExportHead } from './head.ts'

export const EXPORT_FORMATS = ['md', 'json', 'txt', 'jsonl', 'html'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What is exported, and where it is. */
export interface ExportSource {
  readonly log: Pick<SessionLog, 'read'>
  readonly blobs: Pick<BlobStore, 'get'>
  readonly id: string
}

export interface ExportOptions {
  readonly format: ExportFormat
  /** Models, tokens, times, what tools did: else only what was said. A `jsonl` has every fact in any case. */
  readonly hasMetadata: boolean
  readonly t: Translator
  readonly lang: Lang
}

/** What a writer of one format gets. */
export interface Exported extends ExportSource, ExportOptions {
  readonly head: ExportHead
  /** What was said and done, in order, without what was hidden. */
  readonly entries: AsyncIterable<Entry>
}
