import { LogError } from '@maru/protocol'
import type { Mask } from '../mask.ts'
import { type Conversation, getConversation } from './conversation-row.ts'
import { type Queries, toTime } from './engine.ts'
import { storableText } from './message-row.ts'
import { findSession } from './session-row.ts'

/** What a person says about a conversation beside what happened in it. */
export interface ConversationPatch {
  description?: string
  project?: string | null
  service?: string
  status?: Conversation['status']
  tags?: string[]
}

/**
 * Changes it and gives back how it stands then. With a version, only if it is still that one: else `conflict`. A patch that
 * says nothing is a change of the version alone.
 */
export async function patchConversation(
  db: Queries,
  id: string,
  {
    patch,
    at,
    version,
    mask = (text) => text,
  }: { patch: ConversationPatch; at: number; version?: string; mask?: Mask },
): Promise<Conversation> {
  const { no } = await findSession(db, id, { lock: true })
  if (version !== undefined && (await getConversation(db, id)).version !== version) {
    throw new LogError('conflict', `session ${id} was changed meanwhile`)
  }
  const has = (name: keyof ConversationPatch) => Object.hasOwn(patch, name)
  const text = (value: string | null | undefined) => (value == null ? null : storableText(mask(value)))
  await db.query(
    `update maru.conversation set description = case when $2 then coalesce($3, '') else description end,
       project = case when $4 then $5 else project end, status = coalesce($6, status),
       service = coalesce($7, service), changed_at = greatest(changed_at, $8), touched_at = clock_timestamp()
     where owner = maru.uid() and no = $1`,
    [
      ...[no, has('description'), text(patch.description), has('project'), text(patch.project)],
      ...[patch.status ?? null, text(patch.service), Object.keys(patch).length > 0 ? toTime(at) : null],
    ],
  )
  if (patch.tags !== undefined) {
    await db.query('delete from maru.tag where owner = maru.uid() and session = $1', [no])
    await db.query('insert into maru.tag (session, name) select $1, unnest($2::text[]) on conflict do nothing', [
      no,
      patch.tags.map((tag) => storableText(mask(tag))),
    ])
  }
  return getConversation(db, id)
}
