import { join } from 'node:path'
import type { OpenSession } from '../session/open-session.ts'

/** A session, and where people would look for one of its kind, where that is no file. */
export type FoundSession = OpenSession & { addressOf?(id: string): string }

/** Where it is kept, for people and scripts. */
export function placeOfSession({ addressOf, directory, id }: FoundSession): string {
  return addressOf?.(id) ?? join(directory, `${id}.jsonl`)
}
