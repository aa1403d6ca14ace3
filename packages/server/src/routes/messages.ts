import { api, BLOB_THRESHOLD, type Recorded, shape as s, spillParts } from '@maru/protocol'
import type { OwnHistory } from '@maru/store'
import { refusal } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { RouteContext } from './context.ts'
import { ById, Limit, Seq, SessionId } from './shapes.ts'
import { showMessage } from './show.ts'

const PageQuery = s.object({
  before: s.optional(Seq),
  after: s.optional(s.int(0, 2_147_483_647)),
  around: s.optional(Seq),
  limit: s.optional(Limit),
  cursor: s.optional(s.string({ pattern: /^[ab]\.\d{1,10}$/ })),
})

/** Messages of a conversation. What is stored here runs nothing. */
export function messageRoutes({ inside, ownOf, throttle, agents }: RouteContext): Route[] {
  const tag = 'messages'
  return [
    defineRoute({
      ...{
        method: 'GET',
        path: '/api/v1/conversations/:id/messages',
        scope: 'read',
        tag,
        params: ById,
        query: PageQuery,
      },
      summary: 'The newest messages, or those before, behind or around one; in order',
      answers: { 200: { description: 'A page', shape: api.pageOf(api.Message) } },
      async handle({ key, params: { id }, query }) {
        const own = await ownOf(key.person.id)
        return { status: 200, json: await readPage(own, id, query) }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/conversations/:id/messages', scope: 'write', tag, params: ById },
      body: api.NewMessage,
      summary: 'Stores a message; the same clientId twice is one message',
      answers: {
        200: { description: 'It was there already', shape: api.Message },
        201: { description: 'It was stored', shape: api.Message },
      },
      async handle({ key, by, params: { id }, body }) {
        await throttle.message(key.person.id)
        const own = await ownOf(key.person.id)
        const begun = inside.options.now()
        const { clientId, role, content, model, tokens, finish, metadata } = body
        // Long content is stored before the fact that names it: there must be a conversation.
        if (Buffer.byteLength(content) > BLOB_THRESHOLD) await own.conversations.get(id)
        const record = await own.log.admit(id, {
          type: 'message-add',
          key: clientId,
          ...{ by, role },
          parts: await spillParts([{ type: 'text', text: content }], id, own.blobs),
          ...(model !== undefined && { model }),
          ...(tokens !== undefined && { tokens }),
          ...(finish !== undefined && { finish }),
          ...(metadata !== undefined && { metadata }),
        })
        agents.onAdmitted(key.person.id, id, record)
        return { status: record.at >= begun ? 201 : 200, json: await messageOf(own, id, record) }
      },
    }),
    defineRoute({
      ...{ method: 'DELETE', path: '/api/v1/conversations/:id/messages/:seq', scope: 'write', tag },
      params: s.object({ id: SessionId, seq: Seq }),
      query: s.object({ erase: s.optional(s.boolean()) }),
      summary: 'Hides a message; with erase=true, what it said is gone for good, in forks as well',
      answers: { 204: { description: 'It is not shown any more' } },
      async handle({ key, by, params: { id, seq }, query }) {
        const own = await ownOf(key.person.id)
        if (query.erase) {
          if (!(await isMessage(own, id, seq))) throw refusal('not-found')
          await own.log.erase(id, seq)
        } else {
          if (!(await findMessage(own, id, seq))) throw refusal('not-found')
          const record = await own.log.admit(id, { type: 'message-hide', key: `hide ${seq}`, by, target: seq })
          agents.onAdmitted(key.person.id, id, record)
        }
        return { status: 204 }
      },
    }),
  ]
}

// As it stands in the log, whoever sent it first. Only where it was too long for its fact does it have to be looked up.
async function messageOf(own: OwnHistory, id: string, record: Recorded): Promise<api.Message> {
  if (record.type !== 'message-add') throw refusal('conflict', 'what had this clientId is no message, or was erased')
  const { seq, role, parts, model, tokens, finish, metadata } = record
  const [part] = parts
  if (part?.type === 'text' && part.blob === undefined) {
    return {
      ...{ seq, role, content: part.text, at: record.sentAt ?? record.at },
      ...(model !== undefined && { model }),
      ...(tokens !== undefined && { tokens }),
      ...(finish !== undefined && { finish }),
      ...(metadata !== undefined && { metadata }),
    }
  }
  const stored = await findMessage(own, id, seq)
  if (!stored) throw refusal('conflict', 'what had this clientId was deleted')
  return showMessage(stored)
}

async function readPage({ conversations }: OwnHistory, id: string, query: s.Infer<typeof PageQuery>) {
  const { limit = 50, cursor, around } = query
  const place = cursor === undefined ? undefined : Math.min(Number(cursor.slice(2)), 2_147_483_647)
  const after = cursor?.startsWith('a') ? place : query.after
  const before = cursor?.startsWith('b') ? place : query.before
  if (around !== undefined) {
    const messages = await conversations.messages(id, { around, limit })
    const isFull = messages.length === limit
    return { items: messages.map(showMessage), ...(isFull && olderCursor(messages, limit)) }
  }
  const page = { ...(after !== undefined ? { after } : before !== undefined && { before }), limit }
  const messages = await conversations.messages(id, page)
  const items = messages.map(showMessage)
  if (after === undefined) return { items, ...olderCursor(messages, limit) }
  const last = messages.at(-1)
  return { items, ...(last && messages.length === limit && { nextCursor: `a.${last.seq}` }) }
}

function olderCursor(page: { seq: number }[], limit: number): { nextCursor?: string } {
  const [oldest] = page
  return oldest && page.length >= limit ? { nextCursor: `b.${oldest.seq}` } : {}
}

async function findMessage({ conversations }: OwnHistory, id: string, seq: number) {
  const [found] = await conversations.messages(id, { after: seq - 1, limit: 1 })
  return found?.seq === seq ? found : undefined
}

const MESSAGES: ReadonlySet<Recorded['type']> = new Set<Recorded['type']>([
  'input-admit',
  'message-add',
  'turn-end',
  'turn-fail',
  'summary-add',
  'erased',
])

// Also one that is hidden, and one that was erased already.
async function isMessage({ log }: OwnHistory, id: string, seq: number): Promise<boolean> {
  for await (const record of log.read(id, seq - 1)) return record.seq === seq && MESSAGES.has(record.type)
  return false
}
