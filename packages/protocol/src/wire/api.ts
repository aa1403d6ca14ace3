import { Json } from '../json.ts'
import { Part } from '../part.ts'
import type { Recorded } from '../record.ts'
import * as s from '../shape.ts'
import { Problem } from './problem.ts'

/** A keyset page: what is behind it is asked for with its cursor; the last one has none. */
export const pageOf = <T>(items: s.Shape<T>) => s.object({ items: s.array(items), nextCursor: s.optional(s.string()) })

/** A conversation is a session as people see it: same id. Times are milliseconds since 1970. */
export const Conversation = s.object({
  id: s.string(),
  title: s.optional(s.string()),
  description: s.string(),
  project: s.optional(s.string()),
  service: s.optional(s.string()),
  status: s.oneOf(['active', 'archived', 'summarized']),
  tags: s.array(s.string()),
  messages: s.int(0),
  tokens: s.int(0),
  /** What it is a fork of. */
  forkOf: s.optional(s.object({ id: s.string(), seq: s.int(0) })),
  createdAt: s.number(),
  updatedAt: s.number(),
  lastMessageAt: s.number(),
})
export type Conversation = s.Infer<typeof Conversation>

export const Message = s.object({
  seq: s.int(1),
  role: s.oneOf(['user', 'assistant', 'system', 'note']),
  content: s.string(),
  model: s.optional(s.string()),
  tokens: s.optional(s.int(0)),
  finish: s.optional(s.string()),
  metadata: s.optional(Json),
  at: s.number(),
})
export type Message = s.Infer<typeof Message>

export const Hit = s.object({
  conversation: s.string(),
  seq: s.int(1),
  title: s.optional(s.string()),
  role: s.string(),
  at: s.number(),
  snippet: s.string(),
  /** Where in the snippet the words stand: [start, end) in UTF-16 units. */
  ranges: s.array(s.array(s.int(0))),
  score: s.number(),
})
export type Hit = s.Infer<typeof Hit>

export const NewConversation = s.object({
  title: s.optional(s.string({ max: 500 })),
  description: s.optional(s.string({ max: 10_000 })),
  project: s.optional(s.string({ max: 1_000 })),
  service: s.optional(s.string({ max: 100 })),
  initialMessage: s.optional(s.string({ max: 500_000 })),
})
export type NewConversation = s.Infer<typeof NewConversation>

export const ConversationPatch = s.object({
  title: s.optional(s.string({ max: 500 })),
  description: s.optional(s.string({ max: 10_000 })),
  status: s.optional(s.oneOf(['active', 'archived', 'summarized'])),
  tags: s.optional(s.array(s.string({ min: 1, max: 100 }), 100)),
  project: s.optional(s.string({ max: 1_000 })),
})
export type ConversationPatch = s.Infer<typeof ConversationPatch>

/** A message that is stored and runs nothing. The same `clientId` twice is one message. */
export const NewMessage = s.object({
  clientId: s.string({ min: 1, max: 128 }),
  role: s.oneOf(['user', 'assistant', 'system']),
  content: s.string({ max: 500_000 }),
  model: s.optional(s.string({ max: 200 })),
  tokens: s.optional(s.int(0, 1_000_000_000)),
  finish: s.optional(s.string({ max: 100 })),
  metadata: s.optional(Json),
})
export type NewMessage = s.Infer<typeof NewMessage>

/** An agent's session as a list shows it. */
export const Session = s.object({
  id: s.string(),
  title: s.optional(s.string()),
  repo: s.optional(s.string()),
  /** `elsewhere`: another process runs it under this server's log. */
  state: s.oneOf(['idle', 'running', 'waiting', 'elsewhere']),
  startedAt: s.number(),
  changedAt: s.number(),
  /** Calls that wait for an approval, and questions that wait for an answer. */
  approvals: s.array(s.string()),
  questions: s.array(s.string()),
})
export type Session = s.Infer<typeof Session>

export const NewSession = s.object({
  repo: s.string({ min: 1, max: 4_096 }),
  provider: s.optional(s.string({ max: 100 })),
  model: s.optional(s.string({ max: 200 })),
  mode: s.optional(s.oneOf(['ask', 'auto', 'read-only', 'yes'])),
  /** Said at once. */
  input: s.optional(s.string({ max: 500_000 })),
})
export type NewSession = s.Infer<typeof NewSession>

export const NewInput = s.object({
  clientId: s.string({ min: 1, max: 128 }),
  text: s.optional(s.string({ max: 500_000 })),
  parts: s.optional(s.array(Part, 1_000)),
  /** `steer` reaches the run that is under way; `queue` begins the next. */
  delivery: s.optional(s.oneOf(['steer', 'queue'])),
})
export type NewInput = s.Infer<typeof NewInput>

export const ApprovalAnswer = s.object({
  actionHash: s.string({ max: 128 }),
  option: s.string({ max: 100 }),
  words: s.optional(s.string({ max: 10_000 })),
})
export type ApprovalAnswer = s.Infer<typeof ApprovalAnswer>

/** Where a run's changes are taken back; without a run, those of the last. */
export const UndoWish = s.object({ runId: s.optional(s.string({ max: 128 })) })
export type UndoWish = s.Infer<typeof UndoWish>

export const Undone = s.object({
  restored: s.array(s.string()),
  kept: s.array(s.object({ path: s.string(), why: s.string() })),
})
export type Undone = s.Infer<typeof Undone>

export const Diff = s.object({ diff: s.string() })
export type Diff = s.Infer<typeof Diff>

/** What stands in the log now. Where somebody else was quicker with an answer, it is theirs. */
export const Admitted = s.object({ record: s.json<Recorded>() })
export type Admitted = s.Infer<typeof Admitted>

/** After which message; the fork reaches to the end of what that message did. */
export const ForkWish = s.object({ seq: s.int(1, 2_147_483_647), title: s.optional(s.string({ max: 500 })) })
export type ForkWish = s.Infer<typeof ForkWish>

export const SummaryWish = s.object({ maxWords: s.optional(s.int(10, 5_000)) })
export type SummaryWish = s.Infer<typeof SummaryWish>

export const Covers = s.object({ from: s.int(1), to: s.int(1) })

/** A summary and what it stands for. */
export const Summary = s.object({ seq: s.int(1), covers: Covers, text: s.string(), at: s.number() })
export type Summary = s.Infer<typeof Summary>

/** A summary was asked for: it comes as a fact of the conversation, up to `to`. */
export const SummaryAsked = s.object({ to: s.int(1) })
export type SummaryAsked = s.Infer<typeof SummaryAsked>

/** The newest messages that fit a budget of tokens, with the summary in place of what it covers. */
export const Context = s.object({
  budget: s.int(1),
  tokens: s.int(0),
  summary: s.optional(s.object({ covers: Covers, text: s.string() })),
  messages: s.array(Message),
})
export type Context = s.Infer<typeof Context>

/** One line of an import's answer; the last is a report or a problem. */
export const ImportLine = s.union('type', [
  s.object({
    type: s.literal('progress'),
    bytes: s.int(0),
    total: s.int(0),
    sessions: s.int(0),
    messages: s.int(0),
  }),
  s.object({
    type: s.literal('report'),
    added: s.int(0),
    grown: s.int(0),
    same: s.int(0),
    messages: s.int(0),
    problems: s.array(s.string()),
  }),
  s.object({ type: s.literal('problem'), problem: Problem }),
])
export type ImportLine = s.Infer<typeof ImportLine>

export const Repository = s.object({ path: s.string(), name: s.string() })
export type Repository = s.Infer<typeof Repository>

export const Usage = s.object({
  conversations: s.int(0),
  messages: s.int(0),
  tokens: s.int(0),
  bytes: s.int(0),
})
export type Usage = s.Infer<typeof Usage>

export const LinkSignIn = s.object({ token: s.string({ min: 1, max: 200 }) })
export const PairSignIn = s.object({ code: s.string({ min: 1, max: 20 }) })
export const PasswordSignIn = s.object({
  name: s.string({ min: 1, max: 200 }),
  password: s.string({ min: 1, max: 1_000 }),
})

const Scope = s.oneOf(['read', 'write', 'run', 'admin'])

/** Somebody with a part of their own in the history. */
export const User = s.object({
  id: s.string(),
  name: s.string(),
  createdAt: s.number(),
  /** Without one, nobody signs in by this name. */
  hasPassword: s.boolean(),
  conversations: s.int(0),
})
export type User = s.Infer<typeof User>

const Password = s.string({ min: 1, max: 1_000 })

export const NewUser = s.object({ name: s.string({ min: 1, max: 200 }), password: s.optional(Password) })
export type NewUser = s.Infer<typeof NewUser>

export const NewPassword = s.object({ password: Password })
export type NewPassword = s.Infer<typeof NewPassword>

/** Who came in, and what was done with keys and approvals. */
export const AuditNote = s.object({
  at: s.number(),
  /** The name of whose doing it was, as far as they are still there. */
  user: s.optional(s.string()),
  action: s.string(),
  door: s.optional(s.string()),
  address: s.optional(s.string()),
  detail: s.optional(s.string()),
})
export type AuditNote = s.Infer<typeof AuditNote>

/** A key to one's part of the history; its secret is shown once, when it is made. */
export const Token = s.object({
  id: s.string(),
  /** Whose it is. */
  user: s.object({ id: s.string(), name: s.string() }),
  kind: s.oneOf(['token', 'cookie']),
  label: s.string(),
  scopes: s.array(Scope),
  createdAt: s.number(),
  expiresAt: s.optional(s.number()),
  lastUsedAt: s.optional(s.number()),
})
export type Token = s.Infer<typeof Token>

export const NewToken = s.object({
  label: s.string({ max: 200 }),
  scopes: s.array(Scope, 4),
  /** Without one of these, the key is good until it is revoked. */
  expiresInDays: s.optional(s.int(1, 3_650)),
  expiresAt: s.optional(s.int(0, 8_000_000_000_000)),
  /** Whose it is to be, by name; mine, if nobody is named. */
  user: s.optional(s.string({ min: 1, max: 200 })),
})
export type NewToken = s.Infer<typeof NewToken>

export const MadeToken = s.object({ token: s.string(), key: Token })
export type MadeToken = s.Infer<typeof MadeToken>

/** What is live in this process. */
export const Health = s.object({ status: s.oneOf(['ok', 'unavailable']), version: s.string() })
export type Health = s.Infer<typeof Health>

/** Who is signed in, and what a page must send back with each change. */
export const Me = s.object({
  user: s.object({ id: s.string(), name: s.string() }),
  scopes: s.array(s.string()),
  csrf: s.optional(s.string()),
})
export type Me = s.Infer<typeof Me>
