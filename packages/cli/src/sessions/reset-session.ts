import { context } from '@maru/agent'
import type { OpenSession } from '../session/open-session.ts'
import { settleSession } from './settle-session.ts'

/**
 * Lets the model forget a session: what comes next is all it will know. The log keeps everything. What was under way, or
 * said and not yet taken up, is laid aside. Gives false where there was nothing to forget.
 */
export async function resetSession(session: Pick<OpenSession, 'log' | 'project' | 'id'>): Promise<boolean> {
  const { messages, added, waiting } = await session.project(session.id, context)
  if (messages.length === 0 && added.length === 0 && Object.keys(waiting).length === 0) return false
  await settleSession(session, { takesInputs: true, behind: [{ type: 'context-reset' }] })
  return true
}
