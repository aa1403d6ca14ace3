import { findForks, getConversation } from './conversation-row.ts'
import type { Engine, Queries } from './engine.ts'
import { type ListOptions, listConversations } from './list-conversations.ts'
import { type MessagePage, readMessages } from './messages.ts'
import { type ConversationPatch, patchConversation } from './patch-conversation.ts'
import { readSummaries } from './stored-summaries.ts'
import { countUsage } from './usage.ts'

/** Everything a person may ask about conversations, as that person. */
export function createConversations(engine: Engine, owner: string) {
  const read = <T>(work: (db: Queries) => Promise<T>) => engine.read(owner, work)
  return {
    get: (id: string) => read((db) => getConversation(db, id)),
    list: (options: ListOptions = {}) => read((db) => listConversations(db, options)),
    messages: (id: string, page?: MessagePage) => read((db) => readMessages(db, id, page)),
    /** With a version, only while the conversation still is that one: else `conflict`. */
    patch: (id: string, patch: ConversationPatch, version?: string) =>
      engine.as(owner, (db) => patchConversation(db, id, { patch, ...(version !== undefined && { version }) })),
    forks: (id: string) => read((db) => findForks(db, id)),
    summaries: (id: string) => read((db) => readSummaries(db, id)),
    usage: () => read(countUsage),
  }
}
