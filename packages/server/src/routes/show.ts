import type { api } from '@maru/protocol'
import type { Conversation, Message } from '@maru/store'

/** A conversation as the API shows it. */
export function showConversation(conversation: Conversation): api.Conversation {
  const { id, title, description, project, service, status, tags, messages, tokens, start } = conversation
  return {
    ...{ id, description, status, tags, messages, tokens },
    ...(title !== null && { title }),
    ...(project !== null && { project }),
    ...(service !== null && { service }),
    ...(start?.forkOf && { forkOf: start.forkOf }),
    createdAt: conversation.createdAt,
    updatedAt: conversation.changedAt,
    lastMessageAt: conversation.lastAt,
  }
}

export function showMessage({ seq, role, content, model, tokens, finish, metadata, at }: Message): api.Message {
  return {
    ...{ seq, role, content, at },
    ...(model !== null && { model }),
    ...(tokens !== null && { tokens }),
    ...(finish !== null && { finish }),
    ...(metadata !== null && metadata !== undefined && { metadata: metadata as api.Message['metadata'] & object }),
  }
}

export function etagOf({ version }: Conversation): string {
  return `"${version}"`
}
