import type { Recorded } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { findForks, getConversation } from './conversation-row.ts'
import type { Engine, Queries } from './engine.ts'
import { findNaming } from './find-naming.ts'
import { type ListOptions, listConversations } from './list-conversations.ts'
import { type MessagePage, readMessages } from './messages.ts'
import { type ConversationPatch, patchConversation } from './patch-conversation.ts'
import { readSummaries } from './stored-summaries.ts'
import { countUsage } from './usage.ts'
import { walkSessions } from './walk-sessions.ts'

export interface ConversationsOptions {
  now(): number
  mask?: Mask
  /** What a person says about a conversation was changed, at a time. */
  onPatched(id: string, at: number): void
}

/** Everything a person may ask about conversations, as that person. */
export function createConversations(engine: Engine, owner: string, { now, mask, onPatched }: ConversationsOptions) {
  const read = <T>(work: (db: Queries) => Promise<T>) => engine.read(owner, work)
  return {
    get: (id: string) => read((db) => getConversation(db, id)),
    list: (options: ListOptions = {}) => read((db) => listConversations(db, options)),
    /** Those that are in the log, as it lists them; with a place, those behind it. */
    sessions: (behind?: number) => walkSessions(read, behind),
    messages: (id: string, page?: MessagePage) => read((db) => readMessages(db, id, page)),
    /** With a version, only while the conversation still is that one: else `conflict`. */
    async patch(id: string, patch: ConversationPatch, version?: string) {
      const given = { patch, at: now(), ...(version !== undefined && { version }), ...(mask && { mask }) }
      const patched = await engine.as(owner, (db) => patchConversation(db, id, given))
      if (Object.keys(patch).length > 0) onPatched(id, patched.changedAt)
      return patched
    },
    forks: (id: string) => read((db) => findForks(db, id)),
    summaries: (id: string) => read((db) => readSummaries(db, id)),
    /** The last facts of a kind that name something: a call that waits for an approval, a question. */
    findNaming: (id: string, kind: Recorded['type'], name: string) => read((db) => findNaming(db, id, { kind, name })),
    usage: () => read(countUsage),
  }
}
