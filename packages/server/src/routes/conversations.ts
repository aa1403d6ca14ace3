import { api, cutAfter, LogError, type SessionStart, shape as s, spillParts } from '@maru/protocol'
import { type Conversation, type ConversationPatch, type ListOptions, newSessionId, type OwnHistory } from '@maru/store'
import { refusal } from '../http/problem.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import type { RouteContext } from './context.ts'
import { ById, Cursor, Filter, Limit, Time, timeOf } from './shapes.ts'
import { etagOf, showConversation } from './show.ts'

const SORTS = ['created', 'updated', 'lastMessage', 'count'] as const
const Sort = s.oneOf([...SORTS, ...SORTS.map((name) => `-${name}` as const)])
const Status = s.oneOf(['active', 'archived', 'summarized'])

const ListQuery = s.object({
  status: s.optional(Status),
  service: s.optional(Filter),
  project: s.optional(Filter),
  from: s.optional(Time),
  to: s.optional(Time),
  q: s.optional(Filter),
  tag: s.optional(Filter),
  sort: s.optional(Sort),
  limit: s.optional(Limit),
  cursor: s.optional(Cursor),
})

/** Conversations themselves: their list, their frame, their forks. */
export function conversationRoutes(context: RouteContext): Route[] {
  const { ownOf, throttle, inside } = context
  const tag = 'conversations'
  return [
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/conversations', scope: 'read', tag, query: ListQuery },
      summary:
        'A page of conversations, those with the newest message first; q wants all its words in the title or in one message',
      answers: { 200: { description: 'A page', shape: api.pageOf(api.Conversation) } },
      async handle({ key, query }) {
        const { conversations } = await ownOf(key.person.id)
        const { items, next } = await conversations.list(listOptions(query)).catch(expectPlace)
        return { status: 200, json: { items: items.map(showConversation), ...(next && { nextCursor: next }) } }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/conversations', scope: 'write', tag, body: api.NewConversation },
      summary: 'Begins a conversation, perhaps with its first message; runs nothing',
      answers: { 201: { description: 'It was begun', shape: api.Conversation } },
      hasVersion: true,
      async handle({ key, by, body }) {
        const { title, description, project, service, initialMessage } = body
        if (initialMessage !== undefined) await throttle.message(key.person.id)
        const own = await ownOf(key.person.id)
        const id = newSessionId(inside.options.now())
        await own.log.create(id, { agent: { kind: 'maru' }, door: by.door ?? 'api' })
        if (description !== undefined || project !== undefined || service !== undefined) {
          await own.conversations.patch(id, {
            ...(description !== undefined && { description }),
            ...(project !== undefined && { project }),
            ...(service !== undefined && { service }),
          })
        }
        if (title !== undefined) await own.log.admit(id, { type: 'title-set', key: 'title', by, title })
        if (initialMessage !== undefined) {
          const parts = await spillParts([{ type: 'text', text: initialMessage }], id, own.blobs)
          await own.log.admit(id, { type: 'message-add', key: 'initial', by, role: 'user', parts })
        }
        const made = await own.conversations.get(id)
        return shown(made, { status: 201, headers: { location: `/api/v1/conversations/${id}` } })
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/conversations/:id', scope: 'read', tag, params: ById },
      summary: 'A conversation without its messages',
      answers: { 200: { description: 'The conversation', shape: api.Conversation } },
      hasVersion: true,
      handle: async ({ key, params }) => shown(await (await ownOf(key.person.id)).conversations.get(params.id)),
    }),
    defineRoute({
      ...{ method: 'PATCH', path: '/api/v1/conversations/:id', scope: 'write', tag, params: ById },
      body: api.ConversationPatch,
      summary: 'Changes its title, description, status, project or tags; with If-Match, only what was read',
      answers: { 200: { description: 'As it is now', shape: api.Conversation } },
      hasVersion: true,
      async handle({ key, by, params: { id }, body: { title, ...patch }, header }) {
        const own = await ownOf(key.person.id)
        // First, also for a title alone: it is here that If-Match holds against everybody else.
        const patched = await change(own, id, { patch: patchOf(patch), version: wantedVersion(header) })
        if (title === undefined) return shown(patched)
        await own.log.admit(id, { type: 'title-set', key: `title ${newSessionId(inside.options.now())}`, by, title })
        return shown(await own.conversations.get(id))
      },
    }),
    defineRoute({
      ...{ method: 'DELETE', path: '/api/v1/conversations/:id', scope: 'write', tag, params: ById },
      summary: 'Erases a conversation with all that is in it; forks keep what they read of it',
      answers: { 204: { description: 'It is gone' } },
      hasVersion: true,
      async handle({ key, params: { id }, header }) {
        const own = await ownOf(key.person.id)
        const version = wantedVersion(header)
        if (version !== undefined) await change(own, id, { patch: {}, version })
        await own.log.erase(id)
        return { status: 204 }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/conversations/:id/fork', scope: 'write', tag, params: ById },
      body: api.ForkWish,
      summary: 'Begins another conversation that shares this one up to a message, and what that message did',
      answers: { 201: { description: 'The fork', shape: api.Conversation } },
      hasVersion: true,
      handle: (call) => fork(context, call),
    }),
  ]
}

// All else that the list could refuse was checked before.
function expectPlace(error: unknown): never {
  if (!(error instanceof LogError) || error.code !== 'rejected') throw error
  throw refusal('bad-query', 'this is not a place in this list', { at: 'cursor' })
}

function listOptions(query: s.Infer<typeof ListQuery>): ListOptions {
  const { from, to, ...rest } = query
  return {
    ...rest,
    ...(from !== undefined && { since: timeOf(from, 'from') }),
    ...(to !== undefined && { until: timeOf(to, 'to') }),
  }
}

// Only what a patch may say: a body may have fields that nobody knows.
function patchOf({ description, status, tags, project }: Omit<api.ConversationPatch, 'title'>) {
  return {
    ...(description !== undefined && { description }),
    ...(status !== undefined && { status }),
    ...(tags !== undefined && { tags }),
    ...(project !== undefined && { project }),
  }
}

function shown(conversation: Conversation, { status = 200, headers = {} }: Partial<Reply> = {}): Reply {
  return { status, headers: { ...headers, etag: etagOf(conversation) }, json: showConversation(conversation) }
}

// What cannot be a version of ours matches nothing.
function wantedVersion(header: Call['header']): string | undefined {
  const wanted = header('if-match')?.trim()
  if (wanted === undefined || wanted === '*') return undefined
  return /^"([\w-]+)"$/.exec(wanted)?.[1] ?? 'none'
}

// With a version, only what is still of that version.
async function change(
  { conversations }: OwnHistory,
  id: string,
  { patch, version }: { patch: ConversationPatch; version: string | undefined },
): Promise<Conversation> {
  try {
    return await conversations.patch(id, patch, version)
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== 'conflict') throw error
    throw refusal('version-changed', 'read it again, then say what to change')
  }
}

async function fork(
  { inside, ownOf }: RouteContext,
  call: Call<{ id: string }, unknown, api.ForkWish>,
): Promise<Reply> {
  const { key, by, params, body } = call
  const own = await ownOf(key.person.id)
  const parent = await own.conversations.get(params.id)
  if (body.seq > parent.head) {
    throw refusal('bad-body', `the conversation ends at ${parent.head}`, { at: 'seq' })
  }
  const seq = await cutAfter(own.log.read(params.id, body.seq - 1), body.seq)
  const id = newSessionId(inside.options.now())
  const { agent = { kind: 'maru' as const }, cwd } = parent.start ?? {}
  const start: SessionStart = {
    agent,
    door: by.door ?? 'api',
    ...(cwd !== undefined && { cwd }),
    forkOf: { id: params.id, seq },
  }
  await own.log.create(id, start)
  const { project, service, description } = parent
  await own.conversations.patch(id, { project, description, ...(service !== null && { service }) })
  if (body.title !== undefined)
    await own.log.admit(id, { type: 'title-set', key: `title ${id}`, by, title: body.title })
  const made = await own.conversations.get(id)
  return shown(made, { status: 201, headers: { location: `/api/v1/conversations/${id}` } })
}
