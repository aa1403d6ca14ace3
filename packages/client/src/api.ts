import type { Answer, api, Recorded } from '@maru/protocol'
import { createHttp, type Http, type HttpCall, type HttpOptions, type Query } from './http.ts'
import { makeKey } from './make-key.ts'

export interface Page<T> {
  items: T[]
  nextCursor?: string
}

export interface ConversationFilter {
  status?: api.Conversation['status']
  service?: string
  project?: string
  from?: string
  to?: string
  q?: string
  tag?: string
  sort?: string
  limit?: number
}

type SignIn = { token: string } | { code: string } | { name: string; password: string }

/** Makes the key where there is none: a retry sends the same one. */
type Keyed<T extends { clientId: string }> = Omit<T, 'clientId'> & { clientId?: string }

// Whoever reads a list to its end has no use for many small pages.
const LARGEST_PAGE = 200

/** Every route that doors use. Lists are read to their end as they are walked; a problem is an `ApiError`. */
export function createApi(options: HttpOptions) {
  const http = createHttp(options)
  const json = async <T>(method: string, path: string, call?: HttpCall) =>
    (await (await http(method, path, call)).json()) as T
  const pages = <T>(path: string, query: Query) => walk<T>(http, path, query)

  return {
    http,
    me: () => json<api.Me>('GET', 'auth/me'),
    /** For browsers: the answer sets the cookie. A link's token comes from its fragment. */
    signIn: (how: 'link' | 'pair' | 'login', proof: SignIn) =>
      json<api.Me>('POST', `auth/${how}`, { body: proof, isPublic: true }),
    signOut: () => done(http('POST', 'auth/logout')),
    tokens: {
      list: () => pages<api.Token>('tokens', {}),
      make: (wish: api.NewToken) => json<api.MadeToken>('POST', 'tokens', { body: wish }),
      revoke: (id: string) => done(http('DELETE', at('tokens', id))),
    },
    usage: () => json<api.Usage>('GET', 'usage'),
    repositories: () => pages<api.Repository>('repositories', {}),
    search: (q: string, filter: ConversationFilter = {}) => pages<api.Hit>('search', { ...filter, q }),
    conversations: {
      list: (filter: ConversationFilter = {}) => pages<api.Conversation>('conversations', { ...filter }),
      page: (filter: ConversationFilter & { cursor?: string } = {}) =>
        json<Page<api.Conversation>>('GET', 'conversations', { query: { ...filter } }),
      begin: (wish: api.NewConversation) => json<api.Conversation>('POST', 'conversations', { body: wish }),
      /** With its version, for `change`. */
      async get(id: string): Promise<{ conversation: api.Conversation; etag?: string }> {
        const response = await http('GET', at('conversations', id))
        const etag = response.headers.get('etag')
        return { conversation: (await response.json()) as api.Conversation, ...(etag !== null && { etag }) }
      },
      change: (id: string, patch: api.ConversationPatch, etag?: string) =>
        json<api.Conversation>('PATCH', at('conversations', id), {
          body: patch,
          ...(etag !== undefined && { headers: { 'if-match': etag } }),
        }),
      remove: (id: string) => done(http('DELETE', at('conversations', id))),
      messages: (id: string, place: { before?: number; after?: number; around?: number; limit?: number } = {}) =>
        json<Page<api.Message>>('GET', at('conversations', id, 'messages'), { query: place }),
      addMessage: (id: string, message: Keyed<api.NewMessage>) =>
        json<api.Message>('POST', at('conversations', id, 'messages'), keyed(message)),
      hideMessage: (id: string, seq: number, { erase }: { erase?: boolean } = {}) =>
        done(http('DELETE', at('conversations', id, 'messages', seq), { isRepeatable: true, query: { erase } })),
      fork: (id: string, wish: api.ForkWish) =>
        json<api.Conversation>('POST', at('conversations', id, 'fork'), { body: wish }),
      summaries: (id: string) => pages<api.Summary>(at('conversations', id, 'summaries'), {}),
      summarise: (id: string, wish: api.SummaryWish = {}) =>
        json<api.SummaryAsked>('POST', at('conversations', id, 'summaries'), { body: wish }),
      context: (id: string, budget?: number) =>
        json<api.Context>('GET', at('conversations', id, 'context'), { query: { budget } }),
      export: (id: string, format: 'md' | 'json' | 'txt' | 'html' | 'jsonl', metadata?: boolean) =>
        http('GET', at('conversations', id, 'export'), { query: { format, metadata } }),
    },
    sessions: {
      list: () => pages<api.Session>('sessions', { limit: LARGEST_PAGE }),
      start: (wish: api.NewSession) => json<api.Session>('POST', 'sessions', { body: wish }),
      say: (id: string, input: Keyed<api.NewInput>) => admit(at('sessions', id, 'inputs'), keyed(input)),
      interrupt: (id: string) => admit(at('sessions', id, 'interrupt'), keyed({})),
      /** The first answer wins: what comes back is the one that stands. */
      approve: (id: string, callId: string, answer: api.ApprovalAnswer) =>
        admit(at('sessions', id, 'approvals', callId), { body: answer, isRepeatable: true }),
      answer: (id: string, questionId: string, answer: Answer) =>
        admit(at('sessions', id, 'questions', questionId), { body: answer, isRepeatable: true }),
      diff: async (id: string) => (await json<api.Diff>('GET', at('sessions', id, 'diff'))).diff,
      undo: (id: string, wish: api.UndoWish = {}) =>
        json<api.Undone>('POST', at('sessions', id, 'undo'), { body: wish }),
    },
  }

  async function admit(path: string, call: HttpCall): Promise<Recorded> {
    return (await json<api.Admitted>('POST', path, call)).record
  }
}

export type Api = ReturnType<typeof createApi>

async function* walk<T>(http: Http, path: string, query: Query): AsyncGenerator<T, void> {
  for (let cursor: string | undefined; ; ) {
    const response = await http('GET', path, { query: { ...query, cursor } })
    const page = (await response.json()) as Page<T>
    yield* page.items
    cursor = page.nextCursor
    if (cursor === undefined) return
  }
}

async function done(response: Promise<Response>): Promise<void> {
  await (await response).body?.cancel()
}

function keyed(body: { clientId?: string }): HttpCall {
  return { body: { ...body, clientId: body.clientId ?? makeKey() }, isRepeatable: true }
}

function at(...names: (string | number)[]): string {
  return names.map((name) => encodeURIComponent(name)).join('/')
}
