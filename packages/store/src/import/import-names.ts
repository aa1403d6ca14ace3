import type { Hash, Recorded } from '@maru/protocol'
import { sha256 } from '../sha256.ts'
import type { ImportFact, ImportSource } from './steps.ts'

/** The session of a source's conversation: always the same one. */
export function importedId(source: ImportSource, key: string): string {
  const hex: Hash = sha256(`${source}\n${key}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  // A UUID of the version that is everybody's own.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}

/** A key that an index takes. */
export function shortKey(key: string): string {
  return key.length <= 150 ? key : `sha256 ${sha256(key)}`
}

/** What a fact of a source is known by. */
export function nameOf(fact: ImportFact): string {
  switch (fact.type) {
    case 'message':
    case 'settings':
      return `key:${shortKey(fact.key)}`
    case 'call-end':
      return `end:${fact.callId}`
    case 'foreign':
      return `foreign:${fact.place}`
    default:
      return fact satisfies never
  }
}

/** The same of a fact that is stored; one that was erased is known by the keys it had. */
export function identitiesOf(record: Recorded): string[] {
  switch (record.type) {
    case 'message-add':
    case 'settings-change':
      return [`key:${record.key}`]
    case 'tool-end':
      return [`end:${record.callId}`]
    case 'foreign': {
      const { place } = record.body as { place?: unknown }
      return typeof place === 'string' ? [`foreign:${place}`] : []
    }
    case 'erased':
      return record.keys ?? []
    default:
      return []
  }
}

/** Whether a source said it, not a person here since. */
export function isImported(record: Recorded): boolean {
  if (record.type === 'erased') return false
  return 'by' in record && typeof record.by === 'object' ? record.by.door === 'import' : true
}
