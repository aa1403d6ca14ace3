import { Answer, api, type DoorFact, type Part, type Recorded, shape as s, spillParts } from '@maru/protocol'
import type { Key, OwnHistory } from '@maru/store'
import { newSecret } from '../access/secrets.ts'
import { findRoot } from '../agents/roots.ts'
import { expectAsked, noteAnswer, type PersonAnswer } from '../answers.ts'
import { refusal } from '../http/problem.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import type { RouteContext } from './context.ts'
import { ById, Cursor, Limit, SessionId } from './shapes.ts'

const Name = s.string({ min: 1, max: 200 })
const tag = 'sessions'

/** Agents: begun, spoken to, stopped, approved and answered. The same as over the socket. */
export function sessionRoutes(context: RouteContext): Route[] {
  const { agents, throttle } = context
  return [
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/sessions', scope: 'read', tag },
      query: s.object({ limit: s.optional(Limit), cursor: s.optional(Cursor) }),
      summary: 'A page of sessions of agents, the youngest first, and what they wait for',
      answers: { 200: { description: 'A page', shape: api.pageOf(api.Session) } },
      async handle({ key, query: { limit = 50, ...place } }) {
        return { status: 200, json: await agents.list(key, { limit, ...place }) }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/sessions', scope: 'run', tag, body: api.NewSession },
      summary: 'Begins a session of an agent in a repository; with an input, its run',
      answers: { 201: { description: 'It was begun', shape: api.Session } },
      async handle({ key, by, body }) {
        if (body.input !== undefined) await throttle.message(key.person.id)
        const session = await agents.start(key, body, by)
        return { status: 201, headers: { location: `/api/v1/conversations/${session.id}` }, json: session }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/sessions/:id/inputs', scope: 'run', tag, params: ById, body: api.NewInput },
      summary: 'Says something to the agent, which works on it; the same clientId twice is one input',
      answers: { 202: { description: 'It was admitted', shape: api.Admitted } },
      async handle({ key, by, params: { id }, body }) {
        const parts = partsOf(body)
        await throttle.message(key.person.id)
        const own = await ownSession(context, key, id)
        const stored = await spillParts(parts, id, own.blobs)
        const { delivery = 'steer' } = body
        return admit(
          context,
          { key, id, own },
          { type: 'input-admit', key: body.clientId, by, delivery, parts: stored },
        )
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/sessions/:id/interrupt', scope: 'run', tag, params: ById },
      body: s.object({ clientId: s.optional(Name) }),
      isBodyOptional: true,
      summary: 'Stops the run that is under way, where it can be resumed',
      answers: { 202: { description: 'It was admitted', shape: api.Admitted } },
      async handle({ key, by, params: { id }, body }) {
        const own = await ownSession(context, key, id)
        const { clientId = newSecret('interrupt') } = body
        return admit(context, { key, id, own }, { type: 'interrupt', key: clientId, by })
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/sessions/:id/approvals/:callId', scope: 'run', tag },
      params: s.object({ id: SessionId, callId: Name }),
      body: api.ApprovalAnswer,
      summary: 'Answers whether a call may be made; the first answer wins and is what comes back',
      answers: { 200: { description: 'The answer that stands', shape: api.Admitted } },
      handle: (call) => approve(context, call),
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/sessions/:id/questions/:questionId', scope: 'run', tag },
      params: s.object({ id: SessionId, questionId: Name }),
      body: Answer,
      summary: 'Answers a question of the agent; the first answer wins and is what comes back',
      answers: { 200: { description: 'The answer that stands', shape: api.Admitted } },
      handle: (call) => answerQuestion(context, call),
    }),
    ...workRoutes(context),
  ]
}

function workRoutes(context: RouteContext): Route[] {
  const { agents } = context
  const { workshop } = context.inside.options
  return [
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/sessions/:id/diff', scope: 'read', tag, params: ById },
      summary: 'What the agent changed, as a unified diff',
      answers: { 200: { description: 'The diff', shape: api.Diff } },
      async handle({ key, params: { id } }) {
        return { status: 200, json: { diff: await workshop.diff(await placeOf(context, key, id)) } }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/sessions/:id/undo', scope: 'run', tag, params: ById, body: api.UndoWish },
      isBodyOptional: true,
      summary: 'Takes back what a run changed, or the last one; not while the agent is at work',
      answers: { 200: { description: 'What was restored, and what could not be', shape: api.Undone } },
      async handle({ key, by, params: { id }, body: { runId } }) {
        const place = await placeOf(context, key, id)
        // What it has read, and what it is about to change, would not be there any more.
        if (agents.isAtWork(key.person.id, id)) throw refusal('held', 'the agent is at work: interrupt it first')
        const wish = { by, ...(runId !== undefined && { runId }) }
        return { status: 200, json: await workshop.undo(place, wish) }
      },
    }),
  ]
}

// What an agent calls and gets back is its own to say.
const SAID: ReadonlySet<Part['type']> = new Set<Part['type']>(['text', 'image', 'file', 'data', 'context'])

function partsOf({ text, parts = [] }: api.NewInput): Part[] {
  const odd = parts.findIndex(({ type }) => !SAID.has(type))
  if (odd >= 0) throw refusal('bad-body', 'a person does not say this', { at: `parts.${odd}.type` })
  const all: Part[] = [...(text === undefined ? [] : [{ type: 'text' as const, text }]), ...parts]
  if (all.length === 0) throw refusal('bad-body', 'say something: "text" or "parts"', { at: 'text' })
  return all
}

// Content that belongs to a session is stored before the fact that names it: there must be one.
async function ownSession({ ownOf }: RouteContext, key: Key, id: string): Promise<OwnHistory> {
  const own = await ownOf(key.person.id)
  await own.conversations.get(id)
  return own
}

async function admit(
  { agents }: RouteContext,
  { key, id, own }: { key: Key; id: string; own: OwnHistory },
  fact: DoorFact,
  status = 202,
): Promise<Reply & { json: { record: Recorded } }> {
  const record = await own.log.admit(id, fact)
  agents.onAdmitted(key.person.id, id, record)
  return { status, json: { record } }
}

async function approve(
  context: RouteContext,
  { key, by, params: { id, callId }, body, address }: Call<{ id: string; callId: string }, unknown, api.ApprovalAnswer>,
): Promise<Reply> {
  const { actionHash, option, words } = body
  const answer = { type: 'approval-answer' as const, key: newSecret('answer'), by, callId, actionHash, option }
  return takeAnswer(context, { key, id, address }, { ...answer, ...(words !== undefined && { words }) })
}

async function answerQuestion(
  context: RouteContext,
  { key, by, params: { id, questionId }, body, address }: Call<{ id: string; questionId: string }, unknown, Answer>,
): Promise<Reply> {
  const answer = { type: 'question-answer' as const, key: newSecret('answer'), by, questionId, answer: body }
  return takeAnswer(context, { key, id, address }, answer)
}

async function takeAnswer(
  context: RouteContext,
  { key, id, address }: { key: Key; id: string; address: string },
  fact: PersonAnswer,
): Promise<Reply> {
  const answering = { owner: key.person.id, session: id, fact }
  await expectAsked(context.inside, answering)
  const reply = await admit(context, { key, id, own: await context.ownOf(key.person.id) }, fact, 200)
  await noteAnswer(context.inside, { ...answering, stands: reply.json.record }, address)
  return reply
}

// Only where the server was told that agents may work.
async function placeOf({ inside, ownOf }: RouteContext, key: Key, id: string) {
  const { log, blobs, conversations } = await ownOf(key.person.id)
  const { start } = await conversations.get(id)
  if (start?.cwd === undefined) throw refusal('rejected', 'this conversation works in no repository')
  const root = await findRoot(inside.options.roots, start.cwd)
  if (root === undefined) throw refusal('root-refused', 'start the server with this folder as a root')
  return { id, root, log, blobs }
}
