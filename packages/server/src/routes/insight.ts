import { contextWindow, type Placed } from '@maru/agent'
import { api, shape as s } from '@maru/protocol'
import { askForSummary, type Message, type OwnHistory } from '@maru/store'
import { refusal } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { RouteContext } from './context.ts'
import { ById, Cursor, Filter, Limit, Time, timeOf } from './shapes.ts'
import { showMessage } from './show.ts'

const FORMATS = {
  md: 'text/markdown',
  json: 'application/json',
  txt: 'text/plain',
  html: 'text/html',
  jsonl: 'application/x-ndjson',
} as const
const Format = s.oneOf(['md', 'json', 'txt', 'html', 'jsonl'])

const SearchQuery = s.object({
  q: s.string({ min: 1, max: 1_000 }),
  project: s.optional(Filter),
  service: s.optional(Filter),
  role: s.optional(s.oneOf(['user', 'assistant', 'system', 'note', 'title'])),
  tag: s.optional(Filter),
  from: s.optional(Time),
  to: s.optional(Time),
  limit: s.optional(Limit),
  cursor: s.optional(s.string({ max: 64, pattern: /^-?\d{1,15}\.\d{1,15}\.\d{1,9}$/ })),
})

/** What is made from conversations: summaries, a window for a model, files, hits, sums. */
export function insightRoutes({ inside, ownOf, onJob }: RouteContext): Route[] {
  const tag = 'conversations'
  return [
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/conversations/:id/summaries', scope: 'read', tag, params: ById },
      query: s.object({ limit: s.optional(Limit), cursor: s.optional(Cursor) }),
      summary: 'Its summaries, the newest first',
      answers: { 200: { description: 'All of them', shape: api.pageOf(api.Summary) } },
      async handle({ key, params }) {
        const { conversations } = await ownOf(key.person.id)
        return { status: 200, json: { items: (await conversations.summaries(params.id)).toReversed() } }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/conversations/:id/summaries', scope: 'write', tag, params: ById },
      body: api.SummaryWish,
      isBodyOptional: true,
      summary:
        'Asks for a summary of everything so far; it comes as a fact of the conversation, where a model is configured',
      answers: { 202: { description: 'It was asked for', shape: api.SummaryAsked } },
      async handle({ key, params: { id }, body: { maxWords } }) {
        const { conversations } = await ownOf(key.person.id)
        const { head: to } = await conversations.get(id)
        if (!inside.options.workshop.summarise) throw noModel()
        const wish = { id, to, ...(maxWords !== undefined && { maxWords }) }
        await askForSummary(inside.options.history.engine, key.person.id, wish)
        onJob()
        return { status: 202, json: { to } }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/conversations/:id/context', scope: 'read', tag, params: ById },
      query: s.object({ budget: s.optional(s.int(1, 10_000_000)), model: s.optional(s.string({ max: 200 })) }),
      summary: 'The newest messages that fit a budget of tokens, with the summary in place of what it covers',
      answers: { 200: { description: 'What a model would be given', shape: api.Context } },
      async handle({ key, params: { id }, query: { budget = 8_000, model } }) {
        const own = await ownOf(key.person.id)
        const stored = (await own.conversations.summaries(id)).toReversed()
        const summaries = stored.map(({ covers, text }) => ({ covers, text }))
        const placed = await newest(own, id, budget)
        const found = contextWindow(placed, { budget, summaries, ...(model !== undefined && { model }) })
        const { tokens, summary, messages } = found
        const json: api.Context = {
          ...{ budget, tokens },
          ...(summary && { summary }),
          messages: messages.map(({ message }) => showMessage(message)),
        }
        return { status: 200, json }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/conversations/:id/export', scope: 'read', tag, params: ById },
      query: s.object({ format: s.optional(Format), metadata: s.optional(s.boolean()) }),
      summary: 'The conversation as a file: md, json, txt, html or jsonl',
      answers: { 200: { description: 'The file', type: Object.values(FORMATS) } },
      async handle({ key, params: { id }, query: { format = 'md', metadata = true } }) {
        const own = await ownOf(key.person.id)
        await own.conversations.get(id)
        const content = inside.options.workshop.exportConversation(own, id, { format, hasMetadata: metadata })
        const name = id.replaceAll(/[^\w.-]/g, '_')
        const headers = { 'content-disposition': `attachment; filename="${name}.${format}"` }
        return { status: 200, headers, content, type: `${FORMATS[format]}; charset=utf-8` }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/search', scope: 'read', tag: 'search', query: SearchQuery },
      summary: 'Messages and titles that hold every word, also inside longer words',
      answers: { 200: { description: 'A page of hits', shape: api.pageOf(api.Hit) } },
      async handle({ key, query: { q, limit, cursor, from, to, ...filter } }) {
        const own = await ownOf(key.person.id)
        const { hits, next } = await own.search(q, {
          filter: {
            ...storable(filter),
            ...(from !== undefined && { since: timeOf(from, 'from') }),
            ...(to !== undefined && { until: timeOf(to, 'to') }),
          },
          ...(limit !== undefined && { window: limit }),
          ...(cursor !== undefined && { cursor }),
        })
        return { status: 200, json: { items: hits, ...(next !== undefined && { nextCursor: next }) } }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/usage', scope: 'read', tag: 'operations' },
      summary: 'How much there is of mine: conversations, messages, tokens, and bytes of content beside them',
      answers: { 200: { description: 'Sums', shape: api.Usage } },
      handle: async ({ key }) => ({ status: 200, json: await (await ownOf(key.person.id)).conversations.usage() }),
    }),
  ]
}

function noModel() {
  return refusal(
    'no-model',
    'nobody would write it: where the server runs, set a key with "maru config set keys.PROVIDER -" and start it again',
  )
}

// No database takes U+0000 in a text, and nothing is filed under it.
function storable<T extends { [name: string]: string }>(filter: T): T {
  return Object.fromEntries(Object.entries(filter).map(([name, text]) => [name, text.replaceAll('\0', '\ufffd')])) as T
}

interface PlacedMessage extends Placed {
  message: Message
}

const PAGE = 100
// Even one that is all blanks takes some of a budget.
const FEWEST_TOKENS = 1

// Backwards, page by page, until more was read than any budget can hold.
async function newest({ conversations }: OwnHistory, id: string, budget: number): Promise<PlacedMessage[]> {
  const found: PlacedMessage[] = []
  let characters = 0
  for (let before: number | undefined; ; ) {
    const page = await conversations.messages(id, { ...(before !== undefined && { before }), limit: PAGE })
    found.unshift(...page.flatMap(placed))
    characters += page.reduce((sum, { content }) => sum + content.length, 0)
    before = page[0]?.seq
    // A token is hardly ever more than ten characters long.
    if (page.length < PAGE || characters > budget * 10 || found.length * FEWEST_TOKENS > budget) return found
  }
}

function placed(message: Message): PlacedMessage[] {
  const { seq, role, content } = message
  return role === 'note' ? [] : [{ seq, role, parts: [{ type: 'text', text: content }], message }]
}
